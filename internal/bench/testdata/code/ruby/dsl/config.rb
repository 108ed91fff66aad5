module Config
  class Error < StandardError
    attr_reader :key

    def initialize(key)
      @key = key
      super("bad key #{describe}")
    end

    def describe
      "<#{key}>"
    end
  end

  class Option
    include Comparable

    attr_reader :name
    attr_accessor :value

    def initialize(name, default: nil, &check)
      @name = name
      @value = default
      @check = check
    end

    def set(value)
      verify(value)
      @value = value
    end

    def <=>(other)
      sort_key <=> other.sort_key
    end

    def sort_key
      name.to_s
    end

    def to_s = "#{name}=#{shown}"

    private

    def verify(value)
      return unless @check
      raise Error.new(name) unless @check.call(value)
    end

    def shown
      value.nil? ? missing : value
    end

    def missing = "-"
  end

  class Section
    def self.define(name, &body)
      section = new(name)
      section.build(&body)
      section
    end

    def initialize(name, parent = nil)
      @name, @parent = name, parent
      @options = {}
      @sections = []
    end

    def build
      yield self
      freeze_all
    end

    def option(name, **settings, &check)
      @options[name] = Option.new(name, **settings, &check)
    end

    def section(name, &body)
      child = Section.new(name, self)
      child.build(&body)
      @sections << child
    end

    def [](name)
      @options.fetch(name) { lookup(name) }
    end

    def fetch(name)
      self[name]
    end

    def each_option
      return to_enum(:each_option) unless block_given?

      @options.each_value { |option| yield option }
      @sections.each { |child| child.each_option { |option| yield option } }
    end

    def dump
      lines = []
      each_option { |option| lines << option.to_s }
      lines.join("\n")
    end

    protected

    def lookup(name)
      raise Error, name unless @parent

      @parent.lookup(name)
    end

    private

    def freeze_all
      @options.each_value(&:sort_key)
    end
  end
end
