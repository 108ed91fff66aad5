package install

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// serversKey is where the client keeps MCP servers, in every scope.
const serversKey = "mcpServers"

// serverName is chitta's among them.
const serverName = "chitta"

// mcpCommand is the command of the binary that serves MCP.
const mcpCommand = "mcp"

// Server is an MCP server on standard input and output.
type Server struct {
	Command string
	Args    []string // after "mcp"
}

func (s Server) args() []string { return append([]string{mcpCommand}, s.Args...) }

// TakenError is a server of another kind under chitta's name.
type TakenError struct{ Command string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("there is another MCP server named %s already (%s)", serverName, e.Command)
}

// Servers adds chitta to the MCP servers of a file, in the object that a path
// leads to. An entry that is there already gets the right command and keeps
// whatever else it says. [Undo] is its exact reverse.
func Servers(old []byte, path []string, want Server) ([]byte, []Change, error) {
	if err := validText("the path of the binary", want.Command); err != nil {
		return nil, nil, err
	}
	for _, key := range path {
		if err := validText("the folder", key); err != nil {
			return nil, nil, err
		}
	}
	d, err := parseDocument(old)
	if err != nil {
		return nil, nil, err
	}
	path = append(slices.Clone(path), serversKey)
	entry := append(slices.Clone(path), serverName)
	found, known := d.find(entry)
	if known < len(entry) {
		value := object{{"type", "stdio"}, {"command", want.Command}, {"args", want.args()}}
		if err := d.add(path, serverName, value); err != nil {
			return nil, nil, err
		}
		return d.text, d.changes, nil
	}
	if !ownServer(found) {
		return nil, nil, &TakenError{text(member(found, "command"))}
	}
	if err := d.update(member(found, "command"), pointer(entry...), want.Command); err != nil {
		return nil, nil, err
	}
	found, _ = d.find(entry)
	if err := d.update(member(found, "args"), pointer(entry...), want.args()); err != nil {
		return nil, nil, err
	}
	return d.text, d.changes, nil
}

// WithoutServer takes chitta out of the MCP servers of a file; see
// [WithoutHooks].
func WithoutServer(old []byte, path, made []string) ([]byte, []Change, error) {
	d, err := parseDocument(old)
	if err != nil {
		return nil, nil, err
	}
	path = append(slices.Clone(path), serversKey)
	entry := append(slices.Clone(path), serverName)
	found, known := d.find(entry)
	if known < len(entry) || !ownServer(found) {
		return d.text, nil, nil
	}
	servers, _ := d.find(path)
	if err := d.removeUp(path, memberIndex(servers, serverName), made); err != nil {
		return nil, nil, err
	}
	return d.text, d.changes, nil
}

// ownServer recognises an entry that starts chitta.
func ownServer(v *hujson.Value) bool {
	args := elements(member(v, "args"))
	return isBinary(text(member(v, "command"))) && len(args) > 0 && text(&args[0]) == mcpCommand
}

// registered returns the command of chitta's server in a file, if it has one.
func registered(old []byte, path []string) string {
	d, err := parseDocument(old)
	if err != nil {
		return ""
	}
	entry := append(slices.Clone(path), serversKey, serverName)
	found, known := d.find(entry)
	if known < len(entry) || !ownServer(found) {
		return ""
	}
	return text(member(found, "command"))
}
