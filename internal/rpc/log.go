package rpc

// Keys of log attributes.
const (
	keyMethod  = "method"
	keyCode    = "code"
	keyAge     = "age"
	keyClient  = "client"
	keyVersion = "version"
	keyPID     = "pid"
	keyUID     = "uid"
	keyPath    = "path"
	keyReason  = "reason"
	keyPanic   = "panic"
	keyStack   = "stack"
	keyError   = "error"
)
