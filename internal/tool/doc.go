// Package tool is the registry: one declaration per capability. From each
// declaration come the RPC method, the MCP tool with its schema, the command
// chitta call, and the page docs/tools.md.
//
// It owns names, descriptions, schemas, strict decoding of inputs, and how
// errors of the operations become errors on the wire. It never implements an
// operation; those are methods of mind.Mind.
//
// Start with [All] and [Registry.Call].
package tool
