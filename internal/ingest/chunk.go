package ingest

import (
	"fmt"
	"maps"
	"slices"

	"chitta/internal/capture"
	"chitta/internal/session"
	"chitta/internal/store"
)

// cut cuts a thread into chunks again, from its last known section on, and
// replaces what came out differently. If the thread goes on behind what is at
// hand, only the sections that have ended are cut.
func (in *ingesting) cut(t *thread, toEnd bool) error {
	if len(t.messages) == 0 {
		return nil
	}
	end := len(t.messages)
	if !toEnd {
		end = t.last
	}
	if err := in.replaceChunks(t, end); err != nil {
		return err
	}
	if err := in.replaceFacts(t, end); err != nil {
		return err
	}
	t.advance()
	if toEnd && (t.fresh || t.linked || t.last > 0) {
		return in.tx.PutSection(&t.Section)
	}
	return nil
}

// advance moves the section to where the last one begins.
func (t *thread) advance() {
	if t.last > 0 {
		t.Turn, t.Clock = t.messages[t.last-1].Turn, t.clocks[t.last-1]
	}
	t.First = t.messages[t.last].Position
}

// replaceChunks stores the chunks of the first end messages. A chunk that
// begins where one begins already takes its row.
func (in *ingesting) replaceChunks(t *thread, end int) error {
	had, err := in.tx.ChunksFrom(t.Session, t.Agent, t.messages[0].Position)
	if err != nil {
		return err
	}
	byKey := map[string]int64{}
	byPlace := map[[2]int64]int64{}
	for i := range had {
		c := &had[i]
		if c.First > t.messages[end-1].Position {
			continue
		}
		byKey[chunkKey(c)] = c.Seq
		byPlace[[2]int64{c.First, int64(c.Part)}] = c.Seq
	}
	var fresh []store.Chunk
	for _, c := range t.chunks(end) {
		if key := chunkKey(&c); byKey[key] != 0 {
			delete(byKey, key)
			delete(byPlace, [2]int64{c.First, int64(c.Part)})
			continue
		}
		fresh = append(fresh, c)
	}
	for i := range fresh {
		c := &fresh[i]
		place := [2]int64{c.First, int64(c.Part)}
		if c.Seq = byPlace[place]; c.Seq != 0 {
			delete(byPlace, place)
			err = in.tx.UpdateChunk(c)
		} else {
			err = in.tx.AddChunk(c)
		}
		if err != nil {
			return err
		}
	}
	for _, seq := range slices.Sorted(maps.Values(byPlace)) {
		if err := in.tx.DropChunk(seq); err != nil {
			return err
		}
	}
	return nil
}

// chunks cuts the first end messages.
func (t *thread) chunks(end int) []store.Chunk {
	var all []store.Chunk
	for from, said := range t.parts() {
		for _, x := range session.Chunks(said, session.ChunkOptions{}) {
			first, last := from+x.First, from+x.Last
			if first >= end {
				break
			}
			c := store.Chunk{
				Session: t.Session, First: t.messages[first].Position, Last: t.messages[last].Position, Part: x.Part,
				Role: string(x.Role), Speaker: x.Speaker, Agent: t.Agent, Time: x.Time, Text: x.Text,
				Turn: t.messages[first].Turn, Summary: x.Summary, Asks: asks(x.Text), Clock: t.clocks[last],
			}
			c.Hash = capture.Hash(c.Text)
			all = append(all, c)
		}
	}
	return all
}

// parts goes through what is cut separately, each with the index of its first
// message. Where a person speaks the chunker itself begins anew.
func (t *thread) parts() func(yield func(int, []session.Message) bool) {
	return func(yield func(int, []session.Message) bool) {
		from := 0
		for _, to := range append(slices.Clone(t.forced), len(t.said)) {
			if !yield(from, t.said[from:to]) {
				return
			}
			from = to
		}
	}
}

// chunkKey is all that makes a chunk what it is.
func chunkKey(c *store.Chunk) string {
	return fmt.Sprintf("%d %d %d %d %t %t %v %s", c.First, c.Last, c.Part, c.Turn, c.Summary, c.Asks, c.Clock, c.Hash)
}

// replaceFacts stores which files the calls of the first end messages touched
// and which commands they ran. A call that was here already may have got its
// result now.
func (in *ingesting) replaceFacts(t *thread, end int) error {
	rows := make(map[string]*store.Message, end)
	var calls []int64
	for i := range end {
		rows[t.messages[i].ID] = &t.messages[i]
		if i < t.old && hasCalls(&t.said[i]) {
			calls = append(calls, t.messages[i].Seq)
		}
	}
	if err := in.tx.DropFacts(calls); err != nil {
		return err
	}
	touched, ran := map[int64]int{}, map[int64]int{} // how many a message has so far
	for _, said := range t.parts() {
		for _, f := range session.FileTouches(said) {
			m := rows[f.Message]
			if m == nil {
				continue // behind end
			}
			err := in.tx.AddFileTouch(&store.FileTouch{
				Message: m.Seq, N: touched[m.Seq], Session: t.Session, Path: f.Path, Tool: f.Tool, Action: string(f.Action), Failed: f.Failed, Time: m.Time,
			})
			if err != nil {
				return err
			}
			touched[m.Seq]++
		}
		for _, c := range session.CommandRuns(said) {
			m := rows[c.Message]
			if m == nil {
				continue
			}
			err := in.tx.AddCommandRun(&store.CommandRun{
				Message: m.Seq, N: ran[m.Seq], Session: t.Session, Command: c.Command, ExitCode: c.ExitCode, Failed: c.Failed, Result: c.Result, Time: m.Time,
			})
			if err != nil {
				return err
			}
			ran[m.Seq]++
		}
	}
	return nil
}

func hasCalls(m *session.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p session.Part) bool { return p.Kind == session.ToolUse })
}
