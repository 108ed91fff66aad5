package config

// maxSocketPath is the longest socket path in bytes: sun_path holds 108 with
// the closing NUL.
const maxSocketPath = 107
