#!/bin/sh
# Prints the version of this checkout: that of VERSION, and for anything but a
# tagged commit the commit's time, so that a newer build counts as newer.
set -eu
cd "$(dirname "$0")/.."
base=$(cat VERSION)
if ! commit=$(git rev-parse --short=12 HEAD 2>/dev/null); then
	echo "$base"
	exit
fi
if [ "$(git describe --exact-match --tags 2>/dev/null || true)" = "v$base" ]; then
	echo "$base"
	exit
fi
when=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S)
echo "$base-dev.$when+$commit"
