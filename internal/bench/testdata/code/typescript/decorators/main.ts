function logged(target: any, key: string, desc: PropertyDescriptor): PropertyDescriptor { const orig = desc.value; desc.value = function (...a: any[]) { trace(key); return orig.apply(this, a); }; return desc; }
function tag(name: string) { return (ctor: Function): void => { register(name, ctor); }; }
const registry: Record<string, Function> = {};
function register(name: string, c: Function): void { registry[name] = c; }
function trace(k: string): void {}
@tag('svc')
class Svc {
  @logged
  run(): void { this.inner(); }
  private inner(): void {}
}
new Svc().run();
