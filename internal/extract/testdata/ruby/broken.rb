class Half
  def first(
    go
  end

  def second
    stop(1
  end

  def third; fine; end

  x = = 3
  @ = 4
  def; end
  attr_reader
  alias
  include
  class << 
  "#{unclosed
