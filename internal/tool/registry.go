package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/meaning"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// Groups of operations, in the order the reference lists them.
const (
	GroupMemory  = "memory"
	GroupRecall  = "recall"
	GroupSession = "session"
	GroupGraph   = "graph"
	GroupCode    = "code"
	GroupClient  = "client"
	GroupRealm   = "realm"
	GroupCare    = "care"
)

// Groups returns all groups with what they are for, in order.
func Groups() [][2]string {
	return [][2]string{
		{GroupMemory, "Storing, changing and forgetting memories"},
		{GroupRecall, "Finding the right thing again"},
		{GroupSession, "What was said in conversations"},
		{GroupGraph, "What is known of concepts and how they hang together"},
		{GroupCode, "What the source code of projects says"},
		{GroupClient, "What chitta does at the moments of a session"},
		{GroupRealm, "Projects and who sees what"},
		{GroupCare, "Looking after the data"},
	}
}

// All returns every declaration, grouped and in order.
func All() []Def {
	return slices.Concat(memoryTools(), recallTools(), sessionTools(), graphTools(), codeTools(), clientTools(), realmTools(), careTools())
}

// ReadOnly reports whether a name is that of an operation that changes nothing,
// so that a client knows what it may ask for twice.
func ReadOnly(name string) bool {
	for _, d := range All() {
		if d.Name == name || slices.Contains(d.Aliases, name) {
			return d.ReadOnly
		}
	}
	return false
}

func memoryTools() []Def {
	const g = GroupMemory
	return []Def{
		define("remember", g, "Store one self-contained statement as a memory: what was learned, decided, tried, or wanted. What is known already is strengthened instead of stored twice. Secrets are taken out first.", (*mind.Mind).Remember, textRemember),
		define("learn", g, "Store an insight: something understood that will hold next time.", (*mind.Mind).Learn, textRemember),
		define("decide", g, "Store a decision with its reason and what was not chosen.", (*mind.Mind).Decide, textRemember),
		define("get", g, "Show one memory in full.", (*mind.Mind).Get, textView, readOnly),
		define("list", g, "List memories by kind, tag, project, state, time, source or text; newest first, in pages.", (*mind.Mind).List, textList, readOnly),
		define("update", g, "Edit a memory in place: text, kind, tags, project, visibility, pin.", (*mind.Mind).Update, textView),
		define("tag", g, "Add tags to a memory.", (*mind.Mind).Tag, textView),
		define("untag", g, "Take tags from a memory.", (*mind.Mind).Untag, textView),
		define("strengthen", g, "Say that a memory proved right or useful.", (*mind.Mind).Strengthen, textView),
		define("weaken", g, "Say that a memory proved doubtful or useless.", (*mind.Mind).Weaken, textView),
		define("correct", g, "Replace a wrong memory by what is right. Both are kept and linked; the wrong one never outranks the right one again.", (*mind.Mind).Correct, textCorrect),
		define("reject", g, "Mark a memory as wrong without a replacement.", (*mind.Mind).Reject, textView),
		define("verify", g, "Hold memories against the code they name: lists those whose code changed since, with what changed. With id one memory; with accept it was looked at and still holds.", (*mind.Mind).Verify, textVerified),
		define("forget", g, "Forget a memory. It can be brought back for a while, unless it is erased at once with now.", (*mind.Mind).Forget, textForget, destructive, peopleFields("now")),
		define("unforget", g, "Bring back a memory that was forgotten or rejected.", (*mind.Mind).Unforget, textView),
		define("history", g, "Show every change of a memory: who, when, what.", (*mind.Mind).History, textHistory, readOnly),
		define("memory_export", g, "Return memories with their history as lines that memory_import takes back exactly, a page at a time.", (*mind.Mind).Export, textExport, readOnly),
		define("memory_import", g, "Take over lines of memory_export: ids, times, states and history stay. A newer copy replaces an older one.", (*mind.Mind).Import, textJSON[mind.ImportOutput]),
	}
}

