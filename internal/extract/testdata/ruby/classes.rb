require "json"
require_relative "shapes/base"
autoload :Late, "shapes/late"
require File.join(__dir__, "dynamic")

# A shape with a name.
class Shape < Base::Thing
  include Comparable
  extend Builders, Other::Tools
  prepend Logged

  KINDS = %w[round square].freeze
  Pair = Struct.new(:left, :right) do
    def swap = Pair.new(right, left)
  end
  Broken = Class.new(StandardError)
  Size = Data.define(:width, :height)

  attr_accessor :name, :colour
  attr_reader "area" # not a doc of initialize
  @@count = 0
  @registry = {}

  # Makes one.
  def initialize(name, colour = "red", *rest, size:, style: default_style, **options, &block)
    super(name)
    @name = name
    @store = nil
    @store = Store.new(size)
    @cache ||= Cache.new
    @left, @right = split(name)
    self.colour = colour
    @@count += 1
  end

  def self.build(*args) = new(*args)

  def Shape.other
    build
  end

  class << self
    attr_accessor :registry

    def make
      registry.fetch(:x) { new("made", size: 1) }
    end

    private

    def quiet; end
  end

  def <=>(other)
    name <=> other.name
  end

  def name=(value)
    @name = value.to_s
  end

  alias title name
  alias_method :label, :title

  protected

  def guarded = @store.load

  private

  def secret
    guarded
  end

  public def shown; secret; end

  def also; end
  private :also
  private attr_reader :hidden
end

# Opened again.
class Shape
  def later; super; end
end

class Outer::Inner < Struct.new(:a, :b)
  def sum
    a + b
  end
end

Shape.class_eval do
  def patched = later
end

Shape.include(Extra)

def Shape.outside(x) = x
