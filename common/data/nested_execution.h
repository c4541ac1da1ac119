#ifndef DATA_NESTED_EXECUTION_H
#define DATA_NESTED_EXECUTION_H

/*
 * The nested executions of the running execution, numbered from 1, and which of them are current. A
 * nested execution that no user message began is current until the execution that it interrupted
 * goes on. data/walk.h says which messages are nested.
 */

#include "base/buf.h"
#include "base/hash/map.h"

struct nested_execution {
	size_t id_at; /* in ids */
	size_t id_len;
	uint32_t newest; /* its newest group; UINT32_MAX: more than its results followed */
	uint32_t said;   /* the said of nested_call for that group */
	uint32_t due;    /* calls of that group without a result */
	uint32_t under;  /* the execution that it interrupted; 0: the running execution */
	bool is_asked;   /* a user message that is trace began it, or it began while one with
			  * is_asked waited for a result */
	bool is_current;
};

struct nested_executions {
	struct nested_execution *item;
	uint32_t count, cap;
	uint32_t current; /* the innermost current one, or 0 */
	uint32_t last;    /* the one that has the last message of the thread, or 0 */
	struct buf ids;
	struct map by_id;
};

/* The number of the nested execution whose id has that key, or 0. */
uint32_t nested_find(const struct nested_executions *nested, struct hash key);

/* Begins a nested execution with a new id. Returns its number. */
uint32_t nested_begin(
    struct nested_executions *nested, struct str id, struct hash key, bool is_user);

/* Notes a new group with that many calls in nested execution number. said is the number of messages
 * of the thread so far, without results and nested messages. */
void nested_call(struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t calls,
    uint32_t said);

/* Notes a result for that group. Returns whether the result is in its place. */
bool nested_answer(
    struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t said);

/* Notes a message of nested execution number that is in its place. */
void nested_take(struct nested_executions *nested, uint32_t number, bool is_result, bool is_user);

/* Notes a message of the running execution itself: after that no nested execution is current. */
void nested_leave(struct nested_executions *nested);

/* The id of a nested execution; valid until the next one begins. */
struct str nested_id(const struct nested_executions *nested, uint32_t number);

/* Forgets all nested executions: another execution begins, or the walk ends. */
void nested_free(struct nested_executions *nested);

#endif
