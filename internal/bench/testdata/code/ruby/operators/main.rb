class Vec
  attr_reader :x

  def initialize(x)
    @x = x
  end

  def +(other) = Vec.new(x + other.x)
  def -(other) = self + -other
  def -@ = Vec.new(-x)
  def ==(other) = x == other.x
  def [](i) = x
  def []=(i, v)
    @x = v
  end

  def <<(n)
    self[0] = n
    self
  end

  def call(n) = n
  def !~(o) = false
  def <=>(other) = x <=> other.x
  def to_s = "v"
end

a = Vec.new(1)
b = Vec.new(2)
c = a + b
c - a
a == b
a[0]
a[1] = 2
a << 3 << 4
a.(5)
a += b
a <=> b
-c
