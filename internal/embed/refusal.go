package embed

import (
	"bytes"
	"fmt"
	"net/http"
)

// refusal is an answer that no retry will change. It says what to do, and
// counts as [ErrUnreachable] beside its own kind.
type refusal struct {
	kind error
	text string
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) Unwrap() []error { return []error{r.kind, ErrUnreachable} }

// keyRefused says which variable to set. What the endpoint wrote is not shown:
// some repeat the key.
func (e *endpoint) keyRefused(status int) error {
	text := fmt.Sprintf("the embedding endpoint refused the key (status %d): set %s, in the environment the daemon starts in, to a key that may use %s", status, e.keyEnv, e.model)
	if e.keyEnv == "" {
		text = fmt.Sprintf("the embedding endpoint wants a key (status %d): name the environment variable that holds it: chitta model use … --key-variable NAME, or model.key_variable in config.toml", status)
	}
	return &refusal{ErrKeyRefused, text}
}

// notFound tells a model that is not there from an address that is none by
// what the endpoint wrote: both kinds of endpoint name the model in their
// error.
func (e *endpoint) notFound(reply []byte) error {
	text := fmt.Sprintf("nothing takes texts at %s (status %d): check the address, and that it belongs to an endpoint of kind %s", e.url, http.StatusNotFound, e.kind)
	if bytes.Contains(bytes.ToLower(reply), []byte("model")) {
		text = fmt.Sprintf("the embedding endpoint has no model %q (status %d): check its name with the provider", e.model, http.StatusNotFound)
		if e.kind == KindOllama {
			text = fmt.Sprintf("the embedding endpoint has no model %q (status %d): fetch it with: ollama pull %s", e.model, http.StatusNotFound, e.model)
		}
	}
	return &refusal{ErrNotFound, text}
}
