module Plugins
  module Tagged
    def self.included(base)
      base.extend(ClassMethods)
    end

    module ClassMethods
      def tag(name)
        tags << name
      end

      def tags
        @tags ||= []
      end
    end

    def tag_line
      self.class.tags.join(",")
    end
  end

  module Timed
    def deliver(message)
      started
      super
    end

    def started
      clock
    end

    private

    def clock = 0
  end

  class Base
    include Tagged
    prepend Timed

    def self.create(*args)
      new(*args).prepare
    end

    def prepare
      configure
      self
    end

    def configure; end

    def deliver(message)
      send_out(wrap(message))
    end

    def wrap(message)
      "#{tag_line}: #{message}"
    end

    def send_out(text)
      raise NotImplementedError
    end
  end
end
