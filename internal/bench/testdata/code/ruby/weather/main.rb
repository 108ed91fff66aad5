# frozen_string_literal: true

require_relative "lib/weather/station"
require_relative "lib/weather/catalog"

def hot?(reading)
  reading.value > 30
end

def report(reading)
  puts reading.to_s
end

airport = Weather::Station.open("plain") { |s| s.setup }
airport = Weather::Airport.open("LHR") do |station|
  station.fetch
end
garden = Weather::Garden.new("back")

rules = Weather::Catalog.rules do
  rule(:heat) { |r| hot?(r) }
  rule(:cold) { |r| !hot?(r) }
  otherwise method(:report)
end

[airport, garden].each do |station|
  station.fetch
  best = station.warmest
  rules.apply(best)
end

formats = {
  short: ->(r) { r.label },
  long: :to_s.to_proc
}
puts formats[:short].call(garden.record(3))
sum = airport.record(1) + garden.record(2)
sum.label
airport.kinds
Weather::Units.celsius(40)
