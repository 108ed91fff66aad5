#!/bin/sh
# Builds the binary: build.sh OUT VERSION.
#
# With a C compiler the parsers of code intelligence are part of it, linked
# statically where that is possible: a hook is a process, and loading shared
# libraries would be a sixth of its time. Without one (or with CGO_ENABLED=0) it
# is built without them, and `chitta doctor` says that code intelligence is off.
set -eu
out=$1
ldflags="-s -w -X chitta/internal/config.Version=$2"
go=${GO:-go}

if [ "${CGO_ENABLED:-1}" = 0 ] || ! command -v "$($go env CC)" >/dev/null 2>&1; then
	echo "building without a C compiler: code intelligence will be off" >&2
	CGO_ENABLED=0 $go build -trimpath -ldflags "$ldflags" -o "$out" ./cmd/chitta
	exit
fi

tags=
if [ "$($go env GOOS)" = linux ] && echo 'int main(void) { return 0; }' | $($go env CC) -static -x c - -o /dev/null 2>/dev/null; then
	# names are looked up by Go itself, as static C libraries cannot
	tags=netgo,osusergo
	ldflags="$ldflags -linkmode external -extldflags -static"
fi
if [ ! -e "$out" ]; then
	echo "building; the parsers of nine languages are compiled the first time, which takes a minute or two" >&2
fi
CGO_ENABLED=1 $go build -trimpath -tags "$tags" -ldflags "$ldflags" -o "$out" ./cmd/chitta
