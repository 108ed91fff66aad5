package plugin

import "example.com/packages/api"

func init() { api.Register("echo", echo) }

func echo(s string) {}
