import parse from './parse';
import * as text from './text';

export type Step = (input: string) => string;
export class Engine {
  private steps: Step[] = [];
  static standard(): Engine { return new Engine().use(text.trim).use((s) => text.upper(s)); }
  use(step: Step): this { this.steps.push(step); return this; }
  run(input: string): string {
    let out = parse(input).value;
    for (const step of this.steps) out = step(out);
    return out;
  }
}
