package cli

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"chitta/internal/mind"
)

func resultWith(t *testing.T, evidence string, score float64) mind.Result {
	t.Helper()
	r := mind.Result{Score: score, Freshness: "fresh", Trust: "user"}
	if err := json.Unmarshal([]byte(evidence), &r.Evidence); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEvidenceAddsUp(t *testing.T) {
	for _, tt := range []struct {
		name, evidence string
		score          float64
		want           []string
	}{
		{"a memory", `[
			{"source":"keyword","score":2.183,"weighted":0.307,"raw":true,"detail":"deploys run"},
			{"source":"vector","score":0.563,"weighted":1.256,"raw":true},
			{"source":"fusion","score":1.563,"weighted":0.637},
			{"source":"confidence","score":0.9,"weighted":-0.032},
			{"source":"tag","score":1,"weighted":0.05,"detail":"socket"}]`, 0.655, []string{
			"evidence    measured  points   score",
			"keyword        2.183  +0.307          deploys run",
			"vector         0.563  +1.256",
			"= fusion               1.563   0.637",
			"confidence     0.900          -0.032",
			"tag            1.000          +0.050  socket",
			"= score                        0.655  freshness fresh, from user",
		}},
		{"a passage", `[
			{"source":"keyword","score":7.2,"weighted":0.5,"raw":true},
			{"source":"window","score":0.5,"weighted":1.5,"raw":true},
			{"source":"relevance","score":2,"weighted":0.84}]`, 0.84, []string{
			"evidence     measured  points  score",
			"keyword         7.200  +0.500",
			"window          0.500  +1.500",
			"= relevance             2.000  0.840",
			"= score                        0.840  freshness fresh, from user",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := resultWith(t, tt.evidence, tt.score)
			got := columns(evidenceRows(r), 0)
			if g, w := strings.Join(got, "\n"), strings.Join(tt.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
			sum := 0.0
			rows := evidenceRows(r)
			for _, row := range rows[1 : len(rows)-1] {
				if row[3] != "" {
					x, err := strconv.ParseFloat(row[3], 64)
					if err != nil {
						t.Fatal(err)
					}
					sum += x
				}
			}
			if decimals(sum) != decimals(tt.score) {
				t.Errorf("the column score adds up to %.3f, not %.3f", sum, tt.score)
			}
		})
	}
}

func TestWorkingsGroupWhatIsLeftOut(t *testing.T) {
	var answer mind.RecallOutput
	if err := json.Unmarshal([]byte(`{"suppressed":[
		{"id":"35e3503b-184e-47fb-acbb-9a55baf1c761","why":"beyond the limit of 2"},
		{"id":"m_0gwejrvf00gbb173","why":"40 tokens do not fit the budget of 12"},
		{"id":"35e3503b-184e-47fb-acbb-9a55baf1c761","why":"beyond the limit of 2"},
		{"id":"chat:7","why":"beyond the limit of 2"}]}`), &answer); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app{out: &output{to: &out}, getenv: func(string) string { return "" }}
	a.workings(answer)
	want := "left out: 35e3503b chat:7 (beyond the limit of 2)\nleft out: m_0gwejrvf00gbb173 (40 tokens do not fit the budget of 12)\ntime: \n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestHeldBackIsCounted prints how many were held back for which reason, and
// the bars, under a header.
func TestHeldBackIsCounted(t *testing.T) {
	var answer mind.RecallOutput
	if err := json.Unmarshal([]byte(`{
		"held":[{"why":"of another realm","count":12},{"why":"beyond the limit of 2","count":3}],
		"bars":[{"stage":"memories","measure":"cosine","least":0.2,"unless":"it has a word in common"},{"stage":"x","measure":"cosine","least":0.5}],
		"stages":[{"stage":"keyword","ms":0.5}]}`), &answer); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app{out: &output{to: &out}, getenv: func(string) string { return "" }}
	a.workings(answer)
	want := "held back  reason\n       12  of another realm\n        3  beyond the limit of 2\n" +
		"bar: memories from a cosine of 0.20 on, unless it has a word in common\nbar: x from a cosine of 0.50 on\ntime: keyword 0.50 ms\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
