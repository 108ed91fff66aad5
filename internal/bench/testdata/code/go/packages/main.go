package main

import (
	"example.com/packages/api"
	. "example.com/packages/dot"
	_ "example.com/packages/plugin"
	str "example.com/packages/strings"
)

type Client = api.Client

var New = api.New

func main() {
	c := New("x")
	c.Get()
	var d *Client = api.New("y")
	d.Get()
	str.Clean("a")
	Dot()
	p := Point{}
	p.Move()
	api.Default.Get()
	api.Lookup("echo")("z")
}
