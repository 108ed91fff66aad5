package keyword

import (
	"runtime"
	"runtime/debug"
)

// guard runs f, which reads mapped files. If one was cut short by someone else
// after it was opened, reading past its end raises a memory fault that would
// end the process; it becomes ErrDamaged here. Other panics go on.
func guard(f func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			e, ok := r.(runtime.Error)
			if _, fault := r.(interface{ Addr() uintptr }); !ok || !fault {
				panic(r)
			}
			err = damagedf("reading a mapped file: %v", e)
		}
	}()
	return f()
}
