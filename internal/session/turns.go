package session

import "strings"

// Turns reads plain conversations: one JSON object per line with the members
// id, session, speaker or role, time and text. Other members are ignored. id
// and session are strings or numbers; session and time may be missing.
type Turns struct{}

// Name returns "turns".
func (Turns) Name() string { return "turns" }

// Line reads one turn.
func (Turns) Line(line []byte) (Record, error) {
	s := scanner{data: line}
	if s.peek() != '{' {
		if err := s.skip(0); err != nil {
			return Record{}, err
		}
		return Record{}, &FieldError{"", "is not an object"}
	}
	var t turn
	if err := t.read(&s); err != nil {
		return Record{}, err
	}
	if err := s.end(); err != nil {
		return Record{}, err
	}
	m, err := t.message()
	if err != nil {
		return Record{}, err
	}
	return Record{Type: "turn", Message: m}, nil
}

// turn is a line's fields as they stand there.
type turn struct {
	id, session, speaker, role, time *string
	text                             *string
}

func (t *turn) read(s *scanner) error {
	seen := names{}
	more, err := s.open('}', 0)
	for more && err == nil {
		var key quoted
		if key, err = s.key(); err != nil {
			return err
		}
		if err = seen.add(key); err != nil {
			return err
		}
		switch string(key.raw) {
		case "id":
			t.id, err = s.label(true)
		case "session":
			t.session, err = s.label(true)
		case "speaker":
			t.speaker, err = s.label(false)
		case "role":
			t.role, err = s.label(false)
		case "time":
			t.time, err = s.label(true)
		case "text":
			t.text, err = s.label(false)
		default:
			err = s.skip(1)
		}
		if err != nil {
			return within(string(key.raw), err)
		}
		more, err = s.next('}')
	}
	return err
}

// label reads a string, or a number as it is written where that is allowed;
// null counts as missing.
func (s *scanner) label(number bool) (*string, error) {
	switch c := s.peek(); {
	case c == 'n':
		return nil, s.word("null")
	case number && (c == '-' || c >= '0' && c <= '9'):
		raw, err := s.raw(1)
		text := string(raw)
		return &text, err
	case c != '"' && number:
		return nil, s.wrongType("a string or a number")
	}
	var text string
	err := s.string(&text)
	return &text, err
}

func (t *turn) message() (*Message, error) {
	if t.id == nil || *t.id == "" {
		return nil, &FieldError{"id", "is missing"}
	}
	if t.text == nil {
		return nil, &FieldError{"text", "is missing"}
	}
	m := &Message{ID: *t.id, Role: User, Parts: []Part{{Kind: Text, Text: *t.text}}}
	if t.session != nil {
		m.Session = *t.session
	}
	if t.role != nil {
		switch role := Role(strings.ToLower(*t.role)); role {
		case User, Assistant, System:
			m.Role = role
		default:
			m.Speaker = *t.role
		}
	}
	if t.speaker != nil && *t.speaker != "" {
		m.Speaker = *t.speaker
	}
	if t.time != nil && *t.time != "" {
		at, ok := parseTime(*t.time)
		if !ok {
			return nil, &FieldError{"time", "is not a time; write it like 2024-05-01T10:00:00Z"}
		}
		m.Time = at
	}
	return m, nil
}
