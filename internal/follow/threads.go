package follow

import (
	"time"

	"chitta/internal/causal"
	"chitta/internal/store"
)

// agentEdges are those of a subagent's thread.
type agentEdges struct {
	session int64
	agent   string
	edges   []store.Edge
}

// lookAtThreads makes the edges of subagents: from the chunk with the call to
// the first of the subagent's, and from its last to the chunk with the result.
func (s *slice) lookAtThreads(changed []store.Chunk) error {
	from := map[int64]time.Time{} // by session, when the first change was
	all := map[int64]bool{}       // sessions in which a subagent's chunks changed
	for _, c := range changed {
		if at, ok := from[c.Session]; !ok || c.Time.Before(at) {
			from[c.Session] = c.Time
		}
		all[c.Session] = all[c.Session] || c.Agent != ""
	}
	for session, at := range from {
		s.lookups.Add(1)
		threads, err := s.store.AgentThreads(s.ctx, session)
		if err != nil {
			return err
		}
		for _, t := range threads {
			if !all[session] && t.Last.Time.Before(at) {
				continue // it was over by then
			}
			if err := s.lookAtThread(session, &t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *slice) lookAtThread(session int64, t *store.AgentThread) error {
	caller, err := s.callerOf(session, t)
	if err != nil || caller == 0 {
		return err
	}
	s.lookups.Add(2)
	back, err := s.store.ChunkKnowing(s.ctx, caller, t.Agent)
	if err != nil {
		return err
	}
	if back == 0 {
		back = caller // a call stands together with its result
	}
	s.threads = append(s.threads, agentEdges{session, t.Agent, []store.Edge{
		{Source: caller, Target: t.First.Seq, Kind: string(causal.Spawn), Weight: 1},
		{Source: t.Last.Seq, Target: back, Kind: string(causal.Merge), Weight: 1},
	}})
	return nil
}

// callerOf finds the chunk with the call that started a subagent: by the
// message if it is known, else the one that was under way then.
func (s *slice) callerOf(session int64, t *store.AgentThread) (int64, error) {
	parent, err := s.store.ThreadParent(s.ctx, session, t.Agent)
	if err != nil {
		return 0, err
	}
	if parent != "" {
		found, err := s.store.MessageByID(s.ctx, parent, session, 1)
		if err != nil {
			return 0, err
		}
		if len(found) == 1 && found[0].ID == parent {
			if seq, err := s.store.ChunkAt(s.ctx, session, found[0].Agent, found[0].Position); err != nil || seq != 0 {
				return seq, err
			}
		}
	}
	return s.store.ChunkBefore(s.ctx, session, t.First.Time)
}
