// The part of tree-sitter's C interface that this package calls, declared here
// because a Go module cannot name the headers of another. The library itself is
// compiled by the pinned Go binding; a test parses with it in every language,
// so that a release with another interface shows.
#ifndef CHITTA_TREESITTER_H
#define CHITTA_TREESITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t at, TSPoint point, uint32_t *got);
	int encoding;
	void *decode;
} TSInput;
typedef struct { void *payload; uint32_t at; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress)(TSParseState *state); } TSParseOptions;

extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

extern TSParser *ts_parser_new(void);
extern void ts_parser_delete(TSParser *);
extern bool ts_parser_set_language(TSParser *, const TSLanguage *);
extern TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
extern TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
extern void ts_tree_delete(TSTree *);
extern TSNode ts_tree_root_node(const TSTree *);

extern uint16_t ts_node_symbol(TSNode);
extern bool ts_node_is_named(TSNode);
extern bool ts_node_is_missing(TSNode);
extern bool ts_node_is_error(TSNode);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern TSPoint ts_node_start_point(TSNode);
extern uint32_t ts_node_descendant_count(TSNode);

extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);

extern uint32_t ts_language_symbol_count(const TSLanguage *);
extern const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
extern uint32_t ts_language_field_count(const TSLanguage *);
extern const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

#endif
