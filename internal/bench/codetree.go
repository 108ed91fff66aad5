package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	// perPackage is how many files a folder of the generated project has.
	perPackage = 20
	// needed is how many others a package imports.
	needed = 3
)

// codeTree is a generated project in Go: packages that import each other, types
// with methods, functions that call within the package and across.
type codeTree struct {
	root  string
	files int
}

func newTree(root string, files int) *codeTree { return &codeTree{root, files} }

func (t *codeTree) write() error {
	if err := os.MkdirAll(t.root, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.root, "go.mod"), []byte("module example.org/tree\n\ngo 1.26\n"), 0o644); err != nil {
		return err
	}
	for i := range t.files {
		if _, err := t.put(i, "", ""); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file: param is one more parameter of its function, body one more
// line of it.
func (t *codeTree) put(i int, param, body string) (string, error) {
	path := filepath.Join(t.root, fmt.Sprintf("pkg%d", i/perPackage), fmt.Sprintf("file%d.go", i))
	if i%perPackage == 0 {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
	}
	return path, os.WriteFile(path, []byte(t.source(i, param, body)), 0o644)
}

func (t *codeTree) source(i int, param, body string) string {
	pkg := i / perPackage
	var b strings.Builder
	fmt.Fprintf(&b, "// Package pkg%d is a part of the tree.\npackage pkg%[1]d\n\nimport (\n\t\"fmt\"\n", pkg)
	others := map[int]bool{}
	for k := 1; k <= needed && k <= pkg; k++ {
		other := pkg - 1 - (pkg*k*7+k)%min(pkg, 2*perPackage)
		if !others[other] {
			others[other] = true
			fmt.Fprintf(&b, "\t\"example.org/tree/pkg%d\"\n", other)
		}
	}
	b.WriteString(")\n\n")
	next := pkg*perPackage + (i+1)%perPackage
	if next >= t.files {
		next = pkg * perPackage
	}
	fmt.Fprintf(&b, `// Store%[1]d keeps numbers by name.
type Store%[1]d struct {
	names map[string]int
	next  *Store%[2]d
}

// NewStore%[1]d makes an empty one.
func NewStore%[1]d() *Store%[1]d {
	return &Store%[1]d{names: map[string]int{}}
}

// Put keeps a number and hands it on.
func (s *Store%[1]d) Put(name string, n int) error {
	if name == "" {
		return fmt.Errorf("no name for %%d", n)
	}
	s.names[name] = n
	if s.next != nil {
		return s.next.Put(name, n+1)
	}
	return nil
}

// Sum adds up what is kept.
func (s *Store%[1]d) Sum() (total int) {
	for _, n := range s.names {
		total += n
	}
	return total
}

// Run%[1]d fills a store and its neighbours.
func Run%[1]d(n int%[3]s) int {
	s := NewStore%[1]d()
	for i := range n {
		if err := s.Put(fmt.Sprint(i), i); err != nil {
			return 0
		}
	}
%[4]s	if n > 10 {
		return Run%[2]d(n / 2)
	}
`, i, next, param, body)
	for other := range pkg {
		if others[other] {
			fmt.Fprintf(&b, "\tn += pkg%d.Run%d(n)\n", other, other*perPackage+i%perPackage)
		}
	}
	b.WriteString("\treturn s.Sum() + n\n}\n")
	return b.String()
}

// which is the file that is saved the nth time.
func (t *codeTree) which(n int) int { return (n*617 + 41) % t.files }

func (t *codeTree) saveBody(n int) (string, error) {
	return t.put(t.which(n), "", fmt.Sprintf("\tn += s.Sum() * %d\n", n+2))
}

func (t *codeTree) saveSignature(n int) (string, error) {
	return t.put(t.which(n+t.files/2), fmt.Sprintf(", more%d ...string", n), "")
}
