class Commands
  TABLE = {
    "add" => :add,
    "del" => :delete
  }.freeze

  def run(name, x)
    send(TABLE.fetch(name), x)
  end

  def add(x) = x
  def delete(x) = -x
end

def up(x) = x + 1
def down(x) = x - 1
def other(x) = x

ops = { up: method(:up), "down" => method(:down) }
ops[:up].call(1)
ops.fetch("down").call(2)
ops.each { |name, op| op.call(3) }
nested = { math: { any: ->(x) { other(x) } } }
nested[:math][:any].call(4)
nested.dig(:math, :any).call(5)
ops.transform_values { |op| op.call(6) }
Commands.new.run("add", 1)
