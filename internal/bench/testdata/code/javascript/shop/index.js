const { Store, open: openStore } = require('./store');
const pricing = require('./pricing');
const makeLogger = require('./lib/logger');

const log = makeLogger('shop');

function main() {
  const store = new Store(log);
  store.add({ price: 3 });
  const total = pricing.total(store.items());
  log.info(total);
  store.each((item) => show(item));
  const other = openStore();
  other.add({ price: 4 });
  require('./lib').start(show);
}

function show(item) {
  return pricing.format(item.price);
}

main();
module.exports = main;
