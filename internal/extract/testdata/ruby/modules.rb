# Tools.
module Tools
  module_function

  def helper(x)
    twice(x)
  end

  def twice(x) = x * 2
end

module Named
  def self.included(base)
    base.extend(ClassMethods)
  end

  module ClassMethods
    def label = name
  end
end

module Self
  extend self

  def run
    Tools.helper(1)
    Tools::twice(2)
    ::Tools.helper(3)
    Outer::Deep.call
    Outer::Deep::LIMIT
  end
end

module Picked
  def one; end
  def two; end
  module_function :one
  private_class_method :two
end

class Report
  extend Forwardable
  def_delegators :@rows, :size, :each
  def_delegator :@rows, :first, :top
  delegate :title, to: :source

  define_method(:zip) { |other| pair(other) }
  %i[a b].each { |n| define_method(n) { n } }
end

include Tools

def top_level(a, (b, c), *)
  helper(a)
  b
end

$log = Logger.new
top_level 1, [2, 3]

module Described # not about First
  # First is described.
  class First
    # rubocop:disable Metrics/All
    # Does a.
    def a; end

    # Does b.
    def b; end
  end

  class Second

    # Far from c.

    def c; end

    class << self
      # Makes one.
      def make; end
    end
  end

  Point = Struct.new(:x) do
    # Doubles it.
    def double; end
  end
end
