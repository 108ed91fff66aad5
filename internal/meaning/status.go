package meaning

import (
	"errors"
	"os"
	"strings"

	"chitta/internal/config"
)

// Status says which embedding model is in use and how far it has come.
type Status struct {
	State     string `json:"state"` // ready, loading, embedding, off
	ID        string `json:"id,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Dims      int    `json:"dims,omitempty"`
	Kernel    string `json:"kernel,omitempty"`
	Source    string `json:"source,omitempty"`
	Vectors   int    `json:"vectors"`
	Bytes     int64  `json:"bytes"` // on disk
	Todo      int64  `json:"todo"`  // texts still to embed
	Total     int64  `json:"total"`
	Answering string `json:"answering,omitempty"` // the model before, until this one has embedded everything
	Hits      int64  `json:"cache_hits"`
	Misses    int64  `json:"cache_misses"`
	Breaker   string `json:"breaker,omitempty"`
	Problem   string `json:"problem,omitempty"`
}

// The states of a model.
const (
	Ready     = "ready"
	Loading   = "loading"
	Embedding = "embedding"
	Off       = "off"
)

// Status says which model is in use and how far it has come.
func (s *Library) Status() Status {
	s.state.RLock()
	defer s.state.RUnlock()
	st := Status{State: Ready, Total: s.total}
	if s.err != nil && !errors.Is(s.err, errLoading) {
		st.Problem = strings.ReplaceAll(s.err.Error(), "\n", "; ")
	}
	for _, file := range []string{s.path, s.path + "-wal"} {
		if fi, err := os.Stat(file); err == nil {
			st.Bytes += fi.Size()
		}
	}
	if s.former != nil {
		st.Answering = s.former.row.Name
	}
	if s.present == nil {
		if st.State = Off; errors.Is(s.err, errLoading) {
			st.State = Loading
		}
		return st
	}
	info := s.present.embedder.Info()
	st.ID, st.Hash, st.Dims, st.Kernel, st.Source = info.ID, info.Hash, info.Dims, info.Kernel, info.Source
	stats := s.present.embedder.Stats()
	st.Hits, st.Misses, st.Breaker = stats.Hits, stats.Misses, string(stats.Breaker)
	st.Todo, st.Vectors = s.present.todo(), s.present.vectors()
	switch {
	case len(s.present.shelves) > 0 && st.Todo > 0:
		st.State = Embedding
	case len(s.present.shelves) > 0:
	case errors.Is(s.err, errLoading):
		st.State = Loading
	default:
		st.State = Off
	}
	return st
}

// Setting returns the setting of the model.
func (s *Library) Setting() config.Model {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.setting
}
