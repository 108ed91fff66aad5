package graph

import "strings"

// Words that tell arrows of another meaning from causes. They are the usual
// ones of many languages and tools, not those of one project.
var (
	// otherStems begin the words that announce renames, changes, menus, calls,
	// data flow, types and steps.
	otherStems = strings.Fields(`renam replac migrat move moving chang switch updat upgrad bump convert conversion
		map transform refactor instead before after navigat menu click select open rout redirect return type
		signature call flow pipeline step order sequence import symlink link path field file deprecat alias
		translat input output schema endpoint event lifecycle transition saga pattern`)

	// fileEndings are the extensions of files, which arrows rename and open.
	fileEndings = wordSet(`go py js mjs cjs ts jsx tsx vue svelte rs c h cc cpp hpp cs java kt kts scala swift rb php lua
		pl r jl ex exs erl hs ml clj zig dart sh bash zsh fish ps1 bat sql html htm css scss xml json jsonl
		json5 yaml yml toml ini cfg conf md mdx rst txt csv tsv pdf doc docx xls xlsx png jpg jpeg
		gif svg webp ico mp3 mp4 wav zip gz tgz tar bz2 xz 7z jar war whl exe dll so dylib a o iso log
		bak tmp swp db sqlite sqlite3 parquet proto graphql tf hcl mod sum ipynb patch diff pem crt pub
		gitignore dockerfile makefile plist wasm tmpl tpl`)

	// hostEndings end the names of hosts.
	hostEndings = wordSet(`com org net edu gov mil info localhost local internal`)

	// notThings are words that stand at an arrow as a type, a value, an answer
	// or a key, and never as a concept.
	notThings = wordSet(`int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float float32 float64 double
		string str bool boolean byte bytes char rune void unit none null nil undefined true false any object
		array list dict map set tuple vec number bigint date datetime error err self this promise result option
		optional iterator stream yes no ok okay left right up down enter return esc escape tab ctrl alt shift cmd
		todo done pass fail skip old new before after from to here there`)

	// codeRoots begin dotted names in code and nothing else.
	codeRoots = wordSet(`self this super fmt std np pd plt tf nn console document window module exports
		strings strconv errors ctx cls args kwargs req res props`)

	// codeModules begin dotted names in code as often as others. Two names
	// that both begin so are code.
	codeModules = wordSet(`os sys io re time json math logging asyncio subprocess pathlib shutil requests filepath
		bytes bufio fs util utils random datetime typing collections itertools functools threading torch`)

	// namespaces begin paths with double colons in code.
	namespaces = wordSet(`std crate super core alloc boost absl tokio detail internal`)
)

// dataFields end the names of pieces of data. An arrow between two of them
// says where a value goes.
var dataFields = wordSet(`id ids uuid name names mail email title type url uri path key value values length size count
	date text content label address phone role`)

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// isForeign reports whether a lower-case name is that of a file, a host, a
// type, a version or a piece of code.
func isForeign(name string) bool {
	if notThings[name] {
		return true
	}
	segments := strings.Split(name, ".")
	last := segments[len(segments)-1]
	if len(segments) > 1 && (codeRoots[segments[0]] || fileEndings[last] || hostEndings[last] || segments[0] == "www") {
		return true
	}
	for _, s := range segments {
		if isVersion(s) {
			return true
		}
	}
	return false
}

// isRename reports whether an arrow between two names says that one becomes
// the other: they are spelled nearly the same, or one is the other in another
// place, or both are pieces of data.
func isRename(a, b string) bool {
	if strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+".") || strings.HasSuffix(b, "."+a) || strings.HasSuffix(a, "."+b) {
		return true
	}
	if dataFields[a[strings.LastIndexByte(a, '.')+1:]] && dataFields[b[strings.LastIndexByte(b, '.')+1:]] {
		return true
	}
	near := newNearness(a)
	near.other = []rune(b)
	return near.distance() <= near.slips
}

// isVersion reports whether a part of a name is a number, as in 12, v2, 3rc1.
func isVersion(s string) bool {
	digit := strings.IndexAny(s, "0123456789")
	return digit == 0 || digit == 1 && s[0] == 'v'
}

// isCode reports whether a dotted name begins like one of a programming
// language's own.
func isCode(name string) bool {
	first, _, dotted := strings.Cut(name, ".")
	return dotted && codeModules[first]
}
