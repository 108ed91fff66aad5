package main

type Handler interface{ Serve(string) }
type HandlerFunc func(string)

func (f HandlerFunc) Serve(s string) { f(s) }

type Mux struct{ routes map[string]Handler }

func (m *Mux) Handle(p string, h Handler) {
	if m.routes == nil {
		m.routes = make(map[string]Handler)
	}
	m.routes[p] = h
}

func (m *Mux) HandleFunc(p string, f func(string)) { m.Handle(p, HandlerFunc(f)) }

func (m *Mux) Serve(p string) {
	if h, ok := m.routes[p]; ok {
		h.Serve(p)
		return
	}
	notFound(p)
}

func notFound(s string) {}
func index(s string)    {}

type app struct{ db string }

func (a *app) users(s string) { a.query() }
func (a *app) query()         {}
func (a *app) Serve(s string) { a.users(s) }

func serve(h Handler) { h.Serve("/") }

func main() {
	a := &app{}
	m := &Mux{}
	m.HandleFunc("/", index)
	m.HandleFunc("/u", a.users)
	m.HandleFunc("/x", func(s string) { notFound(s) })
	m.Handle("/a", a)
	serve(m)
}
