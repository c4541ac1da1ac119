#ifndef INPUT_VALUES_H
#define INPUT_VALUES_H

/*
 * JSON values of the input that are no lines: printed over several lines (face/input/document.h),
 * or elements of an array of conversations (face/input/array.h).
 *
 * A value over several lines begins with the first line of an operand that is not blank, if that is
 * an unfinished JSON value; or after such values. An array is split only if the operand begins with
 * it and its first element holds a conversation (chat_is_session). Each value becomes one line,
 * which is an added record without a block, as soon as its last bracket is there. If a value turns
 * out to be no JSON, its lines become records one by one, so that a torn line delays no others.
 */

#include "data/record.h"
#include "face/input/array.h"

enum values_state {
	VALUES_NONE,  /* the next record is a line */
	VALUES_WAIT,  /* the value is not at hand as a whole */
	VALUES_TAKEN, /* the record has the line, without a message */
};

struct values {
	bool is_used;      /* there may be any; else the other members are zeros */
	bool keeps_lines;  /* a value over several lines is a record as it is, and an array too */
	bool is_folded;    /* the next record is a value over several lines */
	unsigned last;     /* the last operand that had a value */
	unsigned searched; /* the last operand that may have begun with an array */
	struct document document;
	struct array array;
	struct buf unfolded;     /* the value at hand on one line */
	uint64_t folded;         /* values that spanned several lines */
	struct line folded_line; /* file and line number of the first of them */
};

/* Takes the next value at hand, where one has begun. */
enum values_state values_next(struct values *values, struct input *in, struct record *record);

/* Does the same if the line of the record, a bad line, begins a value. is_first: the line is the
 * first of its operand that is not blank. With VALUES_NONE the record is as it was. */
enum values_state values_begin(
    struct values *values, struct input *in, struct record *record, bool is_first);

#endif
