export { default } from './compose.mjs';
export * from './pipe.mjs';
export * as tools from './tools.mjs';
export function twice(f) { return (x) => f(f(x)); }
