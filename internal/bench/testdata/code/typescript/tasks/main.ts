import { Store, type Action, type State } from './store';
import type { Task } from './model';

const logging = (next: (a: Action) => void) => (a: Action) => { log(a.type); next(a); };
function log(...args: unknown[]): void { console.log(...args); }

const store = new Store(undefined, logging);
const stop = store.subscribe(render);
store.dispatch({ type: 'add', title: 'write' });
stop();

function render({ tasks }: State): void {
  const lines = tasks.filter(isOpen).map(format).sort(byLength);
  print(lines);
}
const isOpen = (t: Task) => t.open;
const format = (t: Task): string => [t.title, ...t.labels()].join(' ');
function byLength(a: string, b: string): number { return a.length - b.length; }
let print = (lines: string[]) => lines.forEach((l) => log(l));

const first = store.select((s) => s.tasks[0]);
first.tag('x', 'y');
first?.complete().labels();
const titles = store.select(selectTitles);
function selectTitles(s: State) { return s.tasks.map((t) => t.title); }
log(titles);
