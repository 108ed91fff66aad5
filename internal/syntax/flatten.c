//go:build cgo

#include "flatten.h"

#include <time.h>

typedef struct { const char *text; uint32_t len; } buffer;

static const char *read_buffer(void *payload, uint32_t at, TSPoint point, uint32_t *got) {
	const buffer *b = payload;
	(void)point;
	if (at >= b->len) {
		*got = 0;
		return "";
	}
	*got = b->len - at;
	return b->text + at;
}

// Time that this thread worked: on a busy machine a text takes no more of it.
static uint64_t now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// The library asks now and then whether to stop.
static bool past(TSParseState *state) {
	return now_ns() > *(const uint64_t *)state->payload;
}

static TSTree *parse(TSParser *parser, const char *src, uint32_t len, uint64_t *deadline) {
	buffer b = { src, len };
	TSInput input = { &b, read_buffer, 0, NULL };
	TSParseOptions options = { deadline, past };
	return ts_parser_parse_with_options(parser, NULL, input, options);
}

// flatten walks with a cursor and a stack of open nodes; a node that is left
// out passes nothing on, as only leaves are left out.
static int flatten(TSTree *tree, uint32_t max_depth, const uint8_t *keep, chitta_tree *out) {
	TSNode root = ts_tree_root_node(tree);
	uint32_t depth = 0, most = ts_node_descendant_count(root);
	uint32_t *open = chitta_arena_take((size_t)(max_depth + 1) * sizeof *open);
	out->nodes = chitta_arena_take((size_t)most * sizeof *out->nodes);
	TSTreeCursor cursor = ts_tree_cursor_new(root);
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		uint16_t kind = ts_node_symbol(node);
		uint16_t field = ts_tree_cursor_current_field_id(&cursor);
		bool named = ts_node_is_named(node), error = ts_node_is_error(node);
		open[depth] = UINT32_MAX;
		if (named || error || field || keep[kind]) {
			if (out->count == most) return CHITTA_MEMORY; // the library counts otherwise
			open[depth] = out->count;
			chitta_node *n = &out->nodes[out->count++];
			n->kind = error ? UINT16_MAX : kind;
			n->field = field;
			n->start = ts_node_start_byte(node);
			n->end = ts_node_end_byte(node);
			n->row = ts_node_start_point(node).row;
			n->next = out->count;
			n->flags = (named ? CHITTA_NAMED : 0) | (error ? CHITTA_ERROR : 0) |
				(ts_node_is_missing(node) ? CHITTA_MISSING : 0);
		}
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			if (depth < max_depth) {
				depth++;
				continue;
			}
			out->cut = true;
			ts_tree_cursor_goto_parent(&cursor);
		}
		bool more;
		while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)) && depth > 0) {
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
			if (open[depth] != UINT32_MAX) out->nodes[open[depth]].next = out->count;
		}
		if (!more) break;
	}
	return CHITTA_OK;
}

static int parse_in_arena(const TSLanguage *language, const char *src, uint32_t len, uint64_t limit_ns,
		uint32_t max_depth, const uint8_t *keep, chitta_tree *out) {
	uint64_t deadline = now_ns() + limit_ns;
	TSParser *parser = ts_parser_new();
	int status = CHITTA_LANGUAGE;
	if (ts_parser_set_language(parser, language)) {
		TSTree *tree = parse(parser, src, len, &deadline);
		status = tree ? flatten(tree, max_depth, keep, out) : CHITTA_TIMEOUT;
	}
	ts_parser_delete(parser); // what scanners of a grammar have is not the arena's
	return status;
}

int chitta_parse(const TSLanguage *language, const char *src, uint32_t len, uint64_t limit_ns,
		uint32_t max_depth, const uint8_t *keep, chitta_tree *out) {
	out->count = 0;
	out->cut = false;
	chitta_arena_open(&out->arena);
	int status = parse_in_arena(language, src, len, limit_ns, max_depth, keep, out);
	chitta_arena_close();
	return status;
}

int chitta_parse_alone(TSParser *parser, const TSLanguage *language, const char *src, uint32_t len) {
	if (!ts_parser_set_language(parser, language)) return CHITTA_LANGUAGE;
	TSTree *tree = ts_parser_parse_string(parser, NULL, src, len);
	if (!tree) return CHITTA_MEMORY;
	ts_tree_delete(tree);
	return CHITTA_OK;
}
