const { read, Reading, Fault } = require('..');
const gauge = require('../');

function show(result) {
  if (result instanceof Reading) return result.shown();
  if (!(result instanceof Fault)) return null;
  return result.text();
}
function brief(result) { return result instanceof Fault && result.text(); }
show(read(1));
show(gauge.read(-1));
brief(read(-1));
