package codebase

import "testing"

// TestTitle: every title says what encloses the symbol, and none says it twice.
func TestTitle(t *testing.T) {
	for _, tt := range []struct{ name, path, signature, want string }{
		{"put", "Store.put", "def put(self, order)", "Store.put  def put(self, order)"},
		{"put", "put", "def put(order)", "def put(order)"},
		{"Add", "Cart.Add", "func (c *Cart) Add(item string)", "func (c *Cart) Add(item string)"},
		{"Add", "Set.Add", "func (s *Set[T]) Add(v T)", "func (s *Set[T]) Add(v T)"},
		{"Add", "Cart.Add", "func (Cart) Add()", "func (Cart) Add()"},
		{"Price", "Priced.Price", "Price() int", "Priced.Price  Price() int"},
		{"<lambda1>", "Cart.Add.<lambda1>", "func (c *Cart) error", "Cart.Add.<lambda1>  func (c *Cart) error"},
		{"<lambda1>", "run.<lambda1>", "func()", "run.<lambda1>  func()"},
		{"put", "Store.put", "Store put(Store other)", "Store.put  Store put(Store other)"},
		{"add", "Cart::add", "void Cart::add(int n)", "void Cart::add(int n)"},
		{"RED", "Color.RED", "RED", "Color.RED"},
		{"x", "P.x", "", "P.x"},
		{"f", "f", "func f(a\nb\u202e)", "func f(a␊b\uFFFD)"},
		{"long", "T.long", "def long(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)", "T.long  def long(aaaaaaaaaaaaaaaaaaaaaaaaa…"},
	} {
		s := Symbol{Name: tt.name, Path: tt.path, Signature: tt.signature}
		if got := s.Title(42); got != tt.want {
			t.Errorf("%s: %q, not %q", tt.path, got, tt.want)
		}
	}
	for name, want := range map[string]string{"<builtin>.range": "range", "<builtin>.list.map": "list.map", "[].map": "list.map", "os.path.join": "os.path.join", "": ""} {
		if got := (&LooseCall{Name: name}).Title(); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}
