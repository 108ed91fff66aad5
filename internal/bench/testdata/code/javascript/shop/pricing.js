const round = (x) => Math.round(x);

exports.total = function (items) {
  return items.map((i) => exports.format(i.price)).reduce(plus, 0);
};

exports.format = function (price) {
  return round(price);
};

function plus(a, b) {
  return a + b;
}
