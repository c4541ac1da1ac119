#ifndef CTX_ROUTE_UNANSWERED_H
#define CTX_ROUTE_UNANSWERED_H

/*
 * Calls that --resolve names, while they have no result. Such a call becomes a failure when its
 * execution is over; its message, which is held until then, is then marked as resolved.
 *
 *     a named call   ->  its result comes          the result may be the failure
 *                    ->  its execution is over     the message is marked
 */

#include "face/options/options.h"
#include "held_step.h"

struct unanswered_call {
	uint32_t number;  /* the walk's number of the call */
	uint32_t message; /* the index in the list of the first call of its message */
	size_t held;      /* the number of its message in the hold; QUEUE_NONE: it is dropped */
	uint64_t named;   /* a bit for each --resolve that names the call or its message */
	bool is_answered;
};

struct unanswered {
	struct unanswered_call *call; /* in the order of their numbers */
	size_t count, cap;
	size_t open; /* calls that are not answered */
	struct buf value;
};

/* Adds the calls of the message on which verdict was given, when one of them is named. Returns
 * whether it added them. */
bool unanswered_add(struct unanswered *unanswered, const struct message *message,
    const struct verdict *verdict, const struct option_list *resolve, size_t held);

/* Notes that a result answers the call of that number, which need not be in the list. */
void unanswered_answer(struct unanswered *unanswered, uint32_t number);

/* Marks the messages in the hold, since their execution is over, and empties the list. Returns a
 * bit for each --resolve that named a failure. */
uint64_t unanswered_mark(struct unanswered *unanswered, struct held_step *hold);

/* Empties the list. */
void unanswered_forget(struct unanswered *unanswered);

void unanswered_free(struct unanswered *unanswered);

#endif
