package codebase

import (
	"bytes"
	"path"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/resolve"
)

// Reasons why a file is left out.
const (
	LeftVendored   = "vendored"   // written elsewhere and copied in
	LeftBuilt      = "built"      // a folder of what was built, where git does not say what belongs
	LeftGenerated  = "generated"  // written by a program
	LeftMinified   = "minified"   // a line that nobody wrote
	LeftLarge      = "too large"  // over MaxFile
	LeftBinary     = "binary"     // a NUL byte in its beginning
	LeftUnreadable = "unreadable" // permission, or not a file
	LeftLink       = "link"       // out of the project, in a circle, or to a file that is there anyway
	LeftNested     = "repository" // of another repository within
	LeftName       = "name"       // a name that is not valid UTF-8
	LeftTimeout    = "timeout"    // parsing took too long
	LeftCrash      = "crash"      // the parser crashed, or hung
	LeftChanging   = "changing"   // changed each time it was read
	LeftFailed     = "not parsed" // any other fault
)

const (
	// MaxFile is beyond what people write by hand.
	MaxFile = 1 << 20
	// maxLine is the length from which a line was not written by a person.
	maxLine = 5000
	// binaryHead is how much is looked at for a NUL byte.
	binaryHead = 8 << 10
	// generatedHead is where tools say that they wrote a file: after a license,
	// before any code.
	generatedHead  = 4 << 10
	generatedLines = 40
)

// vendored names folders whose content was written elsewhere.
var vendored = map[string]bool{
	"vendor": true, "node_modules": true, "third_party": true, "third-party": true, "thirdparty": true,
	"bower_components": true, "jspm_packages": true, ".venv": true, "venv": true, "virtualenv": true,
	"site-packages": true, "dist-packages": true, ".tox": true, ".nox": true, ".eggs": true,
	"__pycache__": true, "Pods": true, "Carthage": true, ".bundle": true, ".yarn": true, ".cargo": true,
}

// built names folders that hold what was built, where git does not say what
// belongs to a project.
var built = map[string]bool{
	"build": true, "dist": true, "target": true, "out": true, "bin": true, "obj": true, "coverage": true,
}

// generatedNames are patterns of files that programs write.
var generatedNames = []string{
	"*.pb.go", "*.pb.gw.go", "*_grpc.pb.go", "zz_generated*.go", "*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py",
	"*.pb.h", "*.pb.cc", "*.pb.cpp", "*_pb.rb", "*_pb.js", "*_pb.ts", "*_pb.d.ts", "*.g.cs", "*.g.i.cs", "*.designer.cs",
	"moc_*.cpp", "ui_*.h", "qrc_*.cpp",
}

// minifiedNames are patterns of files that programs squeeze.
var minifiedNames = []string{"*.min.js", "*.min.mjs", "*.min.cjs", "*-min.js", "*.bundle.js"}

// generatedMark is how programs say that they wrote a file, in a comment.
var generatedMark = expr.New(`^\s*(?://|#|/?\*|--|;|<!--)?.*(?:\bCode generated .*DO NOT EDIT|<auto-?generated|@generated\b)`)

// leftByName says why a file is left out by its path alone, or "".
func leftByName(p string) string {
	dir, base := path.Split(p)
	for segment := range strings.SplitSeq(dir, "/") {
		if vendored[segment] {
			return LeftVendored
		}
	}
	base = strings.ToLower(base)
	if matchesAny(minifiedNames, base) {
		return LeftMinified
	}
	if matchesAny(generatedNames, base) {
		return LeftGenerated
	}
	return ""
}

// leftByText says why a file is left out by what it holds, or "".
func leftByText(text []byte) string {
	if bytes.IndexByte(text[:min(len(text), binaryHead)], 0) >= 0 {
		return LeftBinary
	}
	if generated(text) {
		return LeftGenerated
	}
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if end > maxLine {
			return LeftMinified
		}
		rest = rest[min(end+1, len(rest)):]
	}
	return ""
}

// generated looks for the mark in the comments that a file begins with.
func generated(text []byte) bool {
	head := text[:min(len(text), generatedHead)]
	if !bytes.Contains(head, []byte("generated")) { // which all marks have
		return false
	}
	n := 0
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if n++; n > generatedLines {
			break
		}
		if isComment(line) && generatedMark.MatchString(string(line)) {
			return true
		}
	}
	return false
}

// isComment reports whether a line looks like one of a comment in any of the
// languages: a string that holds the mark does not count.
func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	for _, mark := range []string{"//", "#", "/*", "*", "--", "<!--", `"""`, "=begin", "@generated"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// isManifest reports whether a file says how the project is laid out.
func isManifest(p string) bool { return matchesAny(resolve.ManifestNames, path.Base(p)) }

func matchesAny(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}
