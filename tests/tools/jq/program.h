#ifndef PROGRAM_H
#define PROGRAM_H

/* The programs of jq, as trees. What is not known here is deferred to the jq of the system. */

#include "value.h"

enum node_kind {
	NODE_IDENTITY,
	NODE_RECURSE,
	NODE_LITERAL,  /* value */
	NODE_INDEX,    /* a[b] */
	NODE_SLICE,    /* a[b:c]; b and c may be NULL */
	NODE_ITERATE,  /* a[] */
	NODE_PIPE,     /* a | b */
	NODE_COMMA,    /* a, b */
	NODE_OPERATOR, /* a op b: an operator on two values */
	NODE_AND,      /* a and b */
	NODE_OR,       /* a or b */
	NODE_ELSE,     /* a // b */
	NODE_ASSIGN,   /* a = b */
	NODE_UPDATE,   /* a |= b; with op, a op= b */
	NODE_IF,       /* if a then b else c end; c may be NULL */
	NODE_TRY,      /* try a catch b; b may be NULL */
	NODE_REDUCE,   /* reduce a as $name (b; c) */
	NODE_FOREACH,  /* foreach a as $name (b; c; d); d may be NULL */
	NODE_BIND,     /* a as $name | b */
	NODE_DEFINE,   /* def name(params): a; b */
	NODE_ARRAY,    /* [a]; a may be NULL */
	NODE_OBJECT,   /* {a: b, ...}: the list of members hangs on next */
	NODE_STRING,   /* "...\(a)...": the parts hang on next */
	NODE_FORMAT,   /* @name */
	NODE_CALL,     /* name(args) */
	NODE_VARIABLE, /* $name */
	NODE_LAST      /* how many there are */
};

#define MOST_ARGS 4

struct node {
	enum node_kind kind;
	/* Of an operator its first character; 'e', 'n', 'l' and 'g' are ==, !=, <= and >=. */
	char op;
	const struct node *a, *b, *c, *d, *next;
	const struct value *value;
	const char *name;
	/* Arguments of a call; names of the parameters of a definition, "$" before a value's. */
	const struct node *args[MOST_ARGS];
	const char *params[MOST_ARGS];
	size_t count;
};

/* Reads a program, or some definitions, which are followed by an identity. */
const struct node *program_parse(const char *text);

#endif
