# frozen_string_literal: true

require_relative "units"

module Weather
  module Registered
    def inherited(subclass)
      super
      Catalog.register(subclass)
    end
  end

  module Traced
    def fetch(*args)
      trace(:before)
      result = super
      trace(:after)
      result
    end

    def trace(event)
      events << event
    end

    def events
      @events ||= []
    end
  end

  class Station
    extend Registered
    include Enumerable
    using Degrees

    attr_reader :name

    def self.open(name, **options)
      station = new(name, **options)
      yield station if block_given?
      station
    end

    def self.measures(*kinds)
      kinds.each do |kind|
        define_method("#{kind}?") { supports?(kind) }
      end
      define_method(:kinds) { normalise(kinds) }
    end

    def initialize(name, factor: 1)
      @name = name
      @factor = factor
      @readings = []
      setup
    end

    def setup; end

    def fetch
      raw.map { |value| record(value.to_celsius) }
    end

    def each(&block)
      @readings.each(&block)
      self
    end

    def warmest
      max_by { |reading| weight(reading) }
    end

    def record(value)
      Reading.new(self, value * @factor).tap { |reading| @readings << reading }
    end

    private

    def weight(reading)
      reading.value
    end

    def supports?(kind)
      kinds.include?(kind)
    end

    def normalise(kinds)
      kinds.map(&:to_sym)
    end

    def raw
      raise NotImplementedError
    end
  end

  class Airport < Station
    prepend Traced
    measures :wind, :rain

    def setup
      @source = Feed.new(self)
    end

    private

    def raw
      @source.read
    end
  end

  class Garden < Station
    def initialize(name)
      super(name, factor: 2)
    end

    private

    def raw = [50, 60]
  end

  class Feed
    def initialize(owner)
      @owner = owner
    end

    def read
      [@owner.name.size, default]
    end

    def method_missing(name, *args)
      return fallback(name) if name.start_with?("default")

      super
    end

    def respond_to_missing?(name, include_private = false)
      name.start_with?("default") || super
    end

    private

    def fallback(_name) = 70
  end
end
