package main

type Handler func(string) string
type Middleware func(Handler) Handler

func logging(next Handler) Handler {
	return func(s string) string {
		log(s)
		return next(s)
	}
}

func auth(token string) Middleware {
	return func(next Handler) Handler {
		return func(s string) string {
			if !valid(token) {
				return ""
			}
			return next(s)
		}
	}
}

func chain(h Handler, ms ...Middleware) Handler {
	for i := len(ms) - 1; i >= 0; i-- {
		h = ms[i](h)
	}
	return h
}

func log(s string)          {}
func valid(s string) bool   { return true }
func hello(s string) string { return s }

func main() {
	h := chain(hello, logging, auth("x"))
	h("a")
	logging(hello)("b")
}
