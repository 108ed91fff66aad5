package resolve

import (
	"slices"
	"testing"
)

func TestRubyCalls(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{
			name: "methods are looked up on self, then at the top; a local variable is no call",
			files: map[string]string{"a.rb": `
def help; end
class A
  def run
    help
    own
    size = 1
    size
    other
  end
  def own; end
end
own = 1
own
help`},
			want: []string{"A.run -> help [file]", "A.run -> A.own [self]", "A.run -> other (loose)", "<module> -> help [file]"},
		},
		{
			name: "signs and setters are methods, of types that have them",
			files: map[string]string{"v.rb": `
class V
  def [](i) = i
  def []=(i, v); end
  def -@ = self
  def *(n) = self
  def n = 1
  def n=(v); end
end
v = V.new
v[0]
v[1] = 2
-v
v * 2
v.n += 1
list = [1]
list[0]
list[1] = 2`},
			want: []string{
				"<module> -> V [constructor]", "<module> -> V.[] [receiver]", "<module> -> V.[]= [receiver]", "<module> -> V.-@ [receiver]",
				"<module> -> V.* [receiver]", "<module> -> V.n [receiver]", "<module> -> V.n= [receiver]",
			},
		},
		{
			name: "an alias is what there was before it, and a call with arguments no variable",
			files: map[string]string{"a.rb": `
class A
  def go = 1
end
class B < A
  alias old go
  def go = old
end
def size(n) = n
def run(size)
  size(1)
end
handlers = { "a" => :go }
B.new.send(handlers["a"])`},
			want: []string{"B.go -> A.go [self]", "run -> size [file]", "<module> -> B [constructor]", "<module> -> B.go [value]"},
		},
		{
			name: "methods of the class and of its instances have the same names",
			files: map[string]string{"s.rb": `
class S
  def self.open; new.open; end
  def open; close; end
  def close; self.class.close; end
  class << self
    def close; open; end
  end
end
S.open
S.new.open`},
			want: []string{"S.open -> S [constructor]", "S.open -> S.open [receiver]", "S.open -> S.close [self]", "S.close -> S.close [qualified]",
				"S.close -> S.open [self]", "<module> -> S.open [qualified]", "<module> -> S.open [receiver]", "<module> -> S [constructor]", "S.close -> <self>.class (loose)"},
		},
		{
			name: "constants by the modules around, ancestors and the top",
			files: map[string]string{
				"a.rb": "module M\n  class A\n    def f = B.new.go\n    def g = ::B.new.go\n    def h = C.run\n  end\n  class B\n    def go; end\n  end\nend",
				"b.rb": "class B\n  def go; end\nend\nclass Base\n  module C\n    def self.run; end\n  end\nend",
				"c.rb": "class M::A < Base\n  LIMIT = B.new\n  def k = LIMIT.go\n  def x = Missing.call\nend",
			},
			want: []string{"M.A.f -> M.B [constructor]", "M.A.f -> M.B.go [receiver]", "M.A.g -> B [constructor]", "M.A.g -> B.go [receiver]", "M.A.h -> Base.C.run [qualified]",
				"<module> -> B [constructor]", "M.A.k -> B.go [receiver]", "M.A.x -> Missing.call (outside)"},
		},
		{
			name: "ancestors: prepended, own, included, above",
			files: map[string]string{"m.rb": `
module Log
  def run; note; super; end
  def note; end
end
module Helper
  def help; need; end
end
class Base
  def run; end
  def need; end
end
class Job < Base
  prepend Log
  include Helper
  def run; help; super; end
end
Job.new.run`},
			want: []string{"Log.run -> Log.note [self]", "Log.run -> Job.run [self]", "Helper.help -> Base.need [self]", "Job.run -> Helper.help [self]",
				"Job.run -> Base.run [self]", "<module> -> Job [constructor]", "<module> -> Log.run [receiver]"},
		},
		{
			name: "what extends a class, and what extends what includes it",
			files: map[string]string{"e.rb": `
module Finders
  def find; all; end
end
module Hooks
  def self.included(base); base.extend(ClassMethods); end
  module ClassMethods
    def hook; end
  end
end
module Util
  extend self
  def clean; strip; end
  def strip; end
end
module Fn
  module_function
  def twice; once; end
  def once; end
end
class User
  extend Finders
  include Hooks
  hook
  def self.all; end
end
User.find
Util.clean
Fn.twice`},
			want: []string{"Finders.find -> User.all [self]", "<module> -> Hooks.ClassMethods.hook [self]", "Util.clean -> Util.strip [self]", "Fn.twice -> Fn.once [self]",
				"<module> -> Finders.find [qualified]", "<module> -> Util.clean [qualified]", "<module> -> Fn.twice [qualified]"},
		},
		{
			name: "blocks, procs and methods as values",
			files: map[string]string{"b.rb": `
def each_twice
  yield 1
end
def keep(&block)
  block.call(2)
  each_twice(&block)
end
def show(x); end
keep { |x| show(x) }
each_twice(&method(:show))
f = ->(x) { show(x) }
f.call(1)
f.(2)
{ a: method(:show) }[:a].call(3)
send(:show, 4)`},
			want: []string{"each_twice -> <lambda1> [value]", "each_twice -> show [value]", "keep -> <lambda1> [value]", "keep -> each_twice [file]",
				"<lambda1> -> show [file]", "<lambda2> -> show [file]", "<module> -> keep [file]", "<module> -> each_twice [file]",
				"<module> -> <lambda2> [value]", "<module> -> show [value]", "<module> -> show [file]"},
		},
		{
			name: "instance variables, attributes and collections hold what is put into them",
			files: map[string]string{"i.rb": `
class Item
  attr_reader :tag
  def initialize(tag); @tag = tag; end
  def go; end
end
class Tag
  def print; end
end
class Box
  attr_accessor :one
  def initialize
    @all = []
    @by = {}
    self.one = Item.new(Tag.new)
  end
  def add(item)
    @all << item
    @by[:x] = item
    self
  end
  def run
    one.go
    one.tag.print
    @all.each { |i| i.go }
    @by.fetch(:x).go
    @all.map { |i| i.tag }.each(&:print)
    @all.first.go
  end
end
Box.new.add(Item.new(Tag.new)).run`},
			want: []string{"Box.initialize -> Item.initialize [constructor]", "Box.initialize -> Tag [constructor]", "Box.run -> Item.go [receiver]", "Box.run -> Tag.print [receiver]",
				"Box.run -> Box.run.<lambda1> [value]", "Box.run -> Box.run.<lambda2> [value]",
				"Box.run.<lambda1> -> Item.go [receiver]", "<module> -> Box.initialize [constructor]", "<module> -> Box.add [receiver]", "<module> -> Box.run [receiver]",
				"<module> -> Item.initialize [constructor]", "<module> -> Tag [constructor]",
				"Box.run -> <builtin>.dict.fetch (outside)", "Box.run -> <builtin>.list.each (outside)", "Box.run -> <builtin>.list.first (outside)", "Box.run -> <builtin>.list.map (outside)"},
		},
		{
			name: "aliases and delegates are what they stand for, also in circles",
			files: map[string]string{"d.rb": `
class Queue2
  def push(x); end
end
class Jobs
  extend Forwardable
  def_delegators :@queue, :push
  def initialize; @queue = Queue2.new; end
  def first; end
  alias top first
  alias_method :head, :top
  alias ping pong
  alias pong ping
  def run; push(1); head; ping; end
end`},
			want: []string{"Jobs.initialize -> Queue2 [constructor]", "Jobs.run -> Queue2.push [self]", "Jobs.run -> Jobs.first [self]", "Jobs.run -> ping (loose)"},
		},
		{
			name: "a method that only raises is for those below",
			files: map[string]string{"r.rb": `
class Shape
  def draw; area; end
  def area; raise NotImplementedError; end
end
class Dot < Shape
  def area; end
end`},
			want: []string{"Shape.draw -> Dot.area [self]", "Shape.area -> raise (outside)"},
		},
		{
			name: "structs are made with what their members hold",
			files: map[string]string{"t.rb": `
class Engine
  def start; end
end
Car = Struct.new(:engine) do
  def drive; engine.start; end
end
Car.new(Engine.new).drive`},
			want: []string{"Car.drive -> Engine.start [receiver]", "<module> -> Car [constructor]", "<module> -> Engine [constructor]", "<module> -> Car.drive [receiver]"},
		},
		{
			name: "circles of inheritance and inclusion end",
			files: map[string]string{"c.rb": `
class A < B
  def f; g; end
end
class B < A
  def g; none; end
end
module X
  include X
  def h; h; end
end`},
			want: []string{"A.f -> B.g [self]", "B.g -> none (loose)", "X.h -> X.h [self]"},
		},
		{
			name: "a block may be run with another self",
			files: map[string]string{"s.rb": `
class Menu
  def self.build(&block)
    menu = new
    menu.instance_exec(Dish.new, &block)
    menu
  end
  def add(dish); end
end
class Dish
  def name; end
end
def add(x); end
Menu.build do |dish|
  add(dish)
  dish.name
end`},
			want: []string{"Menu.build -> Menu [constructor]", "Menu.build -> Dish [constructor]", "Menu.build -> <lambda1> [value]",
				"<module> -> Menu.build [qualified]", "<lambda1> -> Menu.add [self]", "<lambda1> -> Dish.name [receiver]"},
		},
		{
			name:  "the library's own",
			files: map[string]string{"l.rb": "puts 1\nFile.read('x')\nArray.new\nx.strange\nclass Array\n  def second; end\nend"},
			want:  []string{"<module> -> puts (outside)", "<module> -> File.read (outside)", "<module> -> Array (outside)", "<module> -> x (loose)", "<module> -> x().strange (loose)"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { wantCalls(t, program(t, tc.files), tc.want...) })
	}
}

