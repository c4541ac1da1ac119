#ifndef DATA_NESTED_EXECUTION_H
#define DATA_NESTED_EXECUTION_H

/*
 * The nested executions of the running one, numbered from 1, and which of them are current: each
 * that no user message began is, until the one that it interrupted goes on. What makes a message
 * nested is said in data/walk.h.
 */

#include "base/buf.h"
#include "base/hash/hash.h"

struct nested_execution {
	size_t id_at; /* in ids */
	size_t id_len;
	uint32_t newest; /* its newest group; UINT32_MAX: more than its results came since */
	uint32_t said;   /* what nested_call was given for that group */
	uint32_t due;    /* calls of that group without a result */
	uint32_t under;  /* the one that it interrupted; 0: the running execution itself */
	bool is_asked;   /* a user message that is trace began it, or one that is asked called it */
	bool is_current;
};

struct nested_executions {
	struct nested_execution *item;
	uint32_t count, cap;
	uint32_t current; /* the innermost one that is current, or 0 */
	uint32_t last;    /* that of the last message of the thread, or 0 */
	struct buf ids;
	struct map by_id;
};

/* The number of the one whose id has that key; 0: there is none. */
uint32_t nested_find(const struct nested_executions *nested, struct hash key);

/* Begins one with that id, which no other has, and returns its number. */
uint32_t nested_begin(
    struct nested_executions *nested, struct str id, struct hash key, bool is_user);

/* Takes the calls of a group of it. said is the number of messages of the thread by then, results
 * and what is nested left out. */
void nested_call(struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t calls,
    uint32_t said);

/* Takes a result for its group. Returns whether the result is in its place. */
bool nested_answer(
    struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t said);

/* Takes a message of it that is in its place. */
void nested_take(struct nested_executions *nested, uint32_t number, bool is_result, bool is_user);

/* Takes a message of the running execution itself: none is current. */
void nested_leave(struct nested_executions *nested);

/* The id of one; valid until the next one begins. */
struct str nested_id(const struct nested_executions *nested, uint32_t number);

/* Leaves none, as another execution begins without any. */
void nested_free(struct nested_executions *nested);

#endif
