package codebase

import (
	"encoding/json"
	"time"

	"chitta/internal/store"
)

// Phases of an index.
const (
	PhaseWaiting   = "waiting" // for another index of the same project
	PhaseWalking   = "looking for files"
	PhaseParsing   = "parsing"
	PhaseResolving = "resolving"
	PhaseWriting   = "writing"
)

// Progress is how far an index is within a phase; Total 0 means that is not
// known.
type Progress struct {
	Phase string `json:"phase"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// Report says what an index found and did.
type Report struct {
	Root      string              `json:"root"`
	Git       bool                `json:"git"`
	Files     int                 `json:"files"` // with facts
	Bytes     int64               `json:"bytes"` // of their text
	Languages map[string]int      `json:"languages"`
	Symbols   int                 `json:"symbols"`
	Calls     Calls               `json:"calls"`
	Left      map[string]*LeftOut `json:"left_out"` // by reason
	Errors    Errors              `json:"errors"`
	Skipped   []Skipped           `json:"skipped"` // files that could not be parsed; some of them
	Parsed    int                 `json:"parsed"`  // this time
	Unchanged int                 `json:"unchanged"`
	Removed   int                 `json:"removed"`
	Problem   string              `json:"problem,omitempty"` // why git could not be asked
	Seconds   float64             `json:"seconds"`
}

// Calls counts calls by what is known of their targets.
type Calls struct {
	Edges    int `json:"edges"` // pairs of a call and a target
	External int `json:"external"`
	Unknown  int `json:"unknown"`
}

// Errors counts text that fits no rule of its language.
type Errors struct {
	Files  int `json:"files"`
	Places int `json:"places"`
}

// Skipped is a file that was not parsed for a fault. It is tried again when its
// text changes, and one that a worker had no answer for with the next index.
type Skipped struct {
	Path   string    `json:"path"`
	Reason string    `json:"reason"`
	Why    string    `json:"why,omitempty"`
	At     time.Time `json:"at"`
}

// maxSkipped is how many skipped files a report names.
const maxSkipped = 20

// faults are the reasons that are not choices.
var faults = map[string]bool{LeftTimeout: true, LeftCrash: true, LeftChanging: true, LeftFailed: true, LeftUnreadable: true}

// count fills in what the stored files tell.
func (r *Report) count(files map[string]*store.CodeFile) {
	for _, path := range sortedPaths(files) {
		f := files[path]
		if f.Skipped != "" {
			l := r.Left[f.Skipped]
			if l == nil {
				l = &LeftOut{Examples: []string{}}
				r.Left[f.Skipped] = l
			}
			l.add(path)
			if faults[f.Skipped] && len(r.Skipped) < maxSkipped {
				r.Skipped = append(r.Skipped, Skipped{Path: path, Reason: f.Skipped, Why: f.Why, At: f.At})
			}
			continue
		}
		r.Files++
		r.Bytes += f.Size
		r.Languages[f.Lang]++
		if f.Errors > 0 {
			r.Errors.Files++
			r.Errors.Places += f.Errors
		}
	}
}

func parseReport(text string) *Report {
	var r Report
	if text == "" || json.Unmarshal([]byte(text), &r) != nil {
		return nil
	}
	return &r
}
