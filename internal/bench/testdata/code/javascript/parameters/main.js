const done = () => 'done';
const fail = () => 'fail';
function each(list, fn) { for (let i = 0; i < list.length; i++) fn(list[i], i); }
function withOptions({ onDone, onFail = fail } = {}) { onDone && onDone(); onFail(); }
function viaArguments() { return arguments[0](); }
function rest(...fns) { fns.forEach((f) => f()); }
function spreadInto(a, b) { a(); b(); }
function defaulted(cb = () => done()) { return cb(); }
function nested(cb) { return inner(cb); function inner(k) { return k(); } }
function optional(cb) { return cb?.(); }

each([1], done);
each([1, 2], (x) => done(x));
withOptions({ onDone: done });
viaArguments(fail);
rest(done, fail);
spreadInto(...[done, fail]);
defaulted();
defaulted(fail);
nested(done);
optional(fail);
done.call(null);
fail.apply(null, []);
const bound = done.bind(null);
bound();
