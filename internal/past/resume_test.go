package past

import (
	"slices"
	"testing"
)

func TestResumeSaysWhatIsNeeded(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	out, err := m.Resume(t.Context(), person, SessionInput{ID: "5c0f"})
	if err != nil {
		t.Fatal(err)
	}
	if out.Cwd != "/src/app" || out.Branch != "main" || out.Command != "cd /src/app && claude --resume 5c0ffee0-aaaa" {
		t.Errorf("%+v", out)
	}
	if out.LastRequest == nil || out.LastRequest.ID != "u1" || out.LastAnswer == nil || out.LastAnswer.ID != "u8" {
		t.Errorf("%+v %+v", out.LastRequest, out.LastAnswer)
	}
	if !slices.Equal(out.Todos, []Todo{{Content: "write the changelog", Status: "in_progress"}}) || !slices.Equal(out.Files, []TouchedFile{{Path: "/src/app/internal/auth/token.go", Action: "edit"}}) {
		t.Errorf("%+v %+v", out.Todos, out.Files)
	}
	m.turns(`{"id":"1","session":"talk","speaker":"Ann","text":"hello"}`)
	if out, err = m.Resume(t.Context(), person, SessionInput{ID: "talk"}); err != nil || out.Command != "" || out.LastRequest.Text != "hello" {
		t.Errorf("%+v %v", out, err)
	}
}
