package capture

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// eachRuleSet runs a test with all rules there are, and with chitta's own
// alone, as in a build without the others.
func eachRuleSet(t *testing.T, test func(*testing.T, *Redactor)) {
	name, _ := RuleSet()
	t.Run(name, func(t *testing.T) { test(t, &Redactor{}) })
	t.Run("own", func(t *testing.T) { test(t, &Redactor{base: newRuleSet(builtinRules())}) })
}

// Each text has one secret, marked by a pair of § that is taken out first.
func TestRedactSecrets(t *testing.T) {
	pass, secret, tok := join("pass", "word"), join("sec", "ret"), join("tok", "en")
	key := join("api", "_key")
	tests := []struct {
		name, text string
	}{
		{"aws access key", "use §" + join("AK", "IA") + random(16, upperNum) + "§ for it"},
		{"aws temporary key", "id §" + join("AS", "IA") + random(16, upperNum) + "§."},
		{"aws secret", join("aws_", secret, "_access_", "key = §") + random(40, base64std) + "§"},
		{"github personal", "§" + join("gh", "p_") + random(36, base62) + "§"},
		{"github app in a sentence", "the token §" + join("gh", "s_") + random(36, base62) + "§, which expired"},
		{"github fine-grained", "§" + join("github", "_pat_") + random(22, base62) + "_" + random(59, base62) + "§"},
		{"gitlab", "§" + join("gl", "pat-") + random(20, base62) + "§"},
		{"slack", "§" + join("xo", "xb-") + random(12, "0123456789") + "-" + random(12, "0123456789") + "-" + random(24, base62) + "§"},
		{"slack webhook", "§https://" + join("hooks.", "slack.com/services/") + "T" + random(8, upperNum) + "/B" + random(8, upperNum) + "/" + random(24, base62) + "§"},
		{"stripe", "§" + join("sk", "_live_") + random(24, base62) + "§"},
		{"anthropic", "§" + join("sk-", "ant-", "api03-") + random(93, base62+"_-") + "AA§"},
		{"openai", "§" + join("sk-", "proj-") + random(48, base62) + "§"},
		{"openai old", "§" + join("sk", "-") + random(48, base62) + "§"},
		{"google", "§" + join("AI", "za") + random(35, base62) + "§"},
		{"npm", "§" + join("np", "m_") + random(36, base62) + "§"},
		{"pypi", "§" + join("py", "pi-") + "AgEIcHlwaS5vcmc" + random(70, base62) + "§"},
		{"azure secret", "§abc8" + join("Q", "~") + random(34, base62) + "§"},
		{"azure storage", join("Account", "Key=§") + random(86, base64std) + "==§"},
		{"azure signature", "https://x.blob.core.windows.net/c?sv=2020&" + join("si", "g=§") + random(40, base62) + "%3D§"},
		{"sendgrid", "§" + join("S", "G.") + random(22, base62) + "." + random(43, base62) + "§"},
		{"huggingface", "§" + join("h", "f_") + random(34, base62) + "§"},
		{"vault", "§" + join("hv", "s.") + random(95, base62) + "§"},
		{"age", "§" + join("AGE-", "SECRET-KEY-1") + random(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L") + "§"},
		{"pem", "§" + keyBlock(join("RSA PRIV", "ATE KEY"), true) + "§\nafter"},
		{"pem truncated", "before §" + keyBlock(join("PRIV", "ATE KEY"), false) + "§"},
		{"openssh", "§" + keyBlock(join("OPENSSH PRIV", "ATE KEY"), true) + "§"},
		{"pgp", "§" + keyBlock(join("PGP PRIV", "ATE KEY BLOCK"), true) + "§"},
		{"pem on one line", `{"key": "§` + strings.ReplaceAll(keyBlock(join("PRIV", "ATE KEY"), true), "\n", `\n`) + `§"}`},
		{"jwt", "§" + join("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.") + random(43, base62) + "§"},
		{"jwt without signature", "§" + join("ey", "JhbGciOiJub25lIn0.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0") + "§ x"},
		{"url", "postgres://app:§" + random(12, lowerNum) + "§@db.internal:5432/app"},
		{"url with symbols", "amqp://app:§p!" + random(5, base62) + "§@mq"},
		{"url token", "https://§" + random(32, base62) + "§@git.example.org/a/b"},
		{"url at sign in the middle", "mysql://root:§s3@cr!t9x§@host/db"},
		{"authorization bearer", join("Authori", "zation: Bearer §") + random(30, base62) + "§"},
		{"authorization basic", join("Authori", "zation: Basic §") + "YWRtaW46aHVudGVyMg==§"},
		{"authorization in code", `"` + join("Authori", "zation", `": "Bearer §`) + random(30, base62) + `§"`},
		{"bearer in a sentence", "sent Bearer §" + random(24, base62) + "§ with it"},
		{"assignment", pass + ` = "§hunter2x§"`},
		{"assignment without digits", pass + ` = "§correcthorse§"`},
		{"colon", pass + ": §hunter2x§"},
		{"yaml word", "db:\n  " + pass + ": §swordfish§\n  port: 5432"},
		{"json", `{"` + pass + `":"§hunter2§","user":"x"}`},
		{"json in a string", `{\"` + pass + `\": \"§hunter2§\"}`},
		{"nested name", `"db` + "Pass" + `word": "§s3cr3t-v4lue§"`},
		{"environment", "export DB_" + strings.ToUpper(pass) + "=§correcthorse§"},
		{"environment with symbols", strings.ToUpper(pass) + "=§a;b&c9d§"},
		{"environment pass", "DB_" + "PASS=§tr0ub4dor§"},
		{"flag", "mysql --" + pass + "=§hunter2x§ db"},
		{"flag with a space", "tool --" + tok + " §a8f3c2d1e9b7§ run"},
		{"xml", "<" + pass + ">§hunter2§</" + pass + ">"},
		{"python", pass + "='§p4ss-phr4se!§'"},
		{"go", `cfg.` + strings.ToUpper(key[:1]) + key[1:] + ` := "§` + random(24, lowerNum) + `§"`},
		{"client secret", join("client_", secret) + `: "§` + random(16, base62) + `§"`},
		{"api key header", join("X-", "Api-", "Key: §") + random(20, lowerNum) + "§"},
		{"token in a query", "GET /x?access_" + tok + "=§" + random(20, base62) + "§&y=1"},
		{"uuid as a token", tok + ": §6f1c2d3e-" + "4a5b-6c7d-8e9f-0a1b2c3d4e5f§"},
		{"hash as a token", secret + ` = "§` + random(40, hexDigits) + `§"`},
		{"subscript", `conf["` + pass + `"] = '§hunter2§'`},
		{"in a sentence", "the staging " + pass + " is §Tr0ub4dor&3§, ask Kim"},
		{"in a sentence, quoted", "its " + pass + " is `§hunter2§` now"},
		{"npmrc", "//registry.example.org/:_auth" + "Token=§" + random(36, lowerNum) + "§"},
		{"high entropy", "it printed §" + random(40, base62) + "§ and stopped"},
		{"high entropy base64", "key material §" + random(43, base64std) + "=§"},
		{"high entropy lower", "value §" + random(32, lowerNum) + "§ there"},
		{"hex beyond any hash", "entropy §" + random(48, hexDigits) + "§"},
		{"long hex without context", "it is §" + random(64, hexDigits) + "§, keep it"},
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				parts := strings.Split(tt.text, "§")
				text, hidden := strings.Join(parts, ""), parts[1]
				clean, found := r.Redact(text)
				if strings.Contains(clean, hidden) {
					t.Fatalf("not redacted: %s", clean)
				}
				if len(found) != 1 {
					t.Fatalf("%d findings %v in %s", len(found), found, clean)
				}
				want := parts[0] + "[redacted:" + found[0].Rule + "]" + parts[2]
				if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(clean)); diff != "" {
					t.Errorf("clean (-want +got):\n%s", diff)
				}
				if got := strings.Trim(text[found[0].Start:found[0].End], "\n"); got != strings.Trim(hidden, "\n") {
					t.Errorf("found %q, want %q", got, hidden)
				}
				if again, more := r.Redact(clean); again != clean || len(more) > 0 {
					t.Errorf("redacted again: %s", again)
				}
			})
		}
	})
}

