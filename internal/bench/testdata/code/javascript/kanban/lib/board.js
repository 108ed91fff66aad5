import Entity, { Observable, Timed, memo as once } from "./mixins.js";

export class Card extends Timed(Entity) {
  done = false;
  finish = () => {
    this.done = true;
    this.touch();
  };

  format() {
    return `${super.format()} ${mark(this)}`;
  }
}

function mark(card) {
  return card.done ? "x" : "-";
}

export class Board extends Observable(Entity) {
  columns = { todo: [], done: [] };

  add({ title, column = "todo" }) {
    const card = new Card(title).touch();
    this.columns[column].push(card);
    this.emit("added", card);
    return card;
  }

  *[Symbol.iterator]() {
    for (const list of Object.values(this.columns)) yield* list;
  }

  *titles() {
    for (const card of this) yield label(card);
  }

  async save(store) {
    await store.write([...this]);
    return this;
  }

  trace(name) {
    log(name);
  }
}

const label = once((card) => card.format());

export const log = (text) => print(text);

const print = function (text) {
  console.log(text);
};
