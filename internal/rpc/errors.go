package rpc

import (
	"context"
	"errors"
	"fmt"
)

// Codes of JSON-RPC 2.0.
const (
	// CodeParse: the body is not JSON.
	CodeParse = -32700
	// CodeInvalidRequest: the body is JSON but not a request.
	CodeInvalidRequest = -32600
	// CodeMethodNotFound: there is no such method.
	CodeMethodNotFound = -32601
	// CodeInvalidParams: the parameters do not fit the method.
	CodeInvalidParams = -32602
	// CodeInternal: something broke inside the daemon.
	CodeInternal = -32603
)

// Codes of chitta, in the range JSON-RPC leaves to implementations. They are a
// contract with clients: numbers are never reused.
const (
	// CodeUnavailable: too busy or about to leave; nothing was done, trying
	// again later may work.
	CodeUnavailable = -32000
	// CodeNotFound: what the request speaks of does not exist.
	CodeNotFound = -32001
	// CodeRefused: a rule refused it; trying again will not help.
	CodeRefused = -32002
	// CodeTooLarge: the request, or something in it, is over a limit.
	CodeTooLarge = -32003
	// CodeTimeout: the deadline passed; it may still be carried out.
	CodeTimeout = -32004
	// CodeStorage: the disk is full or cannot be written.
	CodeStorage = -32005
	// CodeDamaged: stored data failed its checks.
	CodeDamaged = -32006
	// CodeUpgrade: the daemon is older than the client; nothing was done.
	CodeUpgrade = -32007
	// CodeForbidden: the caller is another user.
	CodeForbidden = -32008
)

// Error is an error that crosses the socket. A handler returns one, wrapped or
// not, to choose the code; a client gets one back from [Client.Call].
type Error struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *ErrorData `json:"data,omitempty"`
}

// ErrorData says more about an error. All of it is optional.
type ErrorData struct {
	// Hint says what to do about it.
	Hint string `json:"hint,omitempty"`
	// Field is the parameter that is wrong.
	Field string `json:"field,omitempty"`
	// Value is what was given for it, shortened.
	Value string `json:"value,omitempty"`
	// Limit is the limit that was exceeded.
	Limit int64 `json:"limit,omitempty"`
	// Fits are what an id may mean that fits several.
	Fits []Fit `json:"fits,omitempty"`
	// Version is the version of the daemon, with CodeUpgrade.
	Version string `json:"version,omitempty"`
}

// Fit is one of several things that an id fits, and the session it is in.
type Fit struct {
	ID      string `json:"id"`
	Session string `json:"session,omitempty"`
}

func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("rpc error %d", e.Code)
	}
	return e.Message
}

// Hint returns the hint, or nothing.
func (e *Error) Hint() string {
	if e.Data == nil {
		return ""
	}
	return e.Data.Hint
}

// Errorf makes an error with a code.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(hint string) *Error {
	e.data().Hint = hint
	return e
}

// WithField sets the field and returns e.
func (e *Error) WithField(field string) *Error {
	e.data().Field = field
	return e
}

func (e *Error) data() *ErrorData {
	if e.Data == nil {
		e.Data = &ErrorData{}
	}
	return e.Data
}

// CodeOf returns the code of an error from [Client.Call] or a handler, and 0
// when it has none.
func CodeOf(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return 0
}

// toError turns what a handler returned into what is sent: the code of an
// *Error anywhere in the chain with the message of the whole chain.
func toError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e == nil {
			return Errorf(CodeInternal, "the handler returned an empty error")
		}
		if err == error(e) {
			return e
		}
		return &Error{Code: e.Code, Message: err.Error(), Data: e.Data}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(CodeTimeout, "%v", err)
	case errors.Is(err, context.Canceled):
		return Errorf(CodeUnavailable, "%v", err).WithHint("the request was given up because its caller or the daemon left")
	}
	return Errorf(CodeInternal, "%v", err)
}
