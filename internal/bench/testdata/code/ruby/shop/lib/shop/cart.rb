require_relative "pricing"

module Shop
  class Cart
    include Pricing
    include Enumerable

    attr_accessor :name

    def initialize(name = "none")
      self.name = name
      @items = []
      @log = Log.new(self)
    end

    def add(item)
      @items << item.validate!
      @log.note("added")
      self
    end

    def each(&block)
      @items.each(&block)
    end

    def total
      reduce_price(raw) + fee
    end

    def name=(value)
      @name = clean(value)
    end

    private

    def raw
      @items.sum { |item| item.price }
    end

    def clean(text)
      Util.squish(text)
    end

    class Log
      def initialize(cart)
        @cart = cart
      end

      def note(text)
        entries << "#{@cart.name}: #{text}"
      end

      def entries
        @entries ||= []
      end
    end
  end

  module Util
    module_function

    def squish(text)
      strip(text)
    end

    def strip(text) = text.strip
  end
end
