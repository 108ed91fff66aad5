module.exports = function makeLogger(name) {
  function write(text) {
    console.log(name, text);
  }
  return {
    info(text) { write(text); },
    warn: (text) => write(text),
  };
};
