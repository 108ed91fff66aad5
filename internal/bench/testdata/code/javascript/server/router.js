const Trie = function () { this.nodes = Object.create(null); };

Trie.prototype.insert = function (key, value) {
  this.nodes[key] = { handler: value };
};
Trie.prototype.find = function (key) {
  return this.nodes[key] || this.fallback(key);
};
Trie.prototype.fallback = function fallback(key) {
  return { handler: notFound };
};

function notFound(request) { return { status: 404 }; }

module.exports = class Router {
  #trie = new Trie();
  add(path, handler) { this.#trie.insert(normalize(path), handler); }
  match(path) { return this.#trie.find(normalize(path)); }
};

function normalize(path) { return path.replace(/\/+/g, slash); }
const slash = () => '/';
