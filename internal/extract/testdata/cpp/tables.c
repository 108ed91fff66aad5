#include "tables.h"

/* A node of a list. */
typedef struct node {
	struct node *next;
	int (*compare)(const void *, const void *);
} node_t;

typedef struct { int a; } anonymous_t, *anonymous_p;
typedef enum { RED, GREEN = 2 } colour_t;
typedef int (*handler_fn)(int, char *);
typedef void plain_fn(int);
enum { SIZE = 4, COUNT };
union value { int i; float f; };

struct operations {
	int (*open)(struct node *);
	void (*close)(struct node *);
	const char *name;
};

static int list_open(struct node *n) { return n->compare(n, n->next); }
static void list_close(struct node *n) { free(n); }

static const struct operations list_operations = {
	.open = list_open,
	.close = &list_close,
	.name = "list",
};

static handler_fn handlers[] = {on_start, [2] = on_stop};

int run(struct operations *ops, node_t *list) {
	struct node head = {0};
	node_t other;
	colour_t c = (colour_t)pick(1);
	if (ops->open(&head))
		return handlers[c](1, "x");
	ops->close((struct node *)list);
	return run(ops, &(node_t){.next = list});
}
