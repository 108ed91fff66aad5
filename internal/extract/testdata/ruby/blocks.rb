class Runner
  def each
    return enum_for(:each) unless block_given?
    yield 1, first
    @items.each { |item| yield item }
  end

  def with(name, &callback)
    callback.call(name)
    callback.(name)
    again(&callback)
    callback
  end

  def again(&) = with("x", &)

  def use
    total = 0
    @items.each do |item; scratch|
      total += item.price
      scratch = item
      extra = scratch.copy
    end
    extra
    @items.map(&:price).select { |p| p > 1 }.each_with_index { |p, i| show p, i }
    @table.each { |key, value| value.open(key) }
    @items.inject(0) { |sum, item| sum + item.weight }
    Item.new("a").tap { |fresh| fresh.save }
    @items.sort_by { _1.rank }.map { it.name }
    with("y") { |n| return n if n }
    square = ->(x) { x * x }
    cube = lambda { |x| return x**3 }
    plain = proc do |x| helper(x) end
    square.call(2)
    cube.(3)
    plain[4]
    bound = method(:helper)
    bound.call(5)
    @items.each(&method(:helper))
    @items.each(&square)
    send(:helper, 6)
    other.public_send("open", 7) { |x| x }
    send(square, 8)
    handlers = { start: method(:helper), stop: -> { helper }, total: }
    handlers[:start].call(9)
    nested { |a| deeper { |b| a.join(b) } }
    next_one = Item.new do |i|
      i.fill
    end
    next_one
  end

  def helper(x = nil) = x
end
