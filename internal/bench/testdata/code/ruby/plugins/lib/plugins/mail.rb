require_relative "base"

module Plugins
  class Mail < Base
    tag :slow

    def initialize(to)
      @to = to
    end

    def configure
      super
      @transport = Transport.open(@to)
    end

    def send_out(text)
      @transport.write(text)
    end

    class Transport
      class << self
        def open(to)
          new(to).connect
        end
      end

      def initialize(to)
        @to = to
      end

      def connect
        self
      end

      def write(text)
        text
      end
    end
  end

  class Sms < Base
    tag :fast
    tag :short

    def wrap(message)
      super(shorten(message))
    end

    def send_out(text) = text

    private

    def shorten(message) = message[0, 10]
  end
end