// TestRubyProgramsBesideEachOther: classes of one name in several programs are
// each program's own.
func TestRubyProgramsBesideEachOther(t *testing.T) {
	src := "class Node\n  def initialize; link; end\n  def link; end\nend\nn = Node.new\nn.link"
	p := load(t, map[string]string{"a.rb": src, "b.rb": src, "c.rb": src})
	for _, path := range []string{"a.rb", "b.rb", "c.rb"} {
		if got := len(p.Edges(path)); got != 3 {
			t.Errorf("%s has %d edges: %v", path, got, p.Edges(path))
		}
		for _, e := range p.Edges(path) {
			if e.To.File != path {
				t.Errorf("%s calls into %s", path, e.To.File)
			}
		}
	}
}

// TestRubyRequiresReachFiles: a relative one is the file beside, others end as
// they say.
func TestRubyRequiresReachFiles(t *testing.T) {
	p := load(t, map[string]string{
		"bin/run.rb": "require_relative '../lib/app'\nrequire 'app/core'\nrequire 'json'\nrequire_relative 'gone'", "lib/app.rb": "", "lib/app/core.rb": "",
	})
	var got []string
	for _, l := range p.Imports("bin/run.rb") {
		got = append(got, l.File+l.External)
	}
	if want := []string{"lib/app.rb", "lib/app/core.rb", "json", "gone"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
