export { App } from './app';
export { createApp } from './factory';
