require "singleton"

module Events
  module Observable
    def subscribe(listener = nil, &block)
      listeners << (listener || block)
    end

    def publish(event)
      listeners.each { |listener| deliver(listener, event) }
      published(event)
    end

    def published(event); end

    private

    def deliver(listener, event)
      listener.call(event)
    end

    def listeners
      @listeners ||= []
    end
  end

  Event = Struct.new(:name, :payload) do
    def describe
      "#{name}: #{detail}"
    end

    def detail
      payload.summary
    end
  end

  class Bus
    include Singleton
    include Observable

    def self.publish(*args)
      instance.publish(Event.new(*args))
    end

    def published(event)
      counter.increment
      super
    end

    def counter
      @counter ||= Counter.build
    end
  end

  class Counter
    @built = 0

    class << self
      attr_reader :built

      def build
        @built += 1
        allocate_one
      end

      private

      def allocate_one
        new
      end
    end

    def increment(by: step)
      @count = count + by
    end

    def count
      @count || 0
    end

    def step = 1
  end
end
