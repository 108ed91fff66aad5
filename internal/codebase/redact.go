package codebase

import (
	"strings"

	"chitta/internal/capture"
	"chitta/internal/code"
)

// Source code may hold passwords and keys. What is kept of it is kept without
// them: signatures and comments are shown where nobody asked for the file.

// cleaner takes secrets out of facts. It is made when first needed.
type cleaner struct{ redactor *capture.Redactor }

func (c *cleaner) clean(text []byte, f *code.File) error {
	if c.redactor == nil {
		r, err := capture.New()
		if err != nil {
			return err
		}
		c.redactor = r
	}
	if len(c.redactor.Findings(string(text))) == 0 {
		return nil // as in nearly every file
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		c.take(&s.Signature)
		c.take(&s.Doc)
		c.take(&s.Type)
		c.take(&s.Returns)
	}
	for i := range f.Calls {
		c.take(&f.Calls[i].Receiver)
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Text != "" {
			c.take(&e.Text)
		}
	}
	return nil
}

func (c *cleaner) take(text *string) {
	clean, found := c.redactor.Redact(*text)
	if len(found) > 0 {
		*text = strings.ToValidUTF8(clean, "?")
	}
}
