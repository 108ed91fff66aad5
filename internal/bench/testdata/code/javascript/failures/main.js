class AppError extends Error {
  constructor(m, code) { super(m); this.code = code; }
  report() { return format(this); }
}
class NotFound extends AppError { constructor() { super('nf', 404); } report() { return 'nf' + super.report(); } }
class Plain extends Error {}
function format(e) { return e.code; }
function risky(k) { if (k === 1) throw new NotFound(); if (k === 2) throw new Plain('p'); return k; }
function guarded(k) {
  try { return risky(k); }
  catch (err) {
    if (err instanceof AppError) return err.report();
    return handle(err);
  } finally { cleanup(); }
}
function handle(e) { return e.message; }
function cleanup() {}
guarded(1); guarded(2); guarded(3);
try { throw makeError(); } catch ({ code, report }) { note(code); }
function makeError() { return new AppError('x', 1); }
function note(c) { return c; }