func TestRedactLeavesAlone(t *testing.T) {
	pass, tok, secret := join("pass", "word"), join("tok", "en"), join("sec", "ret")
	tests := []struct {
		name, text string
	}{
		{"prose", "The daemon listens on a Unix socket; hooks talk to it and fail open."},
		{"prose about passwords", "The " + pass + " is checked against the database before the " + tok + " is issued."},
		{"a rule about passwords", pass + ": must be at least 8 characters"},
		{"password is hashed", "the " + pass + " is bcrypt-hashed with cost 12"},
		{"token is a JWT", "the access " + tok + " is OAuth2, the refresh " + tok + " is opaque"},
		{"git sha", "fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8"},
		{"short sha", "see commit 9fceb02 and e83c516"},
		{"uuid", "session 550e8400-e29b-41d4-a716-446655440000 ended"},
		{"sha256 with label", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		{"sha256 of a file", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  dist/app.tar.gz"},
		{"image digest", "FROM alpine@sha256:4bcff63911fcb4448bd4fdacec207030997caf25e9bea4045fa6c8c44de311d1"},
		{"content hash", "its content hash is 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"},
		{"checksum in a lock file", `checksum = "` + random(64, hexDigits) + `"`},
		{"md5", "md5 d41d8cd98f00b204e9800998ecf8427e"},
		{"go.sum", "github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8="},
		{"go.sum mod", "pgregory.net/rapid v1.3.0/go.mod h1:PY5XlDGj0+V1FCq0o192FdRhpKHGTRIWBgqjDBTrq04="},
		{"npm integrity", `"integrity": "sha512-` + random(86, base64std) + `=="`},
		{"pseudo version", "golang.org/x/exp v0.0.0-20230129092748-24d4a6f8daec"},
		{"version", "go1.26.8 linux/amd64, node v22.3.0, release 2024.01.31-rc.2"},
		{"file path", "/home/someone/projects/chitta/internal/capture/redact_test.go:123"},
		{"build path", "/tmp/go-build3847561029/b001/exe/a8F3kQ9zL2mN7pR4sT6v"},
		{"relative path", "internal/store/migrations/0001_create_initial_tables_v2.sql"},
		{"hidden directory", "cat ~/.cache/tmp/" + random(64, hexDigits) + "/x"},
		{"test result", "--- PASS: TestGetOrCreateSessionID_InvalidUUID/#00 (0.00s)"},
		{"windows path", `C:\Users\Someone\AppData\Local\Temp\a8F3kQ9zL2mN7pR4sT6v\x.txt`},
		{"url path", "https://docs.google.com/document/d/1a8F3kQ9zL2mN7pR4sT6vXyZ0123456789abcdEFG/edit"},
		{"asset name", "assets/index-a8F3kQ9z.js and chunk.3f2a9c0d1e4b5a6c7d8e.js"},
		{"identifier", "TestRedactorHandlesUnclosedPrivateBlocksAtEndOfInput2"},
		{"camel case with numbers", "base64EncodeToStringUtf8ThenSha256HexDigest"},
		{"short camel case words with numbers", "TestToStringMapInt64E and setUpS2I64FlagSetWithDefault"},
		{"variable with a number", "PrivateKey: testEd25519PrivateKey,"},
		{"type of a package", "either a *rsa.PrivateKey, ed25519.PrivateKey or nil"},
		{"changed line", "+0A846FFACD16E92D74B1CFC38263DAED"},
		{"working directory", "PWD=/home/someone/work2 OLDPWD=/home/someone/work1"},
		{"stack resource", "MyStack-LambdaFunction-1ABCD2EFGH3I"},
		{"snake case", "idx_memories_realm_kind_created_at_v2_partial_2024"},
		{"constant", "SQLITE_FCNTL_EXTERNAL_READER_V2_ENABLED_BY_DEFAULT"},
		{"kubernetes pod", "pod web-frontend-7d9f8b6c5d-x2x4z restarted"},
		{"instance id", "i-0abc123def4567890 in subnet-0a1b2c3d4e5f67890"},
		{"message id", "toolu_01A09q90qw90lq917835lq9KXz and msg_01XFDUDYJgAACzvnptvVoYEL"},
		{"message id of an agent", "agent_msg_01XZaJGRT99gUYLMyRwTZoCz"},
		{"signature", `"signature":"` + random(80, base64std) + `"`},
		{"ulid", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
		{"own id", "m_3k9x7q2v5n8w1z4c and p_3m1yrt3gke29e1ma"},
		{"base64 of text", "aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA=="},
		{"ssh public key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + random(43, base64std) + " me@host"},
		{"certificate", "-----BEGIN CERTIFICATE-----\n" + random(64, base64std) + "\n" + random(64, base64std) + "\n-----END CERTIFICATE-----"},
		{"data url", "data:image/png;base64," + random(80, base64std)},
		{"key markers in prose", "a file with -----BEGIN " + join("PRIV", "ATE KEY") + "----- and -----END " + join("PRIV", "ATE KEY") + "-----"},
		{"placeholder angle", tok + " = <your-token>"},
		{"placeholder x", key("api") + ` = "xxxxxxxxxxxxxxxx"`},
		{"placeholder stars", pass + ": ********"},
		{"placeholder variable", pass + ": ${DB_" + strings.ToUpper(pass) + "}"},
		{"placeholder shell", "export " + strings.ToUpper(tok) + "=$OTHER_" + strings.ToUpper(tok)},
		{"placeholder template", tok + `: "{{ .Values.` + tok + ` }}"`},
		{"process.env", tok + ": process.env.GITHUB_" + strings.ToUpper(tok)},
		{"os.Getenv", pass + ` := os.Getenv("DB_` + strings.ToUpper(pass) + `")`},
		{"workflow secret", "github-" + tok + ": ${{ secrets.GITHUB_" + strings.ToUpper(tok) + " }}"},
		{"changeme", pass + `: "changeme"`},
		{"example key", join("AK", "IA") + "IOSFODNN7EXAMPLE"},
		{"call", pass + " = readPassword(stdin)"},
		{"field", tok + " := req.Header.Authorization"},
		{"variable", "user." + pass + " = newPass"},
		{"type", "interface Login { " + pass + ": string; " + tok + ": Token }"},
		{"struct tag", join("Pass", "word") + " string `json:\"" + pass + "\"`"},
		{"compare", "if " + tok + ".Kind == TokenIdent {"},
		{"form field", `<input type="` + pass + `" name="` + pass + `" autocomplete="current-` + pass + `">`},
		{"label", `"` + pass + `": "Password"`},
		{"token count", "max_" + tok + "s: 4096, total_" + tok + "s=15023"},
		{"page token", `"nextPage` + join("Tok", "en") + `": "CAUQAA8F3kQ9"`},
		{"secret name", secret + ": db-credentials-v2"},
		{"primary key", "primary_key: user_id_2024, foreign key = account_id"},
		{"cache key", "cache key: linux-amd64-go1.26-modules-v3"},
		{"keyboard", "key: ctrl+shift+p opens the palette"},
		{"url without password", "ssh://git@github.com/owner/repo and https://user@host/x"},
		{"url default", "postgres://postgres:postgres@localhost:5432/db"},
		{"url placeholder", "postgres://user:<password>@host/db and redis://:${REDIS}@h"},
		{"email", "write to someone@example.org: thanks"},
		{"bearer in prose", "uses Bearer authentication with short-lived tokens"},
		{"authorization placeholder", join("Authori", "zation: Bearer <token>")},
		{"authorization code", join("Authori", "zation") + ": Bearer ${token}"},
		{"time", "2024-01-31T12:34:56.789012345Z took 1234567890123456789 ns"},
		{"trace", "trace_id=4bf92f3577b34da6a3ce929d0e0e4736"},
		{"chinese", "我们决定把端口改为8081，因为8080已经被占用"},
		{"sklearn", "sk-learn-contrib-model-selection-pipeline"},
		{"sourcegraph and a commit", "sourcegraph indexed 9fceb02d0ae598e95dc970b74767f19372d61af8"},
		{"already redacted", "use [redacted:github-token] here, " + pass + "=[redacted:secret-value]"},
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				clean, found := r.Redact(tt.text)
				if len(found) > 0 || clean != tt.text {
					t.Errorf("%v in %s", found, clean)
				}
			})
		}
	})
}

