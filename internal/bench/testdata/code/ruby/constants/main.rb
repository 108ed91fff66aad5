def shout(s) = s
def clean(s) = s

LOUD = ->(s) { shout(s) }
STEPS = [method(:clean), LOUD].freeze
DEFAULT = Struct.new(:name).new("x")
$hook = proc { |s| clean(s) }

class Registry
  HANDLERS = Hash.new { |h, k| h[k] = fallback(k) }
  ALL = {}

  def self.fallback(k) = k

  def self.register(name, &block)
    ALL[name] = block
  end

  def self.run(name)
    ALL[name].call(name)
  end
end

Registry.register(:a) { |n| shout(n) }
Registry.run(:a)
LOUD.call("a")
$hook.call("b")
STEPS.each { |s| s.call("c") }
STEPS.reduce("d") { |acc, s| s.(acc) }
