def even?(n) = n.even?
def show(n) = puts(n)
def weigh(w) = w

class Word
  def initialize(s)
    @s = s
  end

  def length = @s.length
  def long? = length > 3
end

[1, 2].select(&method(:even?)).each(&method(:show))
words = [Word.new("a"), Word.new("b")]
words.select(&:long?).map(&:length)
words.sort_by(&:length).first.long?
words.group_by { |w| w.length }.each { |len, list| list.first.long? }
words.partition { |w| w.long? }
words.max_by { |w| weigh(w) }
square = ->(x) { weigh(x) }
[1].map(&square)
both = method(:even?) >> method(:show)
both.call(1)
words.each_slice(2) { |pair| pair.first.length }
words.zip([1]).each { |w, n| w.long? }
