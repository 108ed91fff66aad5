require_relative "plugins/base"
require_relative "plugins/mail"
require_relative "plugins/queue"

module Plugins
  Entry = Struct.new(:name, :plugin) do
    def call(message)
      plugin.deliver(message)
    end
  end

  class Registry
    extend Forwardable

    def self.instance
      @instance ||= new
    end

    def initialize
      @entries = {}
      @queue = Queue.new
    end

    def_delegators :@queue, :push, :drain

    def register(name, plugin)
      @entries[name] = Entry.new(name, plugin)
    end

    def dispatch(name, message)
      entry = @entries.fetch(name) { return missing(name) }
      push(message)
      entry.call(message)
    end

    def missing(name)
      Plugins.warn_about(name)
    end
  end

  def self.warn_about(name)
    Kernel.warn(name)
  end
end

class Plugins::Registry
  def reset
    initialize
    drain
  end

  alias clear reset
end

registry = Plugins::Registry.instance
registry.register(:mail, Plugins::Mail.create("me"))
registry.register(:sms, Plugins::Sms.new)
registry.dispatch(:mail, "hello")
registry.clear
