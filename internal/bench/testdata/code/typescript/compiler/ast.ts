export interface Visitor<R> { visitNumber(node: Num): R; visitBinary(node: Binary): R }
export abstract class Node { abstract accept<R>(visitor: Visitor<R>): R }
export class Num extends Node {
  constructor(readonly value: number) { super(); }
  accept<R>(visitor: Visitor<R>): R { return visitor.visitNumber(this); }
}
export class Binary extends Node {
  constructor(readonly op: Op, readonly left: Node, readonly right: Node) { super(); }
  accept<R>(visitor: Visitor<R>): R { return visitor.visitBinary(this); }
}
export enum Op { Add = '+', Mul = '*' }
export namespace Op { export function of(text: string): Op { return check(text as Op); } function check(op: Op): Op { return op; } }
export type Token = { kind: 'number'; value: number } | { kind: 'op'; op: Op };
