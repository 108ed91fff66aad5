import { Container, note } from "./container";
import * as ledger from "./ledger";
import { Credit, Debit, Ledger, type Sink, type Visitor } from "./ledger";

class ConsoleSink implements Sink {
  constructor(private readonly prefix = prefixOf("out")) {}

  async write(line: string): Promise<void> {
    note(this.prefix + line);
  }
}

function prefixOf(name: string): string {
  return `${name}: `;
}

const counter: Visitor = {
  debit: (d) => note(d.kind()),
  credit(c) {
    note(c.price().currency);
  },
};

const container = new Container()
  .bind(Ledger.token, () => new Ledger())
  .bind({ name: "sink" }, (c) => new ConsoleSink());

async function start(mode: string) {
  const book = container.get(Ledger.token);
  const stop = book.onAdd((e) => note(e.toString()));
  book.add(new Debit(3)).add(new Credit(4));
  stop();
  book.accept(counter);
  book.biggest()?.price();
  const sink = container.get<ConsoleSink>({ name: "sink" });
  const count = await book.export(sink);
  return ledger.Modes.parse(mode) + count;
}

start("fast").then((n) => note(String(n)), fail);

function fail(error: unknown): void {
  note(`${error}`);
}
