//go:build linux || openbsd

package codebase

import "syscall"

func entryTime(st *syscall.Stat_t) int64 { return st.Ctim.Nano() }
