# frozen_string_literal: true

module Weather
  module Catalog
    class << self
      def register(type)
        types[key(type)] = type
      end

      def build(kind, name)
        types.fetch(kind).new(name)
      end

      def rules(&block)
        Rules.new.instance_eval(&block)
      end

      private

      def types
        @types ||= {}
      end

      def key(type)
        type.name.downcase
      end
    end

    class Rules
      def initialize
        @checks = Hash.new { |hash, name| hash[name] = [] }
      end

      def rule(name, &check)
        @checks[name] << check
        self
      end

      def otherwise(handler)
        @handler = handler
        self
      end

      def apply(reading)
        @checks.each_value do |checks|
          checks.each { |check| verdict(check.call(reading)) }
        end
        @handler.call(reading)
      end

      def verdict(result)
        result ? :ok : :bad
      end
    end
  end
end