func key(kind string) string { return kind + "_" + join("ke", "y") }

func TestRedactPrivate(t *testing.T) {
	tests := []struct {
		name, text, want string
		found            int
	}{
		{"none", "nothing here", "nothing here", 0},
		{"block", "a <private>b</private> c", "a  c", 1},
		{"words would join", "a<private>b</private>c", "a c", 1},
		{"before a full stop", "a<private>b</private>.", "a.", 1},
		{"case", "a <PRIVATE>b</Private> c", "a  c", 1},
		{"attributes", `a <private reason="x">b</private > c`, "a  c", 1},
		{"lines", "a\n<private>\nb\n</private>\nc", "a\n\nc", 1},
		{"unclosed", "a <private>b c", "a ", 1},
		{"nested", "a <private>b <private>c</private> d</private> e", "a  e", 1},
		{"nested and unclosed", "a <private>b <private>c</private> d", "a ", 1},
		{"two", "<private>a</private> b <private>c</private>", " b ", 2},
		{"closing alone", "a </private> b", "a </private> b", 0},
		{"other tag", "a <privateer>b</privateer>", "a <privateer>b</privateer>", 0},
		{"not a tag", "a < private", "a < private", 0},
		{"tag that forms when one is dropped", "x <private<private>a</private>> rest", "x ", 1},
		{"all", "<private>a</private>", "", 1},
		{"letters of other scripts", "密<private>x</private>码", "密 码", 1},
	}
	var r Redactor
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := r.Redact(tt.text)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			n := 0
			for _, f := range found {
				if f.Rule != rulePrivate || f.Start < 0 || f.End > len(tt.text) || f.Start >= f.End {
					t.Errorf("finding %+v", f)
				}
				n++
			}
			if n < tt.found || tt.found == 0 && n > 0 {
				t.Errorf("%d findings, want %d", n, tt.found)
			}
		})
	}
}

