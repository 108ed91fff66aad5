var animals = require('./animals');

(function run() {
  var rex = new animals.Dog('rex');
  rex.bark();
  var tom = new animals.Cat('tom');
  tom.purr();
  tom.speak();
  animals.Animal.create(animals.Dog, 'ace');
  var counter = makeCounter();
  counter.up();
  counter.up();
})();

function makeCounter() {
  var n = 0;
  function bump(by) { n += by; return n; }
  return { up: function () { return bump(1); }, down: function () { return bump(-1); } };
}

var registry = {};
registry.greet = function () { return 'hi'; };
registry['leave'] = leave;
function leave() { return registry.greet(); }

function dispatch(name) {
  return registry[name]();
}
dispatch('leave');
dispatch(process.argv[2]);
registry.leave();

var pick = Math.random() > 0.5 ? leave : makeCounter;
pick();
