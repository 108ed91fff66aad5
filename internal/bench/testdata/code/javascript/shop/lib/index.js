exports.start = start;

function start(callback) {
  return callback({ price: 1 });
}
