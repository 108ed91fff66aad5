//go:build darwin || freebsd || netbsd

package codebase

import "syscall"

func entryTime(st *syscall.Stat_t) int64 { return st.Ctimespec.Nano() }
