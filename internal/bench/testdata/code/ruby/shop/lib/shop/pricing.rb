module Shop
  module Pricing
    RATE = 2

    def reduce_price(amount)
      amount - Pricing.rate_for(amount)
    end

    def fee
      raw > 10 ? big_fee : RATE
    end

    def self.rate_for(amount)
      amount / RATE
    end

    private

    def big_fee
      10
    end
  end
end
