// Package rpc is the transport between the roles of chitta: JSON-RPC 2.0 over
// HTTP on a Unix socket, one daemon per data directory, everybody else a
// client of it.
//
// It owns the socket and its file, the frames, the worker pool with its
// watchdog, deadlines, peer credentials, the hand-over from an old daemon to a
// newer one, the lock files, and the start of a daemon on demand. It knows
// nothing of memories: a [Handler] gets a method and raw parameters. It never
// logs parameters or results, and it never sends a request twice once a byte
// of it was written.
//
// The daemon takes its lock with [AcquireLock], opens the socket with [Listen]
// and runs a [Server]; every other role makes a [Client] with [New].
//
// # Endpoints
//
//	POST /rpc       JSON-RPC 2.0, single or batch
//	GET  /healthz   who serves, since when, and whether it is leaving
//	GET  /metrics   Prometheus text format 0.0.4
//	POST /shutdown  ask for an orderly drain and exit: {"reason":"…"}
//
// The HTTP status is 200 when the body answers a frame, 204 when the frame held
// only notifications. A request refused before its frame was read has the
// status that fits (400, 403, 404, 405, 409, 413, 415, 500, 503) and the same
// JSON-RPC error body with a null id. A shutdown that was taken up is 202.
//
// # Headers
//
//	Chitta-Client      which role calls: cli, mcp, hook, …
//	Chitta-Version     version of the calling binary
//	Chitta-Session     session of the client, if any
//	Chitta-Cwd         working directory of the caller
//	Chitta-Timeout-Ms  lowers the deadline of this request
//
// The values of the first four are percent-encoded, so that any path survives.
//
// # Hand-over
//
// A request from a strictly newer version is not processed and is answered
// with [CodeUpgrade]. The client then holds the start lock, asks the old daemon
// to leave, waits until its lock is free, starts the daemon of its own binary
// and sends the request again. Every connection carries exactly one request and
// a drain answers all that were accepted, so nothing is lost or done twice.
//
// # Lost files
//
// A daemon says in its lock file whether it is starting, serving or leaving.
// One that serves and whose socket file was removed listens again with
// [Server.Relisten]; clients wait for that only for a moment, and [Client.Stop]
// ends one that stays unreachable by a signal. A daemon whose lock is
// [Lock.Lost] has to leave: another one can hold a lock of that name.
package rpc
