package keyword

import (
	"errors"
	"runtime"
	"runtime/debug"
)

// damage is what code panics with that reads a mapped file, meets what cannot
// be there, and has no error to return. Files are checked when they are opened,
// so it only comes up when one is changed afterwards.
type damage string

// guard runs f, which reads mapped files. If one was cut short by someone else
// after it was opened, reading past its end raises a memory fault that would
// end the process; it becomes ErrDamaged here, and so does damage. Other panics
// go on.
func guard(f func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			if d, ok := r.(damage); ok {
				err = damagedf("%s", string(d))
				return
			}
			_, ok := r.(runtime.Error)
			if _, fault := r.(interface{ Addr() uintptr }); !ok || !fault {
				panic(r)
			}
			err = damagedf("a file was cut short while it was open")
		}
	}()
	return f()
}

// guard runs f and remembers damage that it meets.
func (x *Index) guard(f func() error) error { return x.note(guard(f)) }

// note remembers the first damage and returns the error as it is.
func (x *Index) note(err error) error {
	if errors.Is(err, ErrDamaged) {
		x.damaged.CompareAndSwap(nil, &err)
	}
	return err
}

// Damaged returns the first damage that was met since the index was opened, nil
// if there was none. It does not go away: whoever feeds the index should close
// it, wipe it with Remove and feed a new one.
func (x *Index) Damaged() error {
	if err := x.damaged.Load(); err != nil {
		return *err
	}
	return nil
}
