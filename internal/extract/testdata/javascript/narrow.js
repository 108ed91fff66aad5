// Names whose class a check tells.
function area(x, y) {
  if (x instanceof Square && y) {
    x.side();
    x = y;
    x.other();
  } else if (x instanceof shapes.Circle) x.radius();
  if (!(y instanceof Dot)) {
    return null;
  }
  y.dot();
  const size = x instanceof Dot ? x.dot() : y;
  return x instanceof Dot && x.dot(size);
}