func sessionTools() []Def {
	const g = GroupSession
	return []Def{
		define("session_ingest", g, "Take over what is new in a transcript on this machine. Returns after a while with how far it has come; call again until it is done.", (*mind.Mind).SessionIngest, textJSON[ingest.Report]),
		define("session_import", g, "Take over messages of conversations, word for word but for secrets. What is known already is not taken again.", (*mind.Mind).SessionImport, textJSON[mind.SessionImportOutput]),
		define("session_list", g, "List conversations, the last active first: when, which project, what about.", (*mind.Mind).SessionList, textSessions, readOnly),
		define("session_show", g, "Read a conversation a page at a time, what stands around one message, or one message in full, by id or by the SHA-256 of its record.", (*mind.Mind).SessionShow, textShow, readOnly),
		define("session_resume", g, "What is needed to go on with a conversation: directory, branch, last request and answer, open todos, files, the command.", (*mind.Mind).SessionResume, textResume, readOnly),
		define("session_context", g, "What to carry over of a conversation within a token budget: the requests, and of the rest what bears on the next step or is recent; tool output is shortened first.", (*mind.Mind).SessionContext, textSessionContext, readOnly),
		define("session_export", g, "Return a conversation a page at a time: its records as they are stored, Markdown to read, or messages as JSON.", (*mind.Mind).SessionExport, textSessionExport, readOnly),
		define("migration_begin", g, "Note where things stand before all transcripts are taken over.", (*mind.Mind).MigrationBegin, textJSON[mind.MigrationOutput], peopleOnly),
		define("migration_finish", g, "Note that all transcripts were taken over, and count what they brought.", (*mind.Mind).MigrationFinish, textJSON[mind.MigrationOutput], peopleOnly),
		define("migration_rollback", g, "Erase what the last migration brought, a part at a time; call again until it is done.", (*mind.Mind).MigrationRollback, textJSON[mind.MigrationOutput], destructive, peopleOnly),
		define("session_forget", g, "Erase a conversation for good: messages, index entries and vectors. It does not come back with a later import.", (*mind.Mind).SessionForget, textSessionForget, destructive, peopleOnly),
	}
}

func recallTools() []Def {
	const g = GroupRecall
	return []Def{
		define("recall", g, "Find what is remembered about a question: earlier fixes, decisions, failures, preferences, facts of this project. Each result says why it was found, how sure it is and how old.", (*mind.Mind).Recall, textRecall, readOnly),
		define("search", g, "Find what was said, word for word, in all messages of conversations, tool calls and results included: words that all occur, an exact phrase in quotes, or a /regular expression/; by role, time, file, tool and session.", (*mind.Mind).Search, textSearch, readOnly),
		define("context", g, "Everything worth knowing before a task, within a token budget: how the user wants things done, open intentions, pinned memories, and what is remembered about the task.", (*mind.Mind).Context, textContext, readOnly),
		define("explain", g, "Say how something came about: the chain of what led to the passage a question is about, or to the one given, oldest first, each link with how it leads to the next.", (*mind.Mind).Explain, textExplain, readOnly),
		define("predict", g, "Say what is likely to matter next: files, commands and requests seen after similar work here, with how often, how well it went, and where.", (*mind.Mind).Predict, textPredict, readOnly),
		define("blame", g, "Say which sessions changed a file, when, what they were asked for and what was decided; also under other clones and worktrees of the project.", (*mind.Mind).Blame, textBlame, readOnly),
		define("fix", g, "Find earlier occurrences of an error, what was run and edited after it, and whether that made it go away.", (*mind.Mind).Fix, textFix, readOnly),
		define("how", g, "Find commands that worked here for a task, with how often they succeeded, when and where they last ran.", (*mind.Mind).How, textHow, readOnly),
		define("stats", g, "Count what is stored by state, kind, project and source.", (*mind.Mind).Stats, textJSON[mind.StatsOutput], readOnly),
	}
}

