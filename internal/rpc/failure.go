package rpc

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// LaunchedEnv is set in the environment of a daemon that a [Launcher] starts.
// Such a daemon reports with [WriteStartFailure] why it cannot start.
const LaunchedEnv = "CHITTA_LAUNCHED"

// startFailure is the line by which a daemon says why it cannot start.
type startFailure struct {
	Error *Error `json:"error"`
}

// WriteStartFailure writes why a daemon cannot start as one line, for the
// client that launched it: the client's caller gets that error, code and hint
// included, instead of the end of a log.
func WriteStartFailure(w io.Writer, e *Error) error {
	line, err := encodeJSON(startFailure{Error: e})
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// reason returns what a daemon that ended while starting has said of it, or err
// when it has said nothing.
func reason(err error) error {
	se, ok := errors.AsType[*StartError](err)
	if !ok || se.Timeout {
		return err
	}
	for _, line := range slices.Backward(strings.Split(se.Output, "\n")) {
		// Other lines may be JSON too; only the very form counts.
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		var f startFailure
		if dec.Decode(&f) == nil && f.Error != nil && f.Error.Code != 0 && f.Error.Message != "" {
			return f.Error
		}
	}
	return err
}
