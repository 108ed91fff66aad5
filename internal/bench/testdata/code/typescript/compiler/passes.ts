import { Binary, Node, Num, Op, type Visitor } from './ast';

const operations = { [Op.Add]: (a: number, b: number) => a + b, [Op.Mul]: multiply };
function multiply(a: number, b: number) { return a * b; }

export class Evaluator implements Visitor<number> {
  visitNumber(node: Num) { return node.value; }
  visitBinary(node: Binary) { return operations[node.op](node.left.accept(this), node.right.accept(this)); }
}
export class Printer implements Visitor<string> {
  constructor(private readonly style: Style = defaults()) {}
  visitNumber(node: Num) { return String(node.value); }
  visitBinary({ left, op, right }: Binary) { return this.style.wrap([left, right].map((n) => n.accept(this)).join(op)); }
}
interface Style { wrap(text: string): string }
const defaults = (): Style => ({ wrap: (text) => bracket(text) });
const bracket = (text: string) => `(${text})`;

export type Pass<I, O> = (input: I) => O;
export const pipeline = <A, B, C>(first: Pass<A, B>, second: Pass<B, C>): Pass<A, C> => (input) => second(first(input));
export function evaluate(node: Node): number { return node.accept(new Evaluator()); }
