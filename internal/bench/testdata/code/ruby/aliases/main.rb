class Store
  def find(id) = load(id)
  alias lookup find
  alias_method :get, :find

  def load(id) = id

  class << self
    def open = new
    alias start open
  end
end

class Cached < Store
  alias original_find find

  def find(id)
    original_find(id)
  end
end

def old_name = 1
alias new_name old_name

store = Store.new
store.lookup(1)
store.get(2)
Store.start
Cached.new.find(3)
new_name
Db = Store
Db.new.load(4)
