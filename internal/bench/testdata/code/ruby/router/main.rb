module Routing
  def self.included(base)
    base.extend(DSL)
  end

  module DSL
    def routes = @routes ||= {}

    def get(path, &handler)
      routes["GET #{path}"] = handler
    end

    def post(path, to:)
      routes["POST #{path}"] = to
    end
  end

  def dispatch(verb, path)
    handler = self.class.routes["#{verb} #{path}"]
    case handler
    when Symbol then send(handler)
    when nil then not_found
    else instance_exec(&handler)
    end
  end

  def not_found = 404
end

class App
  include Routing

  get("/") { index }
  get("/about") { render(:about) }
  post "/items", to: :create

  def index = render(:index)
  def create = save(Item.new)

  def save(item)
    item.valid? && item.store
  end

  def render(name)
    Template[name].result
  end
end

class Item
  def valid? = true

  def store
    self.class.all << self
  end

  class << self
    def all = @all ||= []
  end
end

class Template
  CACHE = {}

  def self.[](name)
    CACHE[name] ||= new(name)
  end

  def initialize(name)
    @name = name
  end

  def result = @name.to_s
end

app = App.new
app.dispatch("GET", "/")
app.dispatch("POST", "/items")
