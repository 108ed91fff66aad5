//go:build cgo

#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "arena.h"
#include "treesitter.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/mman.h>
#endif

enum {
	STEP = 16,
	SMALL = 64,      // lists of small pieces, up to 1 kB
	BLOCK = 1 << 20, // least size of a block
	KEPT = 32 << 20, // room that is kept between files: that of most
};

struct arena_block {
	arena_block *older;
	size_t size; // of what follows
};

// A piece has its size before it.
typedef struct { size_t size; } head;

static _Thread_local chitta_arena *current;

static head *head_of(void *piece) { return (head *)piece - 1; }

static void *checked(void *piece, size_t size) {
	if (!piece && size > 0) {
		fprintf(stderr, "no memory for a syntax tree: %zu bytes\n", size);
		abort();
	}
	return piece;
}

// Blocks come from the system itself and go back to it: the C library keeps what
// it is given back, once for each thread.
#ifdef _WIN32
static void *map(size_t size) { return malloc(size); }
static void unmap(void *block, size_t size) { (void)size, free(block); }
#else
static void *map(size_t size) {
	void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
	return block == MAP_FAILED ? NULL : block;
}
static void unmap(void *block, size_t size) { munmap(block, size); }
#endif

static void more(chitta_arena *a, size_t need) {
	size_t size = need > BLOCK ? need : BLOCK;
	arena_block *b = checked(map(sizeof *b + size), size);
	b->older = a->blocks;
	b->size = size;
	a->blocks = b;
	a->at = (char *)(b + 1);
	a->end = a->at + size;
}

// fit is the size of the piece that is taken for a want, and which list such
// pieces are in when they are given back: small ones in steps, larger ones by
// powers of two, so that an array which grows again and again finds its like.
static size_t fit(size_t want, unsigned *list) {
	if (want <= (SMALL - 1) * STEP) {
		size_t steps = want ? (want + STEP - 1) / STEP : 1;
		*list = (unsigned)steps;
		return steps * STEP;
	}
	if (want > SIZE_MAX / 2) abort();
	unsigned bits = 10;
	while (((size_t)1 << bits) < want) bits++;
	*list = SMALL + bits;
	return (size_t)1 << bits;
}

static void *take(size_t want) {
	chitta_arena *a = current;
	if (!a) return checked(malloc(want), want);
	unsigned list;
	size_t size = fit(want, &list);
	void *piece = a->free[list];
	if (piece) {
		a->free[list] = *(void **)piece;
		return piece;
	}
	if ((size_t)(a->end - a->at) < size + sizeof(head)) more(a, size + sizeof(head));
	head *h = (head *)a->at;
	a->at += sizeof *h + size;
	h->size = size;
	return h + 1;
}

static void *take_zero(size_t count, size_t each) {
	if (!current) return checked(calloc(count, each), count * each);
	if (each && count > SIZE_MAX / each) abort();
	return memset(take(count * each), 0, count * each);
}

static void give(void *piece) {
	chitta_arena *a = current;
	if (!a) {
		free(piece);
		return;
	}
	if (!piece) return;
	unsigned list;
	fit(head_of(piece)->size, &list);
	*(void **)piece = a->free[list];
	a->free[list] = piece;
}

static void *resize(void *piece, size_t want) {
	chitta_arena *a = current;
	if (!a) return checked(realloc(piece, want), want);
	if (!piece) return take(want);
	size_t size = head_of(piece)->size;
	if (want <= size) return piece;
	unsigned list;
	size_t grown = fit(want, &list);
	if ((char *)piece + size == a->at && grown - size <= (size_t)(a->end - a->at)) {
		a->at += grown - size;
		head_of(piece)->size = grown;
		return piece;
	}
	void *moved = take(want);
	memcpy(moved, piece, size);
	give(piece);
	return moved;
}

void chitta_arena_install(void) { ts_set_allocator(take, take_zero, resize, give); }

void chitta_arena_open(chitta_arena *a) {
	current = a;
	memset(a->free, 0, sizeof a->free);
	size_t all = 0;
	for (arena_block *b = a->blocks; b; b = b->older) all += b->size;
	if (a->blocks && !a->blocks->older && all <= KEPT) {
		a->at = (char *)(a->blocks + 1);
		return;
	}
	// one block as large as those were together: the next text finds all in it
	chitta_arena_free(a);
	more(a, all < KEPT ? all : KEPT);
}

void chitta_arena_close(void) { current = NULL; }

void *chitta_arena_take(size_t size) { return take(size); }

void chitta_arena_free(chitta_arena *a) {
	for (arena_block *b = a->blocks; b;) {
		arena_block *older = b->older;
		unmap(b, sizeof *b + b->size);
		b = older;
	}
	memset(a, 0, sizeof *a);
}
