module Shop
  class Item
    include Comparable

    attr_reader :name, :price

    def initialize(name, price)
      @name = name
      @price = price
    end

    def self.parse(text)
      name, price = text.split(":")
      new(name, convert(price))
    end

    def self.convert(text)
      text.to_i
    end
    private_class_method :convert

    def <=>(other)
      rank <=> other.rank
    end

    def rank = price

    def discounted(rate)
      copy = dup_with(price - rate)
      copy.validate!
      copy
    end

    def validate!
      raise Invalid.new(name) if price.negative?
      self
    end

    class Invalid < StandardError
      def initialize(name)
        super("bad price of #{name}")
      end
    end

    private

    def dup_with(price)
      self.class.new(name, price)
    end
  end

  class Bundle < Item
    def initialize(name, *items)
      super(name, sum(items))
      @items = items
    end

    def rank
      super + 1
    end

    def validate!
      @items.each(&:validate!)
      super
    end

    private

    def sum(items)
      items.map(&:price).inject(0) { |total, price| total + price }
    end
  end
end
