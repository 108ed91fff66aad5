package capture

import (
	"strings"
	"testing"
)

// Passwords where the name is short or only the program tells. Each text has
// one, marked by a pair of § that is taken out first.
func TestRedactCommandPasswords(t *testing.T) {
	pass := join("pass", "word")
	phrase, short := join("pass", "phrase"), join("pa", "ss")
	s3 := join("S3cret", "Passw0rd")
	tok := random(24, lowerNum)
	tests := []struct {
		name, text string
	}{
		{"mysql", "mysql -u root -p§" + s3 + "§ shop"},
		{"mysql first", "mysql -p§" + s3 + "§"},
		{"mysql quoted", "mysql -uroot -p'§" + s3 + "!§' -h db"},
		{"mysqldump by path", "/usr/bin/mysqldump --single-transaction -p§" + s3 + "§ shop > x.sql"},
		{"mysql in a container", "docker exec db mysql -uroot -p§" + s3 + "§ -e 'select 1'"},
		{"mariadb", "mariadb-admin -p§" + s3 + "§ status"},
		{"docker login", "docker login -u me -p §" + tok + "§"},
		{"docker login with a registry", "docker login registry.example.org -u me -p \"§" + tok + "§\" && docker push x"},
		{"podman login attached", "podman login -ume -p§" + tok + "§ quay.io"},
		{"helm login", "helm registry login -u me -p §geheim123!§ example.org"},
		{"login over two lines", "docker login \\\n  -u me \\\n  -p §" + tok + "§\nnext"},
		{"in backticks", "run `docker login -u me -p §geheim123!§` first"},
		{"in quotes", `sh -c "sshpass -p §geheim123§"`},
		{"sshpass", "sshpass -p §hunter2hunter2§ ssh -p 2222 host"},
		{"sshpass quoted", "sshpass -p '§hunter2!§' scp a host:b"},
		{"curl", "curl -u admin:§geheim123!§ https://example.org/x"},
		{"curl quoted", "curl -s -u 'admin:§geheim123!§' https://example.org/x"},
		{"curl attached", "curl -uadmin:§geheim123§ https://example.org/x"},
		{"curl in full", "curl --user admin:§geheim123§ https://example.org/x"},
		{"curl with an equals sign", "curl --user=admin:§geheim123§ https://example.org/x"},
		{"curl proxy", "curl --proxy-user me:§geheim123§ https://example.org/x"},
		{"end of a command", "docker login -u me -p §hunter2hunter2§; ls"},
		{"in brackets", "(mysql -p§geheim123§)"},
		{"in a sentence", "we ran mysql -p§geheim123§, then stopped"},
		{"pw in a sentence", join("p", "w") + " is §geheim123§"},
		{"PASS given to a program", strings.ToUpper(short) + "=§tr0ub4dor§ ./run"},
		{"mongo", "mongosh -u root -p §geheim123§ shop"},
		{"redis", "redis-cli -h cache -a §geheim123§ ping"},
		{"PGPASSWORD", "PG" + strings.ToUpper(pass) + "=§geheim123§ psql -h db"},
		{"MYSQL_PWD", "MYSQL_" + join("P", "WD") + "=§geheim123§ mysql"},
		{"pw", join("p", "w") + ": §geheim123!§"},
		{"pw in a name", "db_" + join("p", "w") + " = §geheim123§"},
		{"pwd", join("p", "wd") + "=§geheim123!§"},
		{"pass", short + ": §geheim123§"},
		{"user and pass", "user: kim, " + short + ": §geheim123!§, host: db"},
		{"PASS in the environment", "DB_" + strings.ToUpper(short) + "=§geheim123§"},
		{"sentence", pass + " is §hunter2hunter2§"},
		{"sentence with more", "the " + pass + " is §geheim123§ for now"},
		{"sentence, end", "The " + pass + " for staging: the " + pass + " is §hunter2hunter2§."},
		{"sentence with a colon", "the " + pass + " is: §hunter2hunter2§"},
		{"passphrase", phrase + ": §c0rrect!horse§"},
		{"passphrase in a sentence", "its " + phrase + " is §horse7battery9§"},
		{"german", join("Pass", "wort") + ": §geheim123!§"},
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				parts := strings.Split(tt.text, "§")
				text := strings.Join(parts, "")
				clean, found := r.Redact(text)
				if len(found) != 1 {
					t.Fatalf("%v in %s", found, clean)
				}
				// Other rules may take the user too.
				got, _ := strings.CutPrefix(strings.Trim(text[found[0].Start:found[0].End], "'"), "admin:")
				if got != parts[1] {
					t.Errorf("found %q in %s", got, clean)
				}
				if err := checkRedaction(r, text); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// Both users of one command are found, and many commands are done at once.
func TestRedactSeveralCommandPasswords(t *testing.T) {
	const secret = "geheim123"
	var r Redactor
	for _, text := range []string{
		"curl -U me:" + secret + " -u you:" + secret + "4 https://example.org",
		strings.Repeat("curl -u me:"+secret+" ", 40),
		"curl " + strings.Repeat("-u me:"+secret+" ", 2),
		"sshpass -p " + secret + " ssh host mysql -p" + secret,
		"mysql " + strings.Repeat("-h é ", 101) + "-p" + strings.Repeat("é1", 50),
	} {
		clean, _ := r.Redact(text)
		if strings.Contains(clean, secret) {
			t.Errorf("%s became %s", text, clean)
		}
		if err := checkRedaction(&r, text); err != nil {
			t.Error(err)
		}
	}
}

// What looks like an option with a password and is none.
func TestRedactLeavesCommandsAlone(t *testing.T) {
	pass := join("pass", "word")
	short, pw, pwd := join("pa", "ss"), join("p", "w"), join("p", "wd")
	tests := []string{
		"docker run -p 8080:80 nginx",
		"docker run -p 80:80 web1",
		"docker run --name mysql -p3306:3306 mysql:8",
		"docker run --name mysql -p 127.0.0.1:3306:3306 mysql:8",
		"docker run -u 1000:1000 image2",
		"mkdir -p dir/sub2/deep3",
		"mkdir -pv mysql-5.7/data",
		"ps -p 1234",
		"ssh -p 2222 host1.example.org",
		"mysql -u root -p shop2024",
		"mysql -u root -p",
		"mysql -P 3306 -h db1",
		"mysql -port=3306 -h db",
		"mysql -p$MYSQL_PWD shop",
		"mysql -p\"${DB_PASS}\" shop",
		"mysql is slow; mkdir -p1/2/3/4/5x",
		"mysql && cp -pr2abcd x",
		"docker login -u me --" + pass + "-stdin",
		"docker login -u me -p $TOKEN_2",
		"docker login -u me -p $TOKEN_2; mkdir -p dir2/sub3",
		"docker login -u me && mkdir -p dir2/sub3",
		"docker login -u me -p <token-123>",
		"docker login -u me -p " + join("your", "-token-1"),
		"the user must login -p is not needed2",
		"after login to portal2 use -p something2",
		"sshpass -e ssh -p 2222 host",
		"sshpass -p \"$SSHPASS\" ssh host",
		"sshpass -p $X ssh host mkdir -p /var/www2",
		"curl -u admin:" + pass + " https://example.org",
		"curl -u admin https://example.org:8443/x",
		"curl -u $USER:$PASS1 https://example.org",
		"curl -H 'Accept: a/b' -o file2.tar.gz https://example.org:8443/x",
		"curl --user-agent agent:1.2.3456 https://example.org",
		"python -u script:main2x",
		"redis-cli -p 6379 ping",
		"the " + pass + " is stored in the vault",
		pass + " is required",
		"the " + pass + " is sha256 hashed",
		"the " + pass + " is argon2id",
		"the " + pass + " is base64 encoded",
		"the " + pass + " is 12characters long",
		"the " + pass + " is at least 12 characters",
		"the " + pass + " is user-specific2",
		short + ": true",
		short + ": pending",
		short + ": 12 fail: 3",
		short + ": 100%",
		"second " + short + ": utf8mb4 rows",
		"PASS: TestThing123",
		"ok " + strings.ToUpper(short) + ": case12 done",
		pwd + "=/home/someone/work2",
		pwd + ": /tmp/a8F3kQ9zL2/x",
		pwd + "=$(pwd)",
		pwd + ": projects",
		pw + ": string",
		pw + " := newPw()",
		pw + " = await playwright2.chromium()",
		"upward: a1b2c3d4",
		phrase() + ": at least 6 words",
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, text := range tests {
			if clean, found := r.Redact(text); len(found) > 0 || clean != text {
				t.Errorf("%s became %s (%v)", text, clean, found)
			}
		}
	})
}

func phrase() string { return join("pass", "phrase") }

// The words around a token explain it only as words of their own, right
// before it.
func TestHashContext(t *testing.T) {
	secret, hex40, hex64, b64 := random(40, base62), random(40, hexDigits), random(64, hexDigits), random(43, base64std)+"="
	tests := []struct {
		text string
		left bool
	}{
		{"we decided to use " + secret, false},
		{"we chose to use " + secret, false},
		{"the street server takes " + secret, false},
		{"login for the image service: " + secret, false},
		{"the container takes " + secret, false},
		{"image: " + secret, false},
		{"hashicorp gave us " + secret, false},
		{"hashicorp: " + secret, false},
		{"misha: " + secret, false},
		{"a commitment: " + secret, false},
		{"the hash is wrong, use " + secret, false},
		{"the commit broke the login with " + secret, false},
		{"the tree server takes " + hex64, false},
		{"the image server key " + hex64, false},
		{"spanning " + hex64, false},

		{"hash: " + secret, true},
		{`"contentHash": "` + secret + `"`, true},
		{"content_hash=" + b64, true},
		{"sha256-" + b64, true},
		{"SHA256:" + b64, true},
		{"gitSha: " + hex64, true},
		{"the sha256 of the file is " + hex64, true},
		{"hashes: " + hex64, true},
		{"signature is " + b64, true},
		{"ETag: \"" + secret + `"`, true},
		{"fingerprint " + b64, true},
		{"tree " + hex40, true},
		{"container " + hex64, true},
		{"container_id=" + hex64, true},
		{`"containerId":"` + hex64 + `"`, true},
		{"layer: " + hex64, true},
		{"image@" + hex64, true},
		{"blob=" + hex64, true},
		{"cid: bafy" + random(55, "abcdefghijklmnopqrstuvwxyz234567"), true},
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, tt := range tests {
			if clean, found := r.Redact(tt.text); (len(found) == 0) != tt.left {
				t.Errorf("%s became %s", tt.text, clean)
			}
		}
	})
}
