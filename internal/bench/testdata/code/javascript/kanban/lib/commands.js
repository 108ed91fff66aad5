import { Board } from "./board.js";

const table = {
  add(board, title) {
    return board.add({ title });
  },
  finish: (board) => [...board].forEach((card) => card.finish()),
  list: listAll,
};

function listAll(board) {
  return Array.from(board.titles());
}

export function run(name, board, ...rest) {
  const command = table[name] || unknown;
  return command(board, ...rest);
}

function unknown() {
  throw new Error("unknown");
}

export class Runner {
  steps = [];

  then(step) {
    this.steps.push(step);
    return this;
  }

  static of(...steps) {
    return steps.reduce((runner, step) => runner.then(step), new Runner());
  }

  go(board = new Board("none")) {
    return this.steps.map((step) => step(board));
  }
}
