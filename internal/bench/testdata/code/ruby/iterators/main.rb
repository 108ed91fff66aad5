class Tree
  include Enumerable

  def initialize(*items)
    @items = items
  end

  def each(&block)
    return enum_for(:each) unless block

    @items.each(&block)
    self
  end

  def walk
    @items.each { |i| yield i, depth }
  end

  def depth = 1
end

class Leaf
  def size = weight
  def weight = 1
end

def show(x) = x

tree = Tree.new(Leaf.new, Leaf.new)
tree.each { |leaf| leaf.size }
tree.walk { |leaf, d| leaf.weight }
for leaf in tree
  leaf.size
end
3.times { |i| show(i) }
1.upto(3) do |i|
  show(i)
end
loop do
  show(1)
  break
end
[Leaf.new].each_with_object([]) { |leaf, acc| acc << leaf.weight }
[Leaf.new].inject(0) { |sum, leaf| sum + leaf.size }
