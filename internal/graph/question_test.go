package graph

import (
	"slices"
	"strings"
	"testing"
)

func TestRoute(t *testing.T) {
	for _, tt := range []struct {
		question                   string
		subject, predicate, object string
	}{
		{"what causes socket.failure?", "", "causes", "socket.failure"},
		{"What causes the socket failure?", "", "causes", "socket.failure"},
		{"what caused the slow startup", "", "causes", "slow.startup"},
		{"what can cause data loss?", "", "causes", "data.loss"},
		{"what triggers a deadlock", "", "causes", "deadlock"},
		{"what leads to cache.miss", "", "causes", "cache.miss"},
		{"WHAT CAUSES OOM", "", "causes", "OOM"},
		{"which things cause flaky.tests", "", "causes", "flaky.tests"},
		{"what is the cause of socket.failure", "", "causes", "socket.failure"},
		{"What's the root cause of the index corruption?", "", "causes", "index.corruption"},
		{"what is the reason for queue.stall", "", "causes", "queue.stall"},
		{"what was socket.failure caused by?", "", "causes", "socket.failure"},
		{"what causes `socket.failure`?", "", "causes", "socket.failure"},
		{"what  causes   socket.failure ??", "", "causes", "socket.failure"},
		{"what does nc.subshell cause", "nc.subshell", "causes", ""},
		{"what does a full disk lead to?", "full.disk", "causes", ""},
		{"what solves socket.failure", "", "solves", "socket.failure"},
		{"what fixes the daemon hang?", "", "solves", "daemon.hang"},
		{"what fixed socket.failure", "", "solves", "socket.failure"},
		{"what resolves merge conflicts", "", "solves", "merge.conflicts"},
		{"what is the fix for socket.failure", "", "solves", "socket.failure"},
		{"what's the solution to cache.stampede?", "", "solves", "cache.stampede"},
		{"how do I fix socket.failure?", "", "solves", "socket.failure"},
		{"how to solve lock contention", "", "solves", "lock.contention"},
		{"how can we resolve index.corruption", "", "solves", "index.corruption"},
		{"fix for socket.failure", "", "solves", "socket.failure"},
		{"what does cli.direct solve?", "cli.direct", "solves", ""},
		{"what prevents data loss?", "", "prevents", "data.loss"},
		{"what could prevent a deadlock", "", "prevents", "deadlock"},
		{"how to avoid lock.contention", "", "prevents", "lock.contention"},
		{"what does fsync prevent", "fsync", "prevents", ""},
		{"what does chitta need?", "chitta", "requires", ""},
		{"what does the daemon require", "daemon", "requires", ""},
		{"what does recall depend on?", "recall", "requires", ""},
		{"what needs the store?", "", "requires", "store"},
		{"what depends on sqlite", "", "requires", "sqlite"},
		{"what requires go.modules", "", "requires", "go.modules"},
		{"what are the dependencies of chitta?", "chitta", "requires", ""},
		{"what is chitta?", "chitta", "is_a", ""},
		{"What is Chitta", "Chitta", "is_a", ""},
		{"what's a mutex?", "mutex", "is_a", ""},
		{"what is nc.subshell", "nc.subshell", "is_a", ""},
		{"what is the socket.proxy", "socket.proxy", "is_a", ""},
		{"what is write-ahead logging", "write-ahead.logging", "is_a", ""},
		{"what kind of thing is bbolt?", "bbolt", "is_a", ""},
		{"what replaced bbolt", "", "supersedes", "bbolt"},
		{"what supersedes the old.index?", "", "supersedes", "old.index"},
		{"what was bbolt replaced by?", "", "supersedes", "bbolt"},
		{"what did sqlite replace", "sqlite", "supersedes", ""},
		{"what is the store part of?", "store", "part_of", ""},
		{"what are the parts of recall", "", "part_of", "recall"},
		{"what is related to recall.latency", "", "related_to", "recall.latency"},
		{"what is used with sqlite", "", "used_with", "sqlite"},
		{"what comes before release?", "", "precedes", "release"},
		{"what happens after daemon.stop", "daemon.stop", "precedes", ""},
		{"what contradicts adr.0011", "", "contradicts", "adr.0011"},
		{"what corrected adr.0011", "", "corrects", "adr.0011"},
		{"what is preferred over tabs", "", "preferred", "tabs"},
		{"what calls store.Open", "", "calls", "store.Open"},
		{"what does store.Open call?", "store.Open", "calls", ""},
		{"what imports internal/store?", "", "imports", "internal/store"},
		{"what extends BaseHandler", "", "inherits", "BaseHandler"},
		{"what does internal/mind contain", "internal/mind", "contains", ""},
		{"what causes תקלה", "", "causes", "תקלה"},
		{"what is caused by nc.subshell?", "nc.subshell", "causes", ""},
		{"which things are caused by a full disk", "full.disk", "causes", ""},
		{"what was caused by the upgrade", "upgrade", "causes", ""},
		{"what are the causes of socket.failure", "", "causes", "socket.failure"},
		{"what are the effects of nc.subshell", "nc.subshell", "causes", ""},
		{"what things cause cache.miss", "", "causes", "cache.miss"},
		{"what was the old index replaced by?", "", "supersedes", "old.index"},
		{"what were the hooks superseded by", "", "supersedes", "hooks"},
		{"what was replaced by sqlite", "sqlite", "supersedes", ""},
		{"which things need the store", "", "requires", "store"},
		{"which things depend on sqlite?", "", "requires", "sqlite"},
		{"what things require go.modules", "", "requires", "go.modules"},
		{"what is needed by chitta", "chitta", "requires", ""},
		{"which things fix socket.failure", "", "solves", "socket.failure"},
		{"what is fixed by cli.direct", "cli.direct", "solves", ""},
		{"which things prevent data loss", "", "prevents", "data.loss"},
		{"what is prevented by fsync", "fsync", "prevents", ""},
		{"which things are related to recall.latency", "", "related_to", "recall.latency"},
		{"which things are part of recall", "", "part_of", "recall"},
		{"which things call store.Open", "", "calls", "store.Open"},
	} {
		q, ok := Route(tt.question)
		if !ok || q.Subject != tt.subject || q.Predicate != tt.predicate || q.Object != tt.object || q.Versus || q.Also != nil {
			t.Errorf("%q: got %+v, %v", tt.question, q, ok)
		}
		if ok {
			if p, swapped, err := LookupPredicate(q.Predicate); err != nil || swapped || p.Name != q.Predicate {
				t.Errorf("%q: predicate %q is none", tt.question, q.Predicate)
			}
		}
	}
}

