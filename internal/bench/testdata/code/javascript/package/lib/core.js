class Reading {
  constructor(value) { this.value = value; }
  shown() { return format(this.value); }
}
class Fault { text() { return 'fault'; } }
function format(value) { return String(value); }
function read(value) { return value < 0 ? new Fault() : new Reading(value); }
module.exports = { read, Reading, Fault };
