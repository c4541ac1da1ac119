#ifndef EXPRESSION_EXPRESSION_CODE_H
#define EXPRESSION_EXPRESSION_CODE_H

/*
 * What an expression (base/expression/expression.h) becomes: places, each of which passes a byte or
 * leads to others. Distances are counted from the place itself, so that a run of places may be
 * moved and copied as it is.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/expression/expression_set.h"

/* Places of an expression, each copy of what is repeated by {m,n} counted. */
enum { EXPRESSION_CODE_MAX = 4096 };

enum expression_code_kind {
	EXPRESSION_CODE_MATCH,
	EXPRESSION_CODE_BYTE,  /* passes the byte */
	EXPRESSION_CODE_IN,    /* passes a byte of set x */
	EXPRESSION_CODE_SPLIT, /* goes to x and to y */
	EXPRESSION_CODE_JUMP,  /* goes to x */
	/* Go on to the next place when this holds between two bytes: */
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
	int32_t x, y; /* a set, or the places to go to, as distances */
};

struct expression_code {
	struct expression_code_op *op; /* the last one is EXPRESSION_CODE_MATCH */
	struct expression_set *set;
	uint32_t count, cap, set_count, set_cap;
};

/* Compiles an expression. Returns false, with a phrase in message, when it is malformed or too
 * large; free the code with expression_code_free, whatever comes of it. */
bool expression_code_init(struct expression_code *code, const char *ere, struct buf *message);

void expression_code_free(struct expression_code *code);

#endif
