package calls

import (
	"fmt"
	str "strings"
)

type node struct {
	next  *node
	visit func(*node)
	kids  []*node
	byKey map[string]*node
	queue chan *node
}

func (n *node) walk(depth int) *node { return n }

func plain() {
	helper(1, "two", nil)
	(helper)(2, "x", 'r')
	fmt.Println(str.ToUpper("a"), fmt.Sprint(1.5, true))
	func(x int) { helper(x, "", nil) }(3)
	go worker(func() { plain() })
	defer func() { recover() }()
}

func members(n *node, fmt fmtLike) {
	n.walk(1).walk(2)
	n.next.next.walk(3)
	n.visit(n)
	n.kids[0].walk(4)
	n.byKey["a"].walk(5)
	(*n).walk(6)
	(&node{}).walk(7)
	fmt.Println("a parameter, not the package")
	node.walk(*n, 8)
	(*node).walk(n, 9)
	walk := n.walk
	walk(10)
	(<-n.queue).walk(11)
}

func indirect(fs []func(int) int, byName map[string]func(), name string, p *func()) {
	fs[0](1)
	fs[len(fs)-1](2)
	byName["a"]()
	byName[name]()
	(*p)()
	maker()()
	maker()
}

func generics() {
	one[int](1)
	two[int, string](1, "a")
	one[str.Builder](str.Builder{})
	pkg := holder[int]{}
	pkg.get[string]("x")
	str.Map[rune](nil)
	instance := one[[]byte]
	instance(nil)
	Pair[int, string]{}.swap()
}

func conversions(x any, n node) {
	_ = string(rune(helper(0, "", nil)))
	_ = []byte("text")
	_ = node(n).walk(1)
	_ = (*node)(nil).walk(2)
	x.(*node).walk(3)
	x.(interface{ walk(int) *node }).walk(4)
	made := make(map[string]*node, helper(5, "", nil))
	made["a"].walk(5)
	fresh := new(node)
	fresh.walk(6)
	more := append(n.kids, fresh, &node{})
	more[1:][0].walk(7)
	len(more)
	counted := new(n.walk(8))
	counted.walk(9)
	_ = new(helper(10, "", nil))
}

func shadowed() {
	string := func(x int) int { return x }
	string(1)
	new := maker
	new()
}

func literals() {
	_ = node{next: &node{visit: func(n *node) { n.walk(1) }}, kids: []*node{{next: nil}, {}}}
	_ = map[string][]node{"a": {{visit: visit}}, key(): {}}
	_ = [...]int{2: helper(1, "", nil), limit: 3}
	_ = map[node]string{{next: nil}: "x"}
	_ = [][]node{{{visit: visit}}}
	_ = struct{ f func() }{f: plain}
	for range []int{helper(1, "", nil)} {
	}
}
