const makeLogger = require('./lib/logger');

class Store {
  constructor(log) {
    this.log = log;
    this.list = [];
    this.limit = new Limit(10);
  }
  add(item) {
    this.check(item);
    this.list.push(item);
  }
  check(item) {
    this.log.warn(item);
    return this.limit.allows(this.list.length);
  }
  items() {
    return this.list;
  }
  each(visit) {
    for (const item of this.list) visit(item);
  }
}

class Limit {
  constructor(max) {
    this.max = max;
  }
  allows(n) {
    return n < this.max;
  }
}

function open() {
  return new Store(makeLogger('open'));
}

module.exports = { Store, open };
