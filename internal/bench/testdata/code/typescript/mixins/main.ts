type Ctor<T = {}> = new (...args: any[]) => T;
function Timestamped<B extends Ctor>(Base: B) { return class extends Base { stamp(): number { return now(); } }; }
function Tagged<B extends Ctor<Entity>>(Base: B) { return class extends Base { tag(): string { return this.id() + '#'; } }; }
function now(): number { return 1; }
class Entity { id(): string { return 'e'; } }
const Mixed = Timestamped(Tagged(Entity));
class Post extends Mixed { show(): string { this.stamp(); return this.tag(); } }
new Post().show();
const m = new Mixed();
m.stamp(); m.tag();
interface Entity { late(): void; }
Entity.prototype.late = function () { now(); };
new Entity().late();
