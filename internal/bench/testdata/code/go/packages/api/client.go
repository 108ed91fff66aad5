package api

import "example.com/packages/strings"

type Client struct{ name string }

var Default = New("default")

func New(name string) *Client { return &Client{name: strings.Clean(name)} }

func (c *Client) Get() { c.send() }
