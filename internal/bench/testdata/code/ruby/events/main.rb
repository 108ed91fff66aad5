require_relative "bus"

class Order
  attr_reader :lines

  def initialize(*lines)
    @lines = lines
  end

  def summary
    lines.map(&:text).join(", ")
  end

  def total
    lines.sum { |line| line.price }
  end

  def each_line(&block)
    lines.each(&block)
    self
  end
end

class Line
  def initialize(text, price)
    @text = text
    @price = price
  end

  def text
    @text.strip
  end

  def price
    discount(@price)
  end

  private

  def discount(amount) = amount - 1
end

class Printer
  def call(event)
    puts event.describe
  end
end

module Audit
  def self.log(event)
    entries.push(event)
    flush if full?
  end

  def self.entries = (@entries ||= [])

  def self.full?
    entries.size > 3
  end

  def self.flush
    entries.each { |event| write(event.describe) }
    entries.clear
  end

  def self.write(text)
    $stdout.puts(text)
  end
  private_class_method :write
end

bus = Events::Bus.instance
bus.subscribe(Printer.new)
bus.subscribe { |event| Audit.log(event) }
bus.subscribe(Audit.method(:log))

order = Order.new(Line.new("pen", 2), Line.new("ink", 3))
order.each_line { |line| puts line.text }.total
Events::Bus.publish("ordered", order)

case order
when Order then order.summary
end

total = [order].map { |o| o.total }.first
handler = total ? :summary : :total
order.public_send(handler)
order.public_send(:total)
