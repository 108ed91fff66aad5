//go:build !linux && !windows

package config

// maxSocketPath is the longest socket path in bytes: sun_path holds 104 on
// Darwin and the BSDs with the closing NUL.
const maxSocketPath = 103