func realmTools() []Def {
	const g = GroupRealm
	return []Def{
		define("realm_list", g, "List the projects known, with how much is remembered of each.", (*mind.Mind).RealmList, textRealms, readOnly),
		define("realm_get", g, "Show one project and what it is recognised by.", (*mind.Mind).RealmGet, textJSON[mind.RealmView], readOnly),
		define("realm_set", g, "Rename a project, make it a team's, or add a directory to it.", (*mind.Mind).RealmSet, textJSON[mind.RealmView]),
		define("realm_detect", g, "Say which project a directory belongs to and why.", (*mind.Mind).RealmDetect, textJSON[mind.RealmDetectOutput], readOnly),
		define("realm_visibility", g, "Set who sees new memories of a project unless they say otherwise.", (*mind.Mind).RealmVisibility, textJSON[mind.RealmView]),
	}
}

func careTools() []Def {
	const g = GroupCare
	return []Def{
		define("status", g, "What is stored, where, and what it costs.", (*mind.Mind).Status, textJSON[mind.StatusOutput], readOnly),
		define("model_status", g, "Which embedding model is in use and how far it has come.", (*mind.Mind).Model, textJSON[meaning.Status], readOnly),
		define("model_verify", g, "Embed texts whose vectors are known and compare.", (*mind.Mind).ModelVerify, textJSON[mind.VerifyOutput], readOnly),
		define("model_use", g, "Choose the embedding model: builtin, none, a folder, ollama:NAME or openai:URL. One that does not work is refused; the one before answers until it has embedded everything.", (*mind.Mind).ModelUse, textJSON[mind.ModelUseOutput], peopleOnly),
		define("doctor", g, "Look at everything chitta relies on and say how to mend what is not in order.", (*moment.Keeper).Doctor, textDoctor, readOnly),
		define("version", g, "What is running.", (*mind.Mind).Version, textJSON[mind.VersionOutput], readOnly),
		define("check", g, "Prove that everything stored is sound, a part at a time; call again with next until it is done.", (*mind.Mind).Check, textJSON[mind.CheckOutput], readOnly),
		define("backup", g, "Write a complete copy of the database to a file while everything goes on.", (*mind.Mind).Backup, textJSON[mind.BackupOutput]),
		define("rebuild", g, "Make everything derived anew from what is stored. Returns when that has begun; status shows how far it is.", (*mind.Mind).Rebuild, textJSON[follow.IndexStatus], peopleOnly),
	}
}

// Registry answers calls by name.
type Registry struct {
	rooms  rooms
	defs   map[string]*Def
	called []string // names for suggestions
}

// NewRegistry returns a registry of all operations on a mind and its moments.
func NewRegistry(m *mind.Mind, k *moment.Keeper) *Registry {
	r := &Registry{rooms: rooms{m, k}, defs: map[string]*Def{}}
	all := All()
	for i := range all {
		d := &all[i]
		r.called = append(r.called, d.Name)
		for _, name := range append(d.Aliases, d.Name) {
			r.defs[name] = d
		}
	}
	return r
}

// Known reports whether a name is that of an operation.
func (r *Registry) Known(name string) bool { return r.defs[name] != nil }

// Call runs an operation. Errors are *rpc.Error.
func (r *Registry) Call(ctx context.Context, name string, params json.RawMessage) (any, error) {
	d := r.defs[name]
	if d == nil {
		hint := "chitta tools lists the operations"
		if near := memory.Nearest(name, r.called); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return nil, &rpc.Error{Code: rpc.CodeMethodNotFound, Message: fmt.Sprintf("no operation is called %q", name), Data: &rpc.ErrorData{Hint: hint}}
	}
	from := rpc.CallerFrom(ctx)
	result, err := d.call(ctx, r.rooms, mind.Caller{Actor: from.Client, Session: from.Session, Cwd: from.Cwd}, params)
	if err != nil {
		return nil, WireError(err)
	}
	return result, nil
}
