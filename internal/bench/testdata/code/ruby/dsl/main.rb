require_relative "config"

def positive(value) = value.positive?

root = Config::Section.define("app") do |app|
  app.option(:port, default: 80) { |value| positive(value) }
  app.section("log") do |log|
    log.option(:level)
  end
end

begin
  option = root.fetch(:port)
  puts root.dump
rescue Config::Error => e
  warn e.describe
ensure
  root.each_option { |each| each.set(1) }
end

class Overrides < Config::Section
  LOADERS = {
    env: ->(section) { section.dump },
    file: proc { |section| section.each_option }
  }.freeze

  def load_from(kind)
    LOADERS.fetch(kind).call(self)
  end

  def build(&body)
    super(&body)
    apply
  end

  private

  def apply
    %i[env file].each { |kind| load_from(kind) }
  end

  def method_missing(name, *args)
    option(name)
  end

  def respond_to_missing?(*) = true
end

Overrides.define("over") { |section| section.option(:a) }
