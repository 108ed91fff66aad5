import { Board, commands, log } from "./lib/index.js";

const store = {
  async write(cards) {
    await this.flush(cards.length);
  },
  flush: (n) => Promise.resolve(n),
};

const board = new Board("home");
board.on("added", onAdded).on("added", (card) => log(card.toString()));

function onAdded(card) {
  card.finish();
}

commands.run("add", board, "tea");
commands.run("list", board);

const { Runner } = commands;
Runner.of((b) => b.add({ title: "x" }), archive).go(board);

function archive(b) {
  return b.save(store);
}

board
  .save(store)
  .then((b) => b.emit("saved"))
  .catch(report)
  .finally(() => log("end"));

function report(error) {
  log(error.message);
}
