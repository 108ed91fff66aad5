class Engine
  def start = warm
  def warm = 1
end

class Radio
  attr_accessor :station

  def play
    station.name
  end
end

class Station
  def name = "x"
end

class Car
  attr_reader :engine, :radio

  def initialize(engine)
    @engine = engine
    @radio = Radio.new
  end

  def drive
    engine.start
    @radio.play
    tires.check
  end

  def tires
    @tires ||= Tires.new
  end
end

class Tires
  def check = 4
end

car = Car.new(Engine.new)
car.radio.station = Station.new
car.drive
car.engine.warm
car.tires.check
