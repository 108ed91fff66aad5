module Plugins
  class Queue
    def initialize
      @messages = []
    end

    def push(message)
      @messages << message
      trim
    end

    def drain
      @messages.each { |message| log(message) }
      @messages.clear
    end

    private

    def trim
      drain if @messages.size > 10
    end

    def log(message)
      puts message
    end
  end
end
