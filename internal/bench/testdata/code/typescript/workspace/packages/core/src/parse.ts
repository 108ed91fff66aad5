export default (input: string) => new Parsed(clean(input));
class Parsed { constructor(readonly value: string) {} }
function clean(s: string) { return s; }
