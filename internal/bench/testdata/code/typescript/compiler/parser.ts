import * as ast from './ast';
import { Op, type Token } from './ast';
import type { Logger } from './log';

export class Lexer implements Iterable<Token> {
  private at = 0;
  constructor(private readonly text: string) {}
  *[Symbol.iterator](): Generator<Token> { while (this.more()) yield this.next(); }
  private more(): boolean { return this.at < this.text.length; }
  private next(): Token {
    const c = this.text[this.at++];
    return isDigit(c) ? { kind: 'number', value: Number(c) } : { kind: 'op', op: Op.of(c) };
  }
}
const isDigit = (c: string): boolean => c >= '0' && c <= '9';

export class Parser {
  private tokens: Token[];
  constructor(text: string, private log?: Logger) { this.tokens = [...new Lexer(text)]; }
  parse(): ast.Node { this.log?.info('parse'); return this.binary(this.number()); }
  private binary(left: ast.Node): ast.Node {
    const token = this.take();
    if (!token || token.kind !== 'op') return left;
    return this.binary(new ast.Binary(token.op, left, this.number()));
  }
  private number(): ast.Num {
    const token = this.take();
    if (token?.kind !== 'number') return fail('number');
    return new ast.Num(token.value);
  }
  private take = () => this.tokens.shift();
}
function fail(what: string): never { throw new SyntaxError(what); }
