#ifndef ROWS_MEMBER_PATH_H
#define ROWS_MEMBER_PATH_H

/*
 * Paths to a value inside a value, as the rows of a dialect spell them:
 *
 *     a.b         the member b of the member a
 *     a[].b       the member b of each element of a; a value that is no list is its own element
 *     a.b|c[]     the first of these choices that exists and is not null
 *     /a          from the record of the line, where the value is a part of it
 *     %model      a variable of the reader
 *     'word'      that string
 *     .           the value itself
 *
 * Paths are compiled once; the names in all paths of a table of rows make one tree. A view is one
 * value as such a tree sees it. An object is walked through at most once, when the first of its
 * members is needed, and all its members in the tree are found then:
 *
 *     type|payload.type|payload.role       (value) -- type
 *                                                 '-- payload -- type, role
 */

#include "base/arena.h"
#include "json/members.h"

enum {
	MEMBER_NODES = 128,  /* of a tree: names in different places */
	MEMBER_CHOICES = 4,  /* of a path */
	MEMBER_RECORDS = 16, /* of a tree: names in the record */
};

struct member_names; /* the names of a node's children */

struct member_tree {
	struct arena arena;
	bool is_broken; /* a path has too many choices, names, or an unknown variable */
	unsigned count;
	struct member_node {
		uint8_t parent; /* the first node is its own parent: the value */
		uint8_t index;  /* among the names below the parent */
		struct member_names *below;
	} node[MEMBER_NODES];
	/* The first names of paths from the record, each once. */
	struct str record[MEMBER_RECORDS];
	unsigned records;
};

#define MEMBER_TREE_INIT \
	{ \
		.arena = ARENA_INIT, .count = 1 \
	}

enum member_source {
	MEMBER_VALUE,
	MEMBER_RECORD,
	MEMBER_VARIABLE,
	MEMBER_WORD,
};

struct member_path {
	unsigned choices; /* 0: the path leads nowhere */
	struct member_choice {
		enum member_source source;
		uint8_t node; /* of a value: its node; of a variable: its index */
		/* the value is the elements of a list, and rest is looked up in each */
		bool is_list;
		bool is_plain;   /* one of the value, not of a list */
		struct str rest; /* names that are looked up one by one */
		struct str word; /* JSON */
	} choice[MEMBER_CHOICES];
};

/* The names of variables, ended by NULL, and their values in the same order: JSON, or empty. */
struct member_variables {
	const char *const *names;
	const struct buf *values;
};

struct member_view {
	const struct member_tree *tree;
	struct json_value record;
	const struct member_variables *variables;
	uint64_t picked[MEMBER_NODES / 64]; /* bit n: the children of node n are known */
	struct json_value whole;
	/* The children that are known; those of node n are from first[n] on. */
	unsigned count;
	uint8_t first[MEMBER_NODES];
	struct json_value value[MEMBER_NODES];
};

/* Compiles the path in text, a constant of the program; one without a ptr leads nowhere. A path
 * that cannot be compiled sets is_broken of the tree; tests/unit/rows.c checks all. */
void member_path_compile(struct member_path *path, struct member_tree *tree,
    const struct member_variables *variables, struct str text);

/* The value at a path of names alone, which is not compiled: for few records only. It is the first
 * choice that exists, null or not; of a list, the value in the first element. */
struct json_value member_path_find(struct json_value value, struct str path);

/* The node of that name below the node, or -1 when the tree has none. */
int member_below(const struct member_tree *tree, uint8_t node, struct json_value name);

/* Whether a path from the record begins with the name. */
bool member_has_record(const struct member_tree *tree, struct str name);

/* The index of the variable of that name; if there is none, sets is_broken of the tree. */
uint8_t member_variable(
    struct member_tree *tree, const struct member_variables *variables, struct str name);

/* Makes the view of a value, which is the record itself or a part of it. */
void member_view_open(struct member_view *view, const struct member_tree *tree,
    const struct member_variables *variables, struct json_value record, struct json_value value);

/* Finds the children of the node. */
void member_pick(struct member_view *view, uint8_t node);

/* The names of the first level that the value has, also with null: bit n is the name of index n, if
 * n is less than 64. */
uint64_t member_there(struct member_view *view);

static inline struct json_value
member_value(struct member_view *view, uint8_t node)
{
	const struct member_node *at = &view->tree->node[node];

	if (node == 0)
		return view->whole;
	if ((view->picked[at->parent / 64] >> at->parent % 64 & 1) == 0)
		member_pick(view, at->parent);
	return view->value[view->first[at->parent] + at->index];
}

/* member_find for a path of any kind. */
struct json_value member_find_choice(struct member_view *view, const struct member_path *path);

/* The value at the path; of a list, the first element. Absent when there is none, or only null.
 * Most paths have one choice, or none. */
static inline struct json_value
member_find(struct member_view *view, const struct member_path *path)
{
	const struct member_choice *choice = &path->choice[0];
	struct json_value value = json_absent;

	if (path->choices > 1 || (path->choices == 1 && !choice->is_plain))
		return member_find_choice(view, path);
	if (path->choices == 1)
		value = member_value(view, choice->node);
	return value.type > JSON_NULL ? value : json_absent;
}

/* The value at the first choice of the path, null or not. */
struct json_value member_find_null(struct member_view *view, const struct member_path *path);

/* All values at the path, of the first choice that has one. */
struct member_walk {
	struct json_walk list;
	struct json_value only; /* instead of a list */
	struct str rest;
};

void member_walk_open(
    struct member_walk *walk, struct member_view *view, const struct member_path *path);
bool member_walk_next(struct member_walk *walk, struct json_value *value);

#endif
