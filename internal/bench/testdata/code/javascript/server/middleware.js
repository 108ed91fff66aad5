exports.logger = function logger(request, next) {
  stamp(request);
  return next();
};

exports.timed = (out) => {
  const start = clock();
  return function timer(request, next) {
    const result = next();
    print(out, clock() - start);
    return result;
  };
};

function stamp(request) { request.at = clock(); }
function clock() { return Date.now(); }
var print = function (out, text) { out.log(text); };
