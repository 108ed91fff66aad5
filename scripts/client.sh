#!/bin/sh
# client.sh DIR [VERSION]: fetches the client that the end-to-end tests drive
# and prints the path of its binary. It is its vendor's, under its own licence:
# kept in DIR (.cache/client), never committed. Without VERSION it is the pinned
# one, checked against the sum recorded here; of any other, npm checks what the
# registry says of it. Where it cannot be had, one line says why and the exit
# status is 1.
set -eu
pinned=2.1.325
dir=$1
version=${2:-$pinned}

giveup() {
	echo "client: $1" >&2
	exit 1
}

case $(uname -m) in
x86_64 | amd64) arch=x64 ;;
aarch64 | arm64) arch=arm64 ;;
*) giveup "there is none for $(uname -m)" ;;
esac
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$arch
# the package of the platform has the binary alone: no script to run after it,
# and no version of node that it wants
package=@anthropic-ai/claude-code-$platform

# SHA-512 of the pinned version's packages
sum() {
	case $1 in
	linux-x64) echo 06a67332f3ffce02cb2f7e12fbb3b36c6f9cca8169ee0c161d4e64a15c2cc8c953033fb4cd90266d8f94933bed376457c69e8070c7a76d8223409c685df518df ;;
	linux-arm64) echo 342bd070ec6bebce58e26918523413f25fcebb3c34936c5696859ecb37ec52d5a239e747a2c3e4696e97092a73025d5d32ebc334117deeaa568150eb49d2b657 ;;
	darwin-x64) echo fb04cae36213fdbe46647c4055530b3670871bf0ad9e0ced4c4e9f367e6ce21e3b2cd5eb0d0cf64693cbb18e571ebf1ab2d37393b1963d4f0679c086fb910421 ;;
	darwin-arm64) echo 0ecd5fd41faacb60560c8f959e60c7c243724db5c2c05ac1b6b8a73c3f79441994b9b149bbd9c2ccc827fb0ae0e55c3017abed924cc67b1a209de64861929be8 ;;
	esac
}

check() {
	want=$(sum "$platform")
	[ -n "$want" ] || giveup "no sum is recorded for $platform"
	if command -v sha512sum >/dev/null 2>&1; then
		echo "$want  $1" | sha512sum -c >/dev/null 2>&1
	else
		echo "$want  $1" | shasum -a 512 -c >/dev/null 2>&1
	fi
}

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if [ "$version" != latest ] && [ -x "$dir/$version/claude" ]; then
	echo "$dir/$version/claude"
	exit 0
fi
command -v npm >/dev/null 2>&1 || giveup "npm is not installed"
if [ "$version" = latest ]; then
	version=$(npm view --silent --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 "$package" version 2>/dev/null) || version=
	[ -n "$version" ] || giveup "which version is the newest could not be asked"
fi
if [ ! -x "$dir/$version/claude" ]; then
	fresh=$(mktemp -d "$dir/.fetch-XXXXXX")
	trap 'rm -rf "$fresh"' EXIT
	# npm pack runs no script of the package
	tarball=$(cd "$fresh" && npm pack --silent --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 "$package@$version" 2>/dev/null | tail -n 1) || tarball=
	[ -n "$tarball" ] && [ -f "$fresh/$tarball" ] || giveup "$package@$version could not be fetched"
	if [ "$version" = "$pinned" ]; then
		check "$fresh/$tarball" || giveup "$package@$version does not match its recorded sum"
	fi
	tar -xzf "$fresh/$tarball" -C "$fresh" package || giveup "$package@$version could not be unpacked"
	[ -f "$fresh/package/claude" ] || giveup "$package@$version has no binary"
	chmod 0755 "$fresh/package/claude"
	# whoever comes second finds it there
	mv "$fresh/package" "$dir/$version" 2>/dev/null || [ -x "$dir/$version/claude" ] || giveup "$dir/$version could not be written"
fi
echo "$dir/$version/claude"