func TestRouteWhy(t *testing.T) {
	for _, tt := range []struct{ question, names string }{
		{"why does nc.subshell fail?", "nc.subshell.failure nc.subshell.fail nc.subshell"},
		{"why did the build fail", "build.failure build.fail build"},
		{"why is the build failing", "build.failure build.failing build"},
		{"why does the daemon crash", "daemon.crash daemon"},
		{"why does the daemon time out?", "daemon.timeout daemon.time.out daemon"},
		{"why is recall slow", "recall.slow recall"},
		{"what makes recall slow", "recall.slow recall"},
		{"why are integration tests flaky?", "integration.tests.flaky integration.tests"},
	} {
		q, ok := Route(tt.question)
		if got := strings.Join(append([]string{q.Object}, q.Also...), " "); !ok || q.Predicate != "causes" || got != tt.names {
			t.Errorf("%q: got %+v, %v", tt.question, q, ok)
		}
	}
}

func TestRouteVersus(t *testing.T) {
	for _, tt := range []struct{ question, a, b string }{
		{"sqlite vs bbolt", "sqlite", "bbolt"},
		{"SQLite vs. bbolt?", "SQLite", "bbolt"},
		{"tabs versus spaces", "tabs", "spaces"},
		{"compare sqlite and bbolt", "sqlite", "bbolt"},
		{"what is the difference between BM25 and tf.idf?", "BM25", "tf.idf"},
		{"should we use sqlite or bbolt", "sqlite", "bbolt"},
		{"is sqlite better than bbolt?", "sqlite", "bbolt"},
	} {
		q, ok := Route(tt.question)
		if !ok || !q.Versus || q.Subject != tt.a || q.Object != tt.b {
			t.Errorf("%q: got %+v, %v", tt.question, q, ok)
		}
	}
}

func TestRouteContext(t *testing.T) {
	for _, tt := range []struct{ question, subject, object, also, context string }{
		{"what causes socket.failure in prod", "", "socket.failure.in.prod", "socket.failure", "prod"},
		{"what causes the socket failure in the CI?", "", "socket.failure.in.CI", "socket.failure", "CI"},
		{"what fixes the daemon hang on windows", "", "daemon.hang.on.windows", "daemon.hang", "windows"},
		{"what does chitta need in production", "chitta.in.production", "", "chitta", "production"},
		{"what prevents data loss during power cuts", "", "data.loss.during.power.cuts", "data.loss", "power.cuts"},
		{"why does nc.subshell fail in prod?", "", "nc.subshell.failure.in.prod", "nc.subshell.failure nc.subshell.fail nc.subshell", "prod"},
		{"which things need the store at startup", "", "store.at.startup", "store", "startup"},
	} {
		q, ok := Route(tt.question)
		if !ok || q.Subject != tt.subject || q.Object != tt.object || strings.Join(q.Also, " ") != tt.also || q.Context != tt.context {
			t.Errorf("%q: got %+v, %v", tt.question, q, ok)
		}
	}
}

