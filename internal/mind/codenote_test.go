package mind

import (
	"slices"
	"strings"
	"testing"

	"chitta/internal/memory"
)

func (g *ground) describe(symbol, text string) CodeDescribeOutput {
	g.Helper()
	out, err := g.m.CodeDescribe(g.Context(), g.who, CodeDescribeInput{CodeSymbolInput: CodeSymbolInput{Symbol: symbol}, Text: text})
	if err != nil || out.Memory == nil {
		g.Fatalf("describe %s: %+v %v", symbol, out, err)
	}
	return out
}

// TestNoteChangesNoOtherMemory: what says nearly the same as a note, and is none,
// stays what it was, and the note is stored beside it.
func TestNoteChangesNoOtherMemory(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	mine := g.remember("`parse` in config.go: it just waits a second between attempts")
	note := g.describe("parse", "it waits a second between attempts")
	if note.Memory.Action != ActionStored || note.Memory.ID == mine || note.Memory.Kind != memory.Symbol.String() {
		t.Fatalf("%+v", note.Memory)
	}
	if v, err := g.m.Get(g.Context(), g.who, GetInput{ID: mine}); err != nil || v.Kind != "wisdom" || slices.Contains(v.Tags, tagSymbol) {
		t.Errorf("what was remembered: %+v %v", v, err)
	}
	if again := g.describe("parse", "It waits a second between attempts."); again.Memory.Action != ActionStrengthened || again.Memory.ID != note.Memory.ID {
		t.Errorf("the same note again: %+v", again.Memory)
	}
	if other := g.describe("Server.Listen", "it waits a second between attempts"); other.Memory.Action != ActionStored {
		t.Errorf("the same of another symbol: %+v", other.Memory)
	}
	// the very words of a memory are not stored twice; it keeps its kind
	text := "`Server` in config.go: it holds no lock"
	same := g.remember(text)
	if out := g.describe("Server", "it holds no lock"); out.Memory.ID != same || out.Memory.Kind != "wisdom" || len(out.Symbol.Notes) != 1 {
		t.Errorf("the very words: %+v %+v", out.Memory, out.Symbol.Notes)
	}
	// nor does a note become something else
	if id := g.remember("`parse` in config.go: it waits a second between attempts", func(in *RememberInput) { in.Kind = "insight" }); id != note.Memory.ID {
		t.Errorf("the words of a note are in %s", id)
	}
	if v, err := g.m.Get(g.Context(), g.who, GetInput{ID: note.Memory.ID}); err != nil || v.Kind != memory.Symbol.String() {
		t.Errorf("the note: %+v %v", v, err)
	}
}

// TestNoteOnAnotherSymbolIsNoRepetition: notes count as the same only where they
// are on the same symbol.
func TestNoteOnAnotherSymbolIsNoRepetition(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	store := func(text, symbol string) RememberOutput {
		t.Helper()
		return remember(t, g.m, g.who, RememberInput{Content: text, Kind: "symbol", Symbols: []string{symbol}})
	}
	first := store("it waits a second between attempts", "parse")
	if other := store("it just waits a second between attempts", "Server.Listen"); other.Action != ActionStored {
		t.Errorf("%+v", other)
	}
	if same := store("it waits a second between the attempts", "parse"); same.Action != ActionStrengthened || same.ID != first.ID {
		t.Errorf("%+v", same)
	}
}

// TestStaleNotesSaySo: a note whose symbol changed is shown with that.
func TestStaleNotesSaySo(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	if out := g.describe("Server.Listen", "Port 0 does nothing."); out.Symbol.Notes[0].Stale != "" {
		t.Fatalf("at once: %+v", out.Symbol.Notes)
	}
	g.describe("parse", "It cuts at the first equals sign.")
	g.write("config.go", strings.Replace(configGo, "port == 0", "port <= 0", 1))
	g.index()
	found, err := g.m.CodeFind(g.Context(), g.who, CodeFindInput{Name: "Listen"})
	if err != nil || len(found.Symbols) != 1 || len(found.Symbols[0].Notes) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	n := found.Symbols[0].Notes[0]
	if !strings.Contains(n.Stale, "`Server.Listen` changed since") || !strings.HasPrefix(n.Line(), "(stale: `Server.Listen` changed") || !strings.HasSuffix(n.Line(), "Port 0 does nothing.") {
		t.Errorf("%+v: %s", n, n.Line())
	}
	read, err := g.m.CodeRead(g.Context(), g.who, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Server.Listen"}})
	if err != nil || len(read.Source.Symbol.Notes) != 1 || read.Source.Symbol.Notes[0].Stale == "" {
		t.Errorf("read: %+v %v", read.Source, err)
	}
	if found, err = g.m.CodeFind(g.Context(), g.who, CodeFindInput{Name: "parse"}); err != nil || len(found.Symbols[0].Notes) != 1 || found.Symbols[0].Notes[0].Stale != "" {
		t.Errorf("what did not change: %+v %v", found, err)
	}
}
