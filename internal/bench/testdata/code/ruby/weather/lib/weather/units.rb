# frozen_string_literal: true

module Weather
  # Conversions, callable on the module and where it is included.
  module Units
    module_function

    def celsius(value)
      round((value - 32) / 1.8)
    end

    def round(value)
      value.round(1)
    end
  end

  module Degrees
    refine Numeric do
      def to_celsius
        Units.celsius(self)
      end
    end
  end

  class Reading
    include Comparable

    attr_reader :station, :value

    def initialize(station, value)
      @station = station
      @value = value
    end

    def <=>(other)
      value <=> other.value
    end

    def +(other)
      self.class.new(station, value + other.value)
    end

    def to_s
      "#{label}: #{value}"
    end

    def label
      station.name
    end
  end
end
