#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

/*
 * A stage that puts messages into a view that the log does not have, each at its place:
 *
 *     [context] system ...  START  user ... tool  BEFORE-LAST-USER  user ...  END  [budget]
 *
 * Their origin is "injected", so that no reader takes them for the user's words, and their agent is
 * that of the view. The user's last message is the last one of message_is_request. Injections of
 * one place keep their order.
 *
 * The stage holds budget records; for INJECTION_BEFORE_LAST_USER, the records from the user's last
 * message on; and all records with a command, which reads that message.
 */

#include "data/queue.h"
#include "policy/inject/injection.h"

enum { INJECTION_PLACES = INJECTION_END + 1 };

struct inject {
	struct stage stage;
	uint64_t timeout;  /* of commands, see struct process; set by the caller */
	uint64_t injected; /* how many messages were */
	struct injection *item;
	size_t count;
	size_t cap;
	bool holds_all;
	bool holds_request; /* records from the user's last message on are held */
	struct queue queue;
	/* For each place, the record of the queue that follows it, or QUEUE_NONE. */
	size_t at[INJECTION_PLACES];
	bool is_done[INJECTION_PLACES];
	bool has_begun;    /* the first message came */
	struct buf parent; /* of the first message: what names its agent in metadata, JSON */
	struct buf agent;
	bool has_request;
	struct buf request; /* the text of the user's last message */
};

void inject_init(struct inject *inject);

/* Adds an injection after the others of its place. The stage frees it. Call before the first
 * record. */
void inject_add(struct inject *inject, const struct injection *injection);

/* Makes a stage with the same injections, for another stream. */
void inject_copy(struct inject *inject, const struct inject *from);

void inject_free(struct inject *inject);

#endif
