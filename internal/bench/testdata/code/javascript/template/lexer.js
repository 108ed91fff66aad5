const RULES = [
  { name: 'open', pattern: /^{{/, make: symbol },
  { name: 'close', pattern: /^}}/, make: symbol },
  { name: 'text', pattern: /^[^{}]+/, make: (value) => new Token('text', value.trim()) },
];

function symbol(value, rule) { return Token.of(rule.name); }

class Token {
  static cache = {};
  static of(type) { return (this.cache[type] = this.cache[type] || new Token(type)); }
  constructor(type, value) { this.type = type; this.value = value; }
  is(type) { return this.type === type; }
}

export default function* lex(source) {
  let rest = source;
  while (rest) {
    const rule = RULES.find(({ pattern }) => pattern.test(rest));
    const [text] = rule.pattern.exec(rest);
    yield rule.make(text, rule);
    rest = advance(rest, text.length);
  }
}
const advance = (text, by) => text.slice(by);