// A secret that only shows once a private passage is gone is still found, and
// its offsets are those of the text as given.
func TestRedactOffsets(t *testing.T) {
	secret := join("gh", "p_") + random(36, base62)
	text := "ä <private>x</private> " + secret + " and <private>y</private> again " + secret + "."
	var r Redactor
	clean, found := r.Redact(text)
	want := "ä  [redacted:github-token] and  again [redacted:github-token]."
	if clean != want {
		t.Errorf("got %q, want %q", clean, want)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.Rule+"="+text[f.Start:f.End])
	}
	if diff := cmp.Diff([]string{
		"private=<private>x</private>", "github-token=" + secret,
		"private=<private>y</private>", "github-token=" + secret,
	}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(found, r.Findings(text)); diff != "" {
		t.Errorf("Findings differ:\n%s", diff)
	}
}

// TestLongWordsAreReadOnce: a word full of keywords takes time that grows with
// it, and not with how many it has.
func TestLongWordsAreReadOnce(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	spend := func(text string) time.Duration {
		best := time.Hour
		for range 3 {
			begun := time.Now()
			r.Redact(text)
			best = min(best, time.Since(begun))
		}
		return best
	}
	const size = 120_000
	plain, full := spend(strings.Repeat("word ", size/5)), spend(strings.Repeat("fm1.", size/4))
	if full > 20*plain+20*time.Millisecond {
		t.Errorf("a word full of keywords takes %v, as much text without any %v", full, plain)
	}
}
