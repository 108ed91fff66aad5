import { Task, type Clock, type Id } from './model';

export type Action =
  | { type: 'add'; title: string }
  | { type: 'complete'; id: Id };
type Reducer<S, A> = (state: S, action: A) => S;
type Middleware = (next: (a: Action) => void) => (a: Action) => void;
export interface State { tasks: Task[] }

const reducers: { [K in Action['type']]: Reducer<State, any> } = {
  add: (state, { title }) => ({ tasks: [...state.tasks, create(title)] }),
  complete(state, action) {
    return { tasks: state.tasks.map((t) => (t.id === action.id ? t.complete() : t)) };
  },
};
function create(title: string): Task { return new Task(nextId(), title, systemClock); }
const nextId = (() => { let n = 0; return (): Id => String(n++) as Id; })();
export const systemClock: Clock = { now: () => Date.now() };

export class Store {
  private subscribers: Array<(s: State) => void> = [];
  private send: (a: Action) => void;
  constructor(private state: State = { tasks: [] }, ...middleware: Middleware[]) {
    this.send = middleware.reduceRight((next, m) => m(next), (a: Action) => this.apply(a));
  }
  dispatch(action: Action): this { this.send(action); return this; }
  subscribe(fn: (s: State) => void): () => void {
    this.subscribers.push(fn);
    return () => { this.subscribers = this.subscribers.filter((s) => s !== fn); };
  }
  select<R>(selector: (s: State) => R): R { return selector(this.state); }
  private apply(action: Action): void {
    this.state = reducers[action.type](this.state, action);
    this.subscribers.forEach((s) => s(this.state));
  }
}
