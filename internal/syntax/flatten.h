// Parsing and flattening: one call from Go for one file.
#ifndef CHITTA_FLATTEN_H
#define CHITTA_FLATTEN_H

#include "arena.h"
#include "treesitter.h"

// One node of the flattened tree, in the order of the text, parents first.
typedef struct {
	uint16_t kind;
	uint16_t field;
	uint32_t start, end; // bytes
	uint32_t row;        // of the start
	uint32_t next;       // index after the last node below this one
	uint32_t flags;
} chitta_node;

enum { CHITTA_NAMED = 1, CHITTA_MISSING = 2, CHITTA_ERROR = 4 };
enum { CHITTA_OK = 0, CHITTA_TIMEOUT = 1, CHITTA_MEMORY = 2, CHITTA_LANGUAGE = 3 };

typedef struct {
	chitta_node *nodes; // in the arena
	uint32_t count;
	bool cut; // nodes below the greatest depth were left out
	chitta_arena arena;
} chitta_tree;

// chitta_parse parses src and flattens the tree into out, where it stays until
// the next call. keep[kind] says which anonymous nodes are wanted.
int chitta_parse(const TSLanguage *language, const char *src, uint32_t len, uint64_t limit_ns,
	uint32_t max_depth, const uint8_t *keep, chitta_tree *out);

// chitta_parse_alone does what a program in C does that only parses: what
// chitta_parse is measured against.
int chitta_parse_alone(TSParser *parser, const TSLanguage *language, const char *src, uint32_t len);

#endif
