// Memory for one parse: taken piece by piece, given back all at once.
#ifndef CHITTA_ARENA_H
#define CHITTA_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct {
	arena_block *blocks; // the newest first
	char *at, *end;      // what is left of the newest
	void *free[128];     // pieces given back, by size
} chitta_arena;

// chitta_arena_install has the library take its memory from the arena that is
// open in the same thread, and from malloc where none is.
void chitta_arena_install(void);

// What the library takes between open and close stays until the arena is opened
// again, whatever it did not give back. Some room is kept for the next time.
void chitta_arena_open(chitta_arena *arena);
void chitta_arena_close(void);

// chitta_arena_take is memory that stays as long. An arena must be open.
void *chitta_arena_take(size_t size);

// chitta_arena_free gives everything back.
void chitta_arena_free(chitta_arena *arena);

#endif
