// Package stage runs functions one after another.
package stage

// Func is a stage.
type Func func(int) int

// Option sets up a pipeline.
type Option func(*Pipeline)

// Pipeline is a list of stages.
type Pipeline struct {
	name   string
	stages []Func
	hook   func(int)
	before []func()
}

// New makes a pipeline.
func New(options ...Option) *Pipeline {
	p := &Pipeline{}
	for _, o := range options {
		o(p)
	}
	p.before = append(p.before, p.check)
	return p
}

// WithName names it.
func WithName(name string) Option {
	return func(p *Pipeline) { p.setName(name) }
}

// WithHook has f called at the end.
func WithHook(f func(int)) Option {
	return func(p *Pipeline) { p.hook = f }
}

func (p *Pipeline) setName(name string) { p.name = name }

func (p *Pipeline) check() {}

// Add adds a stage.
func (p *Pipeline) Add(f Func) *Pipeline {
	p.stages = append(p.stages, f)
	return p
}

// Run runs all.
func (p *Pipeline) Run(n int) int {
	for _, b := range p.before {
		b()
	}
	for _, s := range p.stages {
		n = s(n)
	}
	if p.hook != nil {
		p.hook(n)
	}
	return p.finish(n)
}

func (p *Pipeline) finish(n int) (result int) {
	defer func() { result = Increment(result) }()
	return n
}

// Increment is a stage.
func Increment(n int) int { return n + 1 }
