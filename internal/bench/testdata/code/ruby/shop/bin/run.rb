require_relative "../lib/shop"

def build
  cart = Shop.open("weekly")
  bundle = Shop::Bundle.new("set", Shop::Item.new("a", 1))
  cart.add(bundle).add(Shop::Item.parse("b:3"))
  cart
end

cart = build
Shop.report(cart)
Shop::DEFAULT.add(Shop::Item.new("c", 4).discounted(1))
puts cart.map(&:name)
puts Shop::Util.squish(" x ")
