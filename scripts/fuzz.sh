#!/bin/sh
# Runs every fuzz target of the project for the given time (30s) or number of
# inputs (2000x) each. A package's tests are built once, not once per target.
set -eu
cd "$(dirname "$0")/.."
time=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for dir in $(grep -rl --include='*_test.go' '^func Fuzz' internal | xargs -n1 dirname | sort -u); do
	${GO:-go} test -c -fuzz . -o "$work/fuzz.test" "./$dir"
	for target in $(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | sort); do
		echo "fuzz $dir $target"
		runs=$time
		case $dir,$time in
		internal/mind,*x) runs=50x ;; # each opens a whole store
		esac
		if ! (cd "$dir" && "$work/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$runs" \
			-test.fuzzminimizetime 1x -test.fuzzcachedir "$work/cache/$dir") </dev/null >"$work/out" 2>&1; then
			# The fuzzer itself sometimes ends this way when its time is up; it is
			# a finding only if there is an input that fails.
			if grep -q 'context deadline exceeded' "$work/out" && ! grep -q 'Failing input written' "$work/out"; then
				continue
			fi
			cat "$work/out"
			exit 1
		fi
	done
done
