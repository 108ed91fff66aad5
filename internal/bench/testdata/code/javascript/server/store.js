class User {
  constructor(first, last) { this.first = first; this.last = last; }
  fullName() { return [this.first, this.last].join(' '); }
}

module.exports = function createStore() {
  const users = new Map();
  let next = 0;
  const id = () => ++next;
  return {
    all: () => [...users.values()],
    get(key) { return users.get(key); },
    put(data) {
      return new Promise((resolve) => {
        const user = new User(data.first, data.last);
        users.set(id(), user);
        resolve(user);
      });
    },
  };
};
