//go:build !cgo

package syntax

import "time"

// Available says that this build can parse.
const Available = false

// DefaultLimit is how long one text may take in a build that can parse.
const DefaultLimit = 2 * time.Second

// Parser is there so that what uses one compiles; it cannot parse.
type Parser struct{ Limit time.Duration }

// New makes a parser that cannot parse.
func New() *Parser { return &Parser{} }

// Close does nothing.
func (p *Parser) Close() {}

// Parse returns [ErrOff].
func (p *Parser) Parse(Lang, []byte) (*Tree, error) { return nil, ErrOff }

// Reuse does nothing.
func (p *Parser) Reuse(*Tree) {}

// ParseAlone returns [ErrOff].
func (p *Parser) ParseAlone(Lang, []byte) error { return ErrOff }
