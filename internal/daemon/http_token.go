package daemon

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"
)

const (
	// tokenBytes is how much of a token is random.
	tokenBytes = 32
	// minToken is the shortest token that is taken: one that somebody wrote by
	// hand must not be guessed either.
	minToken = 32

	// tokenMode lets nobody but the owner read a token, and forOthers is what it
	// must not have.
	tokenMode = 0o600
	forOthers = 0o077
)

// tokenToOneself takes a token's file from other users, should it have been
// written by hand. What they may have read stays known to them, so the log says
// so.
func tokenToOneself(path string, log *slog.Logger) error {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || runtime.GOOS == "windows" { // where modes say nothing
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the token for hooks: %w", err)
	}
	if fi.Mode().Perm()&forOthers == 0 {
		return nil
	}
	if err := os.Chmod(path, tokenMode); err != nil {
		return fmt.Errorf("keep the token for hooks from other users: %w", err)
	}
	log.Warn("other users could read the token for hooks; now they cannot. Remove the file and install again if one may have", "path", path, "mode", fi.Mode().Perm().String())
	return nil
}

// httpToken returns the token of a data directory, made if there is none.
func httpToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newToken(path)
	}
	if err != nil {
		return "", fmt.Errorf("read the token for hooks: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < minToken {
		return "", fmt.Errorf("the token in %s is shorter than %d characters: remove the file, and a new one is made", path, minToken)
	}
	return token, nil
}

func newToken(path string) (string, error) {
	token := hex.EncodeToString(random(tokenBytes))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, tokenMode)
	if err != nil {
		return "", fmt.Errorf("make a token for hooks: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("make a token for hooks: %w", err), os.Remove(path))
	}
	return token, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails, it ends the process instead
	return b
}
