#!/bin/sh
# Runs every fuzz target of the project for the given time each.
set -eu
cd "$(dirname "$0")/.."
time=$1
grep -rl --include='*_test.go' '^func Fuzz' internal | xargs -n1 dirname | sort -u | while read -r dir; do
	grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | sort | while read -r target; do
		echo "fuzz $dir $target"
		${GO:-go} test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "./$dir" </dev/null >"${TMPDIR:-/tmp}/chitta-fuzz.$$" 2>&1 || {
			cat "${TMPDIR:-/tmp}/chitta-fuzz.$$"
			exit 1
		}
	done
done
rm -f "${TMPDIR:-/tmp}/chitta-fuzz.$$"
