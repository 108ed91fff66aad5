package e2e

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The script answers by what the conversation holds: the newest prompt it
// knows, and how often the model has answered since.
func TestScriptFollowsTheConversation(t *testing.T) {
	var s script
	s.on("first", say("one"), say("two"))
	s.on("first of all", say("another"))
	s.on("task of a subagent", say("by the subagent"))
	const tools = `"tools":[{}],`
	for _, tt := range []struct{ name, body, want string }{
		{"a prompt", `{` + tools + `"messages":[{"role":"user","content":"first"}]}`, "one"},
		{"in blocks, with what the client adds", `{` + tools + `"messages":[{"role":"user","content":[{"type":"text","text":"<system-reminder>first of all</system-reminder>"},{"type":"text","text":" first\n"}]}]}`, "one"},
		{"after an answer", `{` + tools + `"messages":[{"role":"user","content":"first"},{"role":"assistant","content":"one"},{"role":"user","content":[{"type":"tool_result","content":"first of all"}]}]}`, "two"},
		{"at its end", `{` + tools + `"messages":[{"role":"user","content":"first"},{"role":"assistant","content":"one"},{"role":"assistant","content":"two"}]}`, finished},
		{"the newest prompt", `{` + tools + `"messages":[{"role":"user","content":"first"},{"role":"assistant","content":"one"},{"role":"user","content":"task of a subagent"}]}`, "by the subagent"},
		{"the longest that fits", `{` + tools + `"messages":[{"role":"user","content":"so, first of all"}]}`, "another"},
		{"what the client puts in is no prompt", `{` + tools + `"messages":[{"role":"user","content":"first"},{"role":"system","content":"task of a subagent"}]}`, "one"},
		{"an unknown prompt", `{` + tools + `"messages":[{"role":"user","content":"second"}]}`, unscripted},
		{"no messages", `{` + tools + `"messages":[]}`, unscripted},
		{"a compaction", `{` + tools + `"messages":[{"role":"user","content":"first"},{"role":"user","content":"write a <summary> block"}]}`, summary},
		{"a question of the client's own", `{"messages":[{"role":"user","content":"first"}]}`, beside},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b body
			if err := json.Unmarshal([]byte(tt.body), &b); err != nil {
				t.Fatal(err)
			}
			if got := s.next(&b).blocks[0].Text; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// post sends a request to the stand-in.
func post(t *testing.T, url, text string) (status int, answer string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// The stand-in answers as the API does: at once or as a stream, with errors and
// delays, and it keeps what it was sent.
func TestStandInForTheAPI(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := serve(l)
	defer a.close()
	a.on("go", think("hm").with(say("both:"), use("A", map[string]any{"x": 1}), use("B", nil)).claiming(7))
	a.on("slow", say("late").after(50*time.Millisecond))
	a.on("bad", refuse(http.StatusServiceUnavailable))
	messages := a.url + "/v1/messages?beta=true"
	ask := func(prompt, more string) (int, string) {
		return post(t, messages, `{"tools":[{}],"messages":[{"role":"user","content":"`+prompt+`"}]`+more+`}`)
	}

	_, plain := ask("go", "")
	var m reply
	if err := json.Unmarshal([]byte(plain), &m); err != nil || len(m.Content) != 4 || *m.StopReason != "tool_use" || m.Usage.Input != 7 || m.Content[2].ID == m.Content[3].ID {
		t.Errorf("%s: %v", plain, err)
	}
	_, streamed := ask("go", `,"stream":true`)
	if n := strings.Count(streamed, "event: content_block_start"); n != 4 || !strings.HasSuffix(streamed, "\n\n") || !strings.Contains(streamed, `"partial_json":"{\"x\":1}"`) {
		t.Errorf("%d blocks in %s", n, streamed)
	}
	for line := range strings.Lines(streamed) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && !json.Valid([]byte(data)) {
			t.Errorf("not JSON: %s", data)
		}
	}
	begun := time.Now()
	if _, text := ask("slow", ""); !strings.Contains(text, "late") || time.Since(begun) < 50*time.Millisecond {
		t.Errorf("after %s: %s", time.Since(begun), text)
	}
	if status, text := ask("bad", ""); status != http.StatusServiceUnavailable || !strings.Contains(text, `"error"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := post(t, messages, "no JSON"); status != http.StatusBadRequest {
		t.Errorf("nonsense gets %d", status)
	}
	if _, text := post(t, a.url+"/v1/messages/count_tokens", "12345678"); text != "{\"input_tokens\":2}\n" {
		t.Errorf("tokens: %s", text)
	}
	sent := a.since(0)
	if len(sent) != 4 || a.sent() != 4 || !strings.Contains(sent[2].text(), "slow") {
		t.Errorf("%d requests were kept", len(sent))
	}
}

// What chitta hands over is told apart from what stands around it.
func TestPassages(t *testing.T) {
	for _, tt := range []struct{ name, text, inside, outside string }{
		{"none", "plain", "", "plain"},
		{"one", "a<chitta-memory note=\"x\">b</chitta-memory>c", "<chitta-memory note=\"x\">b</chitta-memory>", "ac"},
		{"one that is never closed", "a<chitta-memory>b", "", "a<chitta-memory>b"},
		{"one that is closed early", "<chitta-memory>b</chitta-memory>c</chitta-memory>", "<chitta-memory>b</chitta-memory>", "c</chitta-memory>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inside, outside := passages(tt.text)
			if got := strings.Join(inside, ""); got != tt.inside || outside != tt.outside {
				t.Errorf("inside %q, outside %q", got, outside)
			}
		})
	}
}
