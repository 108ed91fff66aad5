#!/bin/sh
# Runs every fuzz target of the project for the given time (30s) or number of
# inputs (2000x) each.
set -eu
cd "$(dirname "$0")/.."
time=$1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for dir in $(grep -rl --include='*_test.go' '^func Fuzz' internal | xargs -n1 dirname | sort -u); do
	for target in $(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | sort); do
		echo "fuzz $dir $target"
		runs=$time
		case $dir,$time in
		internal/mind,*x) runs=50x ;; # each opens a whole store
		esac
		if ! ${GO:-go} test -run '^$' -fuzz "^$target\$" -fuzztime "$runs" -fuzzminimizetime 1x "./$dir" </dev/null >"$out" 2>&1; then
			# The fuzzer itself sometimes ends this way when its time is up; it is
			# a finding only if there is an input that fails.
			if grep -q 'context deadline exceeded' "$out" && ! grep -q 'Failing input written' "$out"; then
				continue
			fi
			cat "$out"
			exit 1
		fi
	done
done
