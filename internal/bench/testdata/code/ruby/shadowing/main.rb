def total = 1
def name = "m"
def size(n = 0) = n

def first
  total = 5
  total + 1
end

def second
  name = name()
  name.length
end

def third(size)
  size.to_s
  size(2)
end

def fourth
  x = total if total > 0
  [1].each { |total| total + 1 }
  x
end

class Box
  def total = 2
  def all = total
end

first
second
third(1)
fourth
Box.new.all
total
