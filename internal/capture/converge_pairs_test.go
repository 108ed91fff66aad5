package capture

import (
	"testing"
	"time"
)

// pair is what was said and an account of a change.
type pair struct {
	said, happened string
	files          []string
}

func (p pair) converge(cosine float64) (Convergence, bool) {
	at := []time.Time{time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	return Converge(Trace{Text: p.said, Session: "s", Times: at}, Trace{Text: p.happened, Files: p.files, Session: "s", Times: at},
		func() (float64, bool) { return cosine, true })
}

// TestWordsThatMeanTwoThings: the name of a file is a word of a sentence about
// something else, or begins one.
func TestWordsThatMeanTwoThings(t *testing.T) {
	for _, p := range []pair{
		{"We keep the formatting exactly as gofmt does it", "Changed web/form.go for: “make the login form wider”", []string{"web/form.go"}},
		{"Portuguese translations come last", "Changed serial/port.go for: “close the serial port”", []string{"serial/port.go"}},
		{"The restaurant list is sorted by distance", "Changed api/rest.go for: “return 404 for unknown ids”", []string{"api/rest.go"}},
		{"The mail server needs TLS 1.3", "Changed cmd/game/server.go for: “rename the port flag”", []string{"cmd/game/server.go"}},
		{"The landing page stays static for the launch", "Changed app/checkout/page.tsx for: “fix the null check in checkout”", []string{"app/checkout/page.tsx"}},
		{"Our client pays per seat", "Changed http/client.go for: “retry on 502”", []string{"http/client.go"}},
		{"Our client pays per seat", "Changed http/client.go for: “the client should retry on 502”", []string{"http/client.go"}},
		{"Authors are listed by surname", "Changed src/auth.c for: “tokens expire too soon”", []string{"src/auth.c"}},
		{"Authentic quotes need a source", "Changed src/auth.c for: “tokens expire too soon”", []string{"src/auth.c"}},
		{"The table in the meeting room is booked on Mondays", "Changed ui/table.tsx for: “sticky header”", []string{"ui/table.tsx"}},
		{"Orders above 100 euro ship free", "Changed sort/order.go for: “compare by weight”", []string{"sort/order.go"}},
		{"In order to deploy, tag the commit first", "Changed shop/order.py for: “round the total”", []string{"shop/order.py"}},
		{"The cache of the build machine is wiped at night", "Changed web/cache.js for: “expire avatars after an hour”", []string{"web/cache.js"}},
		{"Release notes are written by marketing", "Changed locks/release.go for: “free it on panic”", []string{"locks/release.go"}},
		{"Modelling of churn happens in the warehouse", "Changed car/model.rb for: “add a field for colour”", []string{"car/model.rb"}},
		{"The stream of complaints is about shipping", "Changed io/stream.go for: “buffer 64 KiB”", []string{"io/stream.go"}},
		{"Logical backups are taken every hour", "Changed lib/log.go for: “colour for warnings”", []string{"lib/log.go"}},
		{"Passengers see the price before they book", "Changed db/pass.go for: “run it twice for big tables”", []string{"db/pass.go"}},
		{"Testimonials go below the fold", "Changed run/test.py for: “print the seed”", []string{"run/test.py"}},
		{"Statements are sent on the first of a month", "Changed parse/stat.go for: “allow empty blocks”", []string{"parse/stat.go"}},
		{"Management wants weekly figures", "Changed mail/manage.go for: “drop bounced addresses”", []string{"mail/manage.go"}},
		{"The board meets in Lyon", "Changed game/board.go for: “draw the pieces larger”", []string{"game/board.go"}},
		{"A key customer asked for invoices in Polish", "Changed crypto/key.go for: “rotate after 90 days”", []string{"crypto/key.go"}},
		{"The route to the office is blocked", "Changed http/route.go for: “trailing slashes”", []string{"http/route.go"}},
		{"Tokens of appreciation are sent in December", "Changed lex/token.go for: “accept hex numbers”", []string{"lex/token.go"}},
		{"Formatting", "Changed form.go for: “wider”", []string{"form.go"}},
		{"Slow server", "Changed server.go for: “rename it”", []string{"server.go"}},
		{"Indexed funds are the default investment", "Changed web/index.ts for: “wider margins”", []string{"web/index.ts"}},
		{"Deploy with token [redacted:github-token] from CI", "Changed a.go for: “rotate [redacted:github-token]”", []string{"a.go"}},
		{"[redacted:github-token] [redacted:aws-access-token]", "Changed b.go for: “[redacted:github-token] [redacted:aws-access-token]”", []string{"b.go"}},
		{"", "", []string{""}},
		{"\xff\x00\u202e form 🙂", "Changed form.go for: “\x00\xff”", []string{"form.go", "\xff", "/", `\`}},
	} {
		if got, ok := p.converge(0.59); ok {
			t.Errorf("%q converged with %q: %+v", p.said, p.happened, got)
		}
		if _, ok := p.converge(ConvergeMeaning); !ok && p.said != "" {
			t.Errorf("%q did not converge with %q by their meaning", p.said, p.happened)
		}
	}
}

// TestWordsThatMeanTheSame: a second sign, or a name that leaves no doubt.
func TestWordsThatMeanTheSame(t *testing.T) {
	for _, p := range []pair{
		{"Fixed authentication bug in login flow", "Changed src/auth.c for: “Fix the auth bug”", []string{"src/auth.c"}},
		{"Fixed authentication bug in login flow", "Changed src/auth.c for: “People are thrown out”", []string{"src/auth.c"}},
		{"Authorisation asks the directory now", "Changed src/auth.c for: “People are thrown out”", []string{"src/auth.c"}},
		{"Auth checks the clock of the peer", "Changed src/auth.c for: “People are thrown out”", []string{"src/auth.c"}},
		{"Kubernetes probes wait for ten seconds", "Changed deploy/k8s.yaml for: “it restarts all the time”", []string{"deploy/k8s.yaml"}},
		{"Clamped the width of the form", "Changed web/form.go for: “give it a width”", []string{"web/form.go"}},
		{"The server reloads certificates without a restart", "Changed mail/server.go for: “certificates expire”", []string{"mail/server.go"}},
		{"Connections are closed when idle", "Changed db/conn.go for: “too many idle sockets”", []string{"db/conn.go"}},
		{"Billing export writes cents", "Changed billing_export.go for: “wrong sums”", []string{"billing_export.go"}},
		{"BillingExport writes cents", "Changed BillingExport.java for: “wrong sums”", []string{`src\BillingExport.java`}},
		{"server.go listens on all interfaces", "Changed cmd/game/server.go for: “rename it”", []string{"cmd/game/server.go"}},
		{"It listens on all interfaces (cmd/game/server.go)", "Changed cmd/game/server.go for: “rename it”", []string{"/w/cmd/game/server.go"}},
	} {
		if got, ok := p.converge(0); !ok || got.Ground != ByFile {
			t.Errorf("%q did not converge with %q: %+v", p.said, p.happened, got)
		}
	}
	shared := pair{"Token [redacted:github-token] rotates on Fridays", "Asked “when does the token rotate”, on Fridays [redacted:jwt]", nil}
	if got, ok := shared.converge(0); !ok || got.Ground != ByWords {
		t.Errorf("words beside a secret do not count: %+v", got)
	}
}
