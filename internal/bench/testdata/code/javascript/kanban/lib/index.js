export * from "./board.js";
export { default as Entity, memo } from "./mixins.js";
export * as commands from "./commands.js";
