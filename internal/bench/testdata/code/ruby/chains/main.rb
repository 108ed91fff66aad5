class Query
  def where(x)
    add(x)
    self
  end

  def limit(n)
    tap { |q| q.add(n) }
  end

  def add(x) = x

  def order(by)
    dup.add(by)
    clone
  end

  def to_a
    [Row.new]
  end

  def first = to_a.first
end

class Row
  def id = 1
  def parent = Row.new
end

Query.new
  .where(1)
  .limit(2)
  .order(:a)
  .first
  .id
Query.new.where(2)&.first&.parent.id
row = Query.new.to_a.last.then { |r| r.parent }
row.id
Query.new.to_a.sort_by { |r| r.id }.map(&:parent).first.id
