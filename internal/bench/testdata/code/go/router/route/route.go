// Package route finds what handles a path.
package route

import (
	"context"
	"fmt"
)

// Handler answers.
type Handler interface {
	Serve(c *Context) error
}

// HandlerFunc is a function that answers.
type HandlerFunc func(c *Context) error

// Serve calls the function.
func (f HandlerFunc) Serve(c *Context) error { return f(c) }

// Middleware puts something around a handler.
type Middleware func(Handler) Handler

// Route is a name with its handler.
type Route struct {
	base
	handler Handler
}

type base struct{ prefix, name string }

// Name is the whole of it.
func (b base) Name() string { return b.prefix + "/" + b.name }

func (b *base) rename(prefix string) { b.prefix = clean(prefix) }

func clean(s string) string { return s }

// Check says what is wrong with a route.
func (r Route) Check() error {
	if r.handler == nil {
		return &CheckError{Route: r}
	}
	return nil
}

// CheckError is a route that cannot be.
type CheckError struct{ Route }

func (e *CheckError) Error() string { return "no handler: " + e.Name() }

// Context is one request.
type Context struct {
	context.Context
	path string
	out  []string
}

// Path is what was asked for.
func (c *Context) Path() string { return c.path }

// Write answers.
func (c *Context) Write(s string) error {
	c.out = append(c.out, s)
	return c.Err()
}

// Router has routes.
type Router struct {
	routes map[string]*Route
	order  []string
	prefix string
	around []Middleware
	config
}

type config struct{ strict bool }

func (c config) lenient() bool { return !c.strict }

// Option sets a router up.
type Option func(*Router)

// WithPrefix is put before all names.
func WithPrefix(p string) Option {
	return func(r *Router) { r.prefix = clean(p) }
}

// WithMiddleware goes around all handlers.
func WithMiddleware(ms ...Middleware) Option {
	return func(r *Router) {
		for _, m := range ms {
			r.use(m)
		}
	}
}

// New makes a router.
func New(opts ...Option) *Router {
	r := &Router{routes: map[string]*Route{}}
	for _, o := range opts {
		o(r)
	}
	return r
}

func (r *Router) use(m Middleware) { r.around = append(r.around, m) }

// Handle adds a route.
func (r *Router) Handle(name string, h Handler) {
	for i := range r.around {
		h = r.around[i](h)
	}
	route := &Route{base: base{name: name}, handler: h}
	route.rename(r.prefix)
	r.routes[name] = route
	r.order = append(r.order, name)
}

// HandleFunc adds a function.
func (r *Router) HandleFunc(name string, f func(*Context) error) {
	r.Handle(name, HandlerFunc(f))
}

// Routes lists them.
func (r *Router) Routes() []Route {
	return Map(r.order, func(name string) Route { return *r.find(name) })
}

func (r *Router) find(name string) *Route { return r.routes[name] }

// Dispatch runs what handles a path.
func (r *Router) Dispatch(ctx context.Context, path string) error {
	c := &Context{Context: ctx, path: path}
	if route := r.find(path); route != nil {
		return route.handler.Serve(c)
	}
	if r.lenient() {
		return nil
	}
	return fmt.Errorf("no route %s", path)
}

// Recover turns panics into errors.
func Recover(next Handler) Handler { return recovering{next} }

type recovering struct{ Handler }

func (r recovering) Serve(c *Context) (err error) {
	defer r.catch(&err)
	return r.Handler.Serve(c)
}

func (r recovering) catch(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("%v", v)
	}
}

// Map changes each.
func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}
