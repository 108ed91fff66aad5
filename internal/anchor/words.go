package anchor

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/expr"
)

// What stands beside a name says whether it is one of code: `parse` may be a
// function, `main` a branch, node.js what runs a program.

// nearName is how much of a text is looked at beside a name, in bytes.
const nearName = 60

var (
	kindBefore = expr.New(`(?:^|[^\pL\d])(functions?|methods?|func|fn|def|helpers?|constructors?|macros?|calls?|calling|class(?:es)?|(?:the|a|this) type|structs?|interfaces?|enums?|traits?|fields?|propert(?:y|ies)|attributes?|const(?:ant)?s?|variables?|vars?) [` + "`" + `"'(]*$`)
	kindAfter  = expr.New(`^[` + "`" + `"')]* (functions?|methods?|helpers?|constructors?|macros?|returns?|takes|accepts|throws|raises|panics|calls|class(?:es)?|types?|structs?|interfaces?|enums?|traits?|fields?|propert(?:y|ies)|attributes?|const(?:ant)?s?|variables?|vars?)(?:[^\pL\d_]|$)`)
	// wordBefore is that nothing stands before a name in its clause, wordAfter
	// that it is what the clause is about.
	wordBefore = expr.New(`(?:^|[.,!?:;]\s|\sand\s|\n)[\s\-*#>]*` + "`" + `$`)
	wordAfter  = expr.New(`^` + "`" + ` ([a-z]+)`)
	// versionAfter is a number as versions are.
	versionAfter = expr.New(`^[` + "`" + `"')]*\s+(?:v|version )?\d+(?:\.[\dx]+)*\+?(?:[^\pL\d]|$)`)
	// inFileAfter and ofFileBefore join a symbol and a file.
	inFileAfter  = expr.New(`^(?:\(\))?[` + "`" + `"')]*(?: (?:function|method|class|type|struct))?\s+(?:\(|\(?(?:in|of|from|inside|within|at)\s+(?:the\s+)?(?:file\s+)?)[` + "`" + `"'(]*$`)
	ofFileBefore = expr.New(`^[` + "`" + `"')]*(?::|::|#|'s|’s)\s*(?:(?:the\s+)?(?:function|method|class|type|struct)\s+)?[` + "`" + `"'(]*$`)
)

// decide looks at what stands beside a name, and reports whether it can be one
// of code.
func (c *called) decide(text string, quoted bool) bool {
	before, after := text[max(0, c.at-nearName):c.at], text[c.end:min(len(text), c.end+nearName)]
	switch {
	case c.file && c.line == 0 && !strings.ContainsAny(c.name, `/\`):
		return quoted || !wellKnown[strings.ToLower(c.name)] && !versionAfter.MatchString(after)
	case !c.weak:
		return true
	}
	if m := kindBefore.FindStringSubmatch(before); m != nil {
		c.weak, c.kinds = false, kindsCalled(m[1])
		return true
	}
	if m := kindAfter.FindStringSubmatch(after); m != nil {
		c.weak, c.kinds = false, kindsCalled(m[1])
		return true
	}
	if m := wordAfter.FindStringSubmatch(after); m != nil && wordBefore.MatchString(before) {
		c.weak = everyday[strings.ToLower(c.name)] || noCode[m[1]]
	}
	return true
}

// kindsCalled says which kinds a word for them means.
func kindsCalled(word string) kindsFor {
	switch word = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(word, "the "), "a "), "this "); {
	case hasAnyPrefix(word, "field", "propert", "attribute"):
		return func(k code.Kind) bool { return k == code.Field || k == code.EnumMember }
	case hasAnyPrefix(word, "const", "var") && !strings.HasPrefix(word, "constructor"):
		return func(k code.Kind) bool { return k == code.Constant || k == code.Variable || k == code.EnumMember }
	case hasAnyPrefix(word, "class", "type", "struct", "interface", "enum", "trait"):
		return code.Kind.Type
	}
	return callableOrType
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// joined says whether a text names a symbol as that of a file: "`x` in f", "f: x()".
func joined(text string, symbol, file *called) bool {
	switch {
	case symbol.at <= file.at && file.end <= symbol.end: // f:x
		return true
	case symbol.end <= file.at && file.at-symbol.end <= nearName:
		return inFileAfter.MatchString(text[symbol.end:file.at])
	case file.end <= symbol.at && symbol.at-file.end <= nearName:
		return ofFileBefore.MatchString(text[file.end:symbol.at])
	}
	return false
}

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

var (
	// wellKnown are names of products that are written like code or like files.
	wellKnown = words(`github gitlab bitbucket typescript javascript coffeescript actionscript postgresql mysql mariadb
		sqlserver mongodb dynamodb couchdb influxdb graphql openai chatgpt youtube linkedin facebook whatsapp paypal
		ios ipados macos tvos watchos iphone ipad ebay devops devsecops gitops oauth openid websocket webassembly webpack
		nodejs nextjs pytorch tensorflow numpy scipy matplotlib fastapi intellij pycharm webstorm goland vscode latex
		powershell cloudfront cloudwatch cloudflare hashicorp jetbrains stackoverflow wordpress readme openapi opentelemetry
		rabbitmq zeromq activemq elasticsearch opensearch clickhouse bigquery databricks springboot junit pytest macbook
		node.js next.js nuxt.js vue.js react.js express.js three.js d3.js ember.js backbone.js angular.js moment.js
		socket.io asp.net vb.net deno.land p5.js chart.js nest.js fly.io`)
	// everyday are words of commands, branches, requests and the like that are
	// names of functions as well.
	everyday = words(`main master dev develop trunk head staging production prod release run test tests build get put post
		delete patch options start stop restart init install uninstall deploy check lint format fmt clean update upgrade add
		remove open close read write print echo list show help version status push pull commit merge rebase fetch clone
		checkout sync login logout save load set make serve watch publish migrate seed reset setup config go git npm yarn
		pnpm cargo docker python node true false null nil none error string int bool default all name id key value data
		type user admin root log debug info warn next new move copy exec exit kill apply plan destroy up down`)
	// noCode are words behind a name that say what it is, and it is no code; or that
	// it is what somebody is to do.
	noCode = words(`branch branches tag tags command commands script scripts job jobs target targets stage step steps flag
		option label labels table tables column columns key directory folder dir queue topic environment env user role
		header headers endpoint service container image before after and or then request requests response package
		keyword binary tool cli the a an me it your all this that each every`)
)
