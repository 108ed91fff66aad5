class Pipeline
  attr_writer :finish

  def self.build
    pipeline = new
    yield pipeline
    pipeline.process("built")
  end

  def initialize
    @steps = []
    @finish = default
  end

  def step(&block)
    @steps << block
    self
  end

  def process(text)
    @steps.each { |step| text = step.call(text) }
    complete(text)
  end

  def complete(text)
    @finish.call(text)
  end

  def retrying(times, &block)
    attempt(&block)
  rescue StandardError
    retrying(times - 1, &block) if times.positive?
  end

  def attempt
    yield self
  end

  define_method(:again) do |text|
    retrying(2) { |pipeline| pipeline.process(text) }
  end

  private

  def default
    ->(text) { text }
  end
end
