// Package e2e proves chitta with the real client, from the outside: the binary
// built from this tree, installed as a newcomer installs it, beside a client
// that talks to a scripted stand-in for the model. What a test looks at is what
// chitta stores, through its own commands, and what the client sends to the
// model.
//
// There is no model and no network in it: every home is fresh, the client sees
// the loopback alone where that is permitted, and nothing outlives a test. What
// it cannot show is how a model behaves.
//
// The script is kept beside the prompts and not in them, so that prompts are
// what a person would type: memory learns from every word of them.
package e2e
