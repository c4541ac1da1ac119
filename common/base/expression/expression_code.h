#ifndef EXPRESSION_EXPRESSION_CODE_H
#define EXPRESSION_EXPRESSION_CODE_H

/*
 * The compiled form of an expression (base/expression/expression.h): a list of places. A place
 * either matches a byte or leads to other places. Distances are counted from the place itself, so
 * that a run of places can be moved and copied without changes.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/expression/expression_set.h"

/* The most places of an expression. A part that {m,n} repeats counts once for each copy. */
enum { EXPRESSION_CODE_MAX = 4096 };

enum expression_code_kind {
	EXPRESSION_CODE_MATCH,
	EXPRESSION_CODE_BYTE,  /* matches the byte */
	EXPRESSION_CODE_IN,    /* matches a byte of set x */
	EXPRESSION_CODE_SPLIT, /* goes to x and to y */
	EXPRESSION_CODE_JUMP,  /* goes to x */
	/* These match no byte. They go on to the next place when the assertion holds here: */
	EXPRESSION_CODE_BEGIN,      /* ^ */
	EXPRESSION_CODE_END,        /* $ */
	EXPRESSION_CODE_TEXT_BEGIN, /* \` */
	EXPRESSION_CODE_TEXT_END,   /* \' */
	EXPRESSION_CODE_EDGE,       /* \b */
	EXPRESSION_CODE_NO_EDGE,    /* \B */
	EXPRESSION_CODE_WORD_BEGIN, /* \< */
	EXPRESSION_CODE_WORD_END,   /* \> */
};

struct expression_code_op {
	uint8_t kind; /* enum expression_code_kind */
	uint8_t byte;
	int32_t x, y; /* x: the index of a set; or both: the places to go to, as distances */
};

struct expression_code {
	struct expression_code_op *op; /* the last one is EXPRESSION_CODE_MATCH */
	struct expression_set *set;
	uint32_t count, cap, set_count, set_cap;
};

/* Compiles ere. Returns false, with a phrase in message, when ere is malformed or too large. Free
 * the code with expression_code_free in both cases. */
bool expression_code_init(struct expression_code *code, const char *ere, struct buf *message);

void expression_code_free(struct expression_code *code);

#endif
