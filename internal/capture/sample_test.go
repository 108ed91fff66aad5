package capture

import (
	"math/rand/v2"
	"strings"
)

// Samples are put together when the tests run, so that the sources hold
// nothing a scanner for secrets would report.

const (
	hexDigits = "0123456789abcdef"
	lowerNum  = "abcdefghijklmnopqrstuvwxyz0123456789"
	upperNum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	base62    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base64std = base62 + "+/"
)

// random returns n characters, always the same for the same arguments.
func random(n int, alphabet string) string { return randomSeed(n, alphabet, 7) }

func randomSeed(n int, alphabet string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// join hides a telling word from scanners: join("pass", "word").
func join(parts ...string) string { return strings.Join(parts, "") }

// keyBlock returns a private key in armour, without its end if asked.
func keyBlock(label string, whole bool) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + label + "-----\n")
	for i := range 6 {
		b.WriteString(randomSeed(64, base64std, uint64(i)) + "\n")
	}
	if whole {
		b.WriteString(random(30, base64std) + "==\n-----END " + label + "-----")
	}
	return b.String()
}
