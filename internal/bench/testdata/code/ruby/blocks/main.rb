require_relative "pipeline"

def shout(text)
  text.upcase
end

def quiet(text) = text.downcase

def around(label)
  before(label)
  result = yield label
  after(result)
end

def before(label) = shout(label)
def after(result) = result

class Job
  attr_reader :name

  def initialize(name)
    @name = name
  end

  def run
    name
  end

  def to_proc
    method(:run).to_proc
  end
end

pipeline = Pipeline.new
pipeline.step { |text| shout(text) }
pipeline.step(&method(:quiet))
pipeline.finish = ->(text) { quiet(text) }
pipeline.process("a")

around("b") { |label| quiet(label) }

jobs = [Job.new("x"), Job.new("y")]
jobs.each { |job| job.run }
jobs.map(&:run)
jobs.first.send(:run)

twice = lambda { |text| shout(shout(text)) }
twice.call("c")
twice.("d")

handlers = { loud: method(:shout), soft: ->(text) { quiet(text) } }
handlers[:loud].call("e")
handlers[:soft].call("f")

make = proc { |name| Job.new(name) }
make.call("z").run

Pipeline.build do |built|
  built.step { |text| quiet(text) }
end
