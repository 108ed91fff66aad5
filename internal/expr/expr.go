// Package expr has regular expressions that are compiled when they are first
// asked. All roles of chitta are one binary, so whatever a package compiles when
// it is set up, every command pays for. It adds nothing else to regexp.
//
// [New] is its only entry. A source that does not compile panics at first use.
package expr

import (
	"regexp"
	"sync"
)

// Expr is a regular expression.
type Expr struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

// New returns the expression of a source, which is not looked at yet.
func New(source string) *Expr { return &Expr{source: source} }

func (e *Expr) get() *regexp.Regexp {
	e.once.Do(func() { e.re = regexp.MustCompile(e.source) })
	return e.re
}

// MatchString is that of [regexp.Regexp], and so are the others.
func (e *Expr) MatchString(s string) bool { return e.get().MatchString(s) }

func (e *Expr) FindString(s string) string { return e.get().FindString(s) }

func (e *Expr) FindStringIndex(s string) []int { return e.get().FindStringIndex(s) }

func (e *Expr) FindStringSubmatch(s string) []string { return e.get().FindStringSubmatch(s) }

func (e *Expr) FindAllStringSubmatch(s string, n int) [][]string {
	return e.get().FindAllStringSubmatch(s, n)
}

func (e *Expr) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return e.get().FindAllStringSubmatchIndex(s, n)
}

func (e *Expr) ReplaceAllString(s, to string) string { return e.get().ReplaceAllString(s, to) }
