module Greets
  def greet = "#{title} #{name}"
  def title = "Ms"
end

module Finders
  def find(id)
    build(id)
  end
end

module Loud
  def greet
    super.upcase + mark
  end

  def mark = "!"
end

class Person
  include Greets
  extend Finders
  prepend Loud

  def self.build(id) = new
  def name = "x"
end

Person.find(1).greet
guest = Person.new
guest.extend(Finders)
obj = Object.new
obj.extend(Greets)
obj.title
