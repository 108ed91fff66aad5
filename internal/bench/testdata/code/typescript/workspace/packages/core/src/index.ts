export * from './engine';
export { default as parse } from './parse';
export * as text from './text';
