import { parse } from './parser.js';

const memory = new WeakMap();
function compile(strings, ...values) {
  if (memory.has(strings)) return memory.get(strings);
  const template = parse(String.raw(strings, ...values));
  const render = template.render.bind(template);
  memory.set(strings, render);
  return render;
}
export const hello = compile`Hello {{name|title}}`;
hello({ name: 'world' });

export default { compile, render: (source, context) => parse(source).render(context) };
