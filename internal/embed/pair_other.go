//go:build !linux

package embed

import "runtime"

// crowded says whether a helper would take time from others. It cannot be told
// here; with few cores it is likely.
func crowded() bool {
	const few = 4
	return runtime.NumCPU() < few
}
