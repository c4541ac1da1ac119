#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

/*
 * A stage that puts messages into a view that the log does not have, each at its place:
 *
 *     [context] FIRST  system ...  START  user ... tool  BEFORE-LAST-USER  user ...  END  [budget]
 *
 * Their origin is "injected", so that no reader takes them for the user's words, and their agent is
 * that of the view. The user's last message is the last one of message_is_request. Injections of
 * one place keep their order.
 *
 * With with_system, the prompt in force, that of the last context record, becomes a system message
 * before all others, and is removed from its record. It is not added if the first message has the
 * same text.
 *
 * The stage holds budget records; for INJECTION_BEFORE_LAST_USER, the records from the user's last
 * message on; and all records with a command or with_system, since both depend on the end.
 */

#include "data/queue.h"
#include "policy/inject/injection.h"

enum { INJECTION_PLACES = INJECTION_END + 1 };

struct inject {
	struct stage stage;
	uint64_t timeout;  /* of commands, see struct process; set by the caller */
	uint64_t injected; /* how many messages were, without the prompt */
	struct injection *item;
	size_t count;
	size_t cap;
	bool with_system;
	bool holds_all;
	bool holds_request; /* records from the user's last message on are held */
	struct queue queue;
	/* For each place, the record of the queue that follows it, or QUEUE_NONE. */
	size_t at[INJECTION_PLACES];
	bool is_done[INJECTION_PLACES];
	bool has_begun;    /* the first message came */
	struct buf parent; /* of the first message: what names its agent in metadata, JSON */
	struct buf agent;
	struct buf first_text; /* its text, where it is a system message */
	struct buf prompt;     /* the prompt in force: a JSON string, or empty */
	bool has_request;
	struct buf request; /* the text of the user's last message */
	struct json_edit edit;
};

void inject_init(struct inject *inject, bool with_system);

/* Adds an injection after the others of its place. The stage frees it. Call before the first
 * record. */
void inject_add(struct inject *inject, const struct injection *injection);

/* Makes a stage with the same injections, for another stream. */
void inject_copy(struct inject *inject, const struct inject *from);

void inject_free(struct inject *inject);

#endif
