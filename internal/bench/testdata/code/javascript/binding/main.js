class Button {
  constructor(label) {
    this.label = label;
    this.onClick = this.onClick.bind(this);
    this.listeners = {};
  }
  onClick() { return this.render(); }
  render() { return this.label; }
  listen(name, fn) { (this.listeners[name] = this.listeners[name] || []).push(fn); return this; }
  fire(name) { (this.listeners[name] || []).forEach((l) => l.call(this)); }
}
const b = new Button('x');
const f = b.onClick;
f();
b.listen('a', b.onClick).listen('a', function () { return this.render(); });
b.fire('a');
const tool = {
  use() { return this.helper(); },
  helper() { return 1; },
  nested: { go() { return tool.use(); } },
  arrow: () => tool.helper(),
};
tool.nested.go();
tool.arrow();
const use = tool.use.bind(tool);
use();
function greet() { return this.name(); }
greet.call({ name() { return 'n'; } });
class Base { run() { return this.step(); } }
class Impl extends Base { step() { return 1; } }
new Impl().run();
