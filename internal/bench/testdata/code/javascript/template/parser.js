import lex from './lexer.js';
import { Text, Slot, Block } from './nodes.js';

export const parse = (source) => new Parser([...lex(source)]).block();

class Parser {
  position = 0;
  constructor(tokens) { this.tokens = tokens; }
  get current() { return this.tokens[this.position]; }
  take(type) {
    if (!this.current.is(type)) throw unexpected(this.current, type);
    return this.tokens[this.position++];
  }
  block() {
    const children = [];
    while (this.current) children.push(this.current.is('open') ? this.slot() : this.text());
    return new Block(children);
  }
  text() { return new Text(this.take('text').value); }
  slot() {
    this.take('open');
    const [name, ...filters] = this.take('text').value.split('|').map(clean);
    this.take('close');
    return Slot.create({ name, filters });
  }
}
function clean(part) { return part.trim(); }
function unexpected(token, wanted) { return Object.assign(new SyntaxError(wanted), { token }); }
