// Package web serves paths.
package web

// Handler serves a path.
type Handler interface{ ServePath(path string) }

// HandlerFunc is a handler that is a function.
type HandlerFunc func(path string)

// ServePath calls the function.
func (f HandlerFunc) ServePath(path string) { f(path) }

// Middleware wraps a handler.
type Middleware func(Handler) Handler

// Option sets up.
type Option func(*Server)

// Server serves.
type Server struct {
	routes map[string]Handler
	chain  []Middleware
	limit  int
	log    func(string)
}

// NewServer makes one.
func NewServer(options ...Option) *Server {
	s := &Server{routes: make(map[string]Handler)}
	for _, apply := range options {
		apply(s)
	}
	return s
}

// WithLog logs.
func WithLog(s *Server) { s.log = write }

// WithLimit limits.
func WithLimit(n int) Option {
	return func(s *Server) { s.setLimit(n) }
}

func (s *Server) setLimit(n int) { s.limit = n }

func write(string) {}

// Use adds wrappers.
func (s *Server) Use(chain ...Middleware) { s.chain = append(s.chain, chain...) }

// Handle adds a route.
func (s *Server) Handle(path string, h Handler) { s.routes[path] = h }

// Serve serves a path.
func (s *Server) Serve(path string) {
	h, ok := s.routes[path]
	if !ok {
		return
	}
	for i := len(s.chain) - 1; i >= 0; i-- {
		h = s.chain[i](h)
	}
	h.ServePath(path)
	if s.log != nil {
		s.log(path)
	}
}
