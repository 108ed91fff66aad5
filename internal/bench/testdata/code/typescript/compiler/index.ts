import { Parser } from './parser';
import { pipeline, evaluate, Printer } from './passes';
import { prefixed, silent, type Logger } from './log';
export { Parser as default } from './parser';
export * from './passes';

const parse = (log: Logger) => (text: string) => new Parser(text, log).parse();
export const run = pipeline(parse(silent), evaluate);
export function show(text: string, log = prefixed('show')): string {
  log.child?.('x').info('go');
  return parse(log)(text).accept(new Printer());
}
run('1+2');
show('1*2');
