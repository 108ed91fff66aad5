//go:build !amd64 && !arm64

package embed

func machineKernels() []*kernel { return nil }
