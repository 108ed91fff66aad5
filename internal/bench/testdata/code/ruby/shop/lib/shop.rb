require_relative "shop/item"
require_relative "shop/cart"
require_relative "shop/pricing"

module Shop
  DEFAULT = Cart.new

  def self.open(name)
    Cart.new(name).tap { |cart| cart.add(Item.parse("pen:2")) }
  end

  def self.report(cart)
    printer.line(cart.total)
  end

  class << self
    attr_writer :printer

    def printer
      @printer ||= Printer.new
    end
  end

  class Printer
    def line(text)
      write(format(text))
    end

    private

    def format(text) = "#{prefix} #{text}"

    def prefix = ">"

    def write(text)
      $stdout.puts(text)
    end
  end
end
