#ifndef FACTS_RETRIES_H
#define FACTS_RETRIES_H

/*
 * Calls that were made more than once and failed on the way: how many of the attempts were dropped,
 * and how the last attempt ended, whether it was dropped or not.
 *
 *     "attempts":[{"call":"bash make test","count":10,"outcome":"error","place":312},
 *         {"call":"edit a.c","key":"0123456789ab","count":2,"outcome":"ok","place":17}]
 *
 * place is that of the message with the last attempt (policy/facts/places.h): later compactions do
 * not change a place, but would change a turn. 0: the attempt was isolated.
 *
 * The label of a call is its tool and its target, or its arguments when it has no target. Where
 * other calls may have that label, too, the key tells the call: the first digits of its digest
 * (data/session/call_digest.h).
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "policy/attempts.h"
#include "policy/facts/places.h"
#include "policy/facts/things.h"

struct retries_call {
	struct str call; /* the label */
	struct str key;  /* "": no other call has the label */
	uint64_t count;
	struct str outcome; /* "ok", "error" or "no result" */
	uint64_t place;     /* of the last attempt; 0: not known */
	struct str listed;  /* its thing in the list; "": it was not made again, or did not fail */
	bool has_failed;    /* in a trace artifact */
};

/* The calls of a list; the things of the list are the JSON objects above, the newest last. */
struct retries {
	struct retries_call *item; /* in the order in which they were first dropped */
	uint32_t count, cap;
	struct map at; /* a key, or a label without one -> its item */
	struct arena arena;
};

void retries_free(struct retries *retries);

/* Adds the call, if it is an attempt of a call that was made more than once and failed. places are
 * those of the session. */
void retries_add(struct retries *retries, struct things *list, const struct session *session,
    const struct attempts *attempts, const struct places *places, uint32_t call);

/* Takes out the attempts of other calls with the same label. The call succeeded, and so reached
 * their goal with other arguments. */
void retries_settle(
    struct retries *retries, struct things *list, const struct session *session, uint32_t call);

/* Adds the call of a trace artifact; a successful call settles others, as above. The item is
 * written once another attempt is added and one of them has failed. label and key are those of
 * retries_add_names. */
void retries_add_trace(struct retries *retries, struct things *list, struct str label,
    struct str key, struct json_value outcome);

/* Adds the items of an artifact: the value of its member "attempts". */
void retries_read(struct retries *retries, struct things *list, struct json_value array);

/* Appends "10 of bash make test (the last failed, message 312)" for a thing of the list. Returns
 * false, and appends nothing, if only one attempt was dropped, or the last attempt succeeded. */
bool retries_show(struct str item, struct buf *text);

/* Appends the label of a call of the tool. The text what is the call's target or arguments. */
void retries_write_label(struct str tool, struct str what, struct buf *text);

/* Appends the label of the call to label, which is empty, and to key the digits of its digest, if
 * another call may have the label. */
void retries_add_names(
    const struct session *session, uint32_t call, struct buf *label, struct buf *key);

#endif
