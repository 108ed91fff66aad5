package api

var registry = map[string]func(string){}

func (c *Client) send() { encode(c.name) }

func encode(s string) {}

func Register(name string, f func(string)) { registry[name] = f }

func Lookup(name string) func(string) { return registry[name] }