// TestRouteLeavesAlone shows what is left to the search.
func TestRouteLeavesAlone(t *testing.T) {
	for _, question := range []string{
		"", " ", "?", "what", "what is", "what causes", "what causes ?", "vs", "a vs", "vs b", "sqlite vs sqlite", "\x00", "\xff causes \xfe",
		"what is the best way to deploy", "what is going on", "what is going on?", "what is the port of the staging db",
		"what is the port", "what is the plan", "what is our approach", "what is wrong", "what is wrong with the build",
		"what is new", "what is next?", "what's up", "what's left to do", "what is it", "what is this", "what is that error about",
		"what is the meaning of this", "what is happening in production", "what is the status of the release", "what is missing here",
		"what is the name of the database user", "what is a good way to test hooks", "what is required", "what are you doing",
		"what are the open issues", "what are we going to do about the socket", "what is the difference",
		"what causes it", "what causes this?", "what causes the error", "what causes these problems", "what causes tests to fail on CI",
		"what caused him to leave", "what causes the daemon to hang after an upgrade when the socket is gone",
		"what fixes it", "what fixes that?", "how do I fix it", "how do I fix this error", "how do I fix the tests that fail on windows",
		"how do I deploy", "how to write a test", "how does recall work", "what does it require", "what do I need to deploy",
		"what do we need", "what needs to be done", "what needs doing before we can release", "what does this do", "what does chitta do",
		"why", "why is that", "why did we choose sqlite", "why does it fail", "why does this crash", "why is everything slow",
		"why is the sky blue", "why do we need a lock", "who wrote the parser", "when did we switch to sqlite", "where is the config",
		"which port does staging use", "things like socket.failure", "socket.failure", "remember that nc fails", "was ist chitta",
		"was verursacht socket.failure", "what did we decide about sqlite vs bbolt last week when we met", "compare", "compare them",
		"the fix for it", "what replaced it", "what comes next", "what calls", "explain what causes socket.failure",
		"what is caused by it", "what is caused by this", "what is caused by the error", "what was it replaced by", "what was that caused by",
		"what are the causes", "what are the causes of it", "what are the effects of this", "which things", "which things need", "which things need to be done",
		"which things do we need", "which things are there", "which things are slow", "which tests need sqlite", "what is needed", "what is needed by it",
		"what is fixed by now", "what is fixed in the release we made", "what things did we try", "which is better", "what is part of it",
		"what causes it in prod", "what causes this in prod", "what causes the error in prod", "what causes problems on windows", "what fixes it on windows",
		"what causes socket.failure in it", "what causes socket.failure in this", "what causes socket.failure in", "what is chitta in prod",
		"what is the store in the daemon", "what is running in prod", "what is new in go 1.26", "what is wrong in prod", "why does it fail in prod",
		"what happens in prod", "sqlite vs bbolt in prod", "how do I deploy in prod", "what did we do in march", "what do we need in prod",
		"what causes a, b and c", "what causes x; drop table", "what is 42", "what is " + strings.Repeat("x", 1000), strings.Repeat("what causes ", 100_000),
	} {
		if q, ok := Route(question); ok {
			t.Errorf("%.60q: got %+v", question, q)
		}
	}
}

func FuzzRoute(f *testing.F) {
	for _, s := range []string{"what causes x", "a vs b", "why is x slow", "what's \xff", "what is `a` b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, ok := Route(s)
		if !ok {
			return
		}
		for _, name := range slices.Concat([]string{q.Subject, q.Object}, q.Also) {
			if name == "" {
				continue
			}
			if again, err := CanonicalName(name); err != nil || again != name {
				t.Fatalf("%q: name %q, %v", s, name, err)
			}
		}
		if q.Versus != (q.Subject != "" && q.Object != "") || q.Subject == "" && q.Object == "" || q.Versus != (q.Predicate == "") {
			t.Fatalf("%q: %+v", s, q)
		}
	})
}

// BenchmarkRoute asks what is no question to the graph, as most are.
func BenchmarkRoute(b *testing.B) {
	for b.Loop() {
		Route("please have a look at why the integration tests of the daemon fail on the second run after an upgrade")
	}
}
