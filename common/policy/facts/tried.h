#ifndef FACTS_TRIED_H
#define FACTS_TRIED_H

/*
 * Calls that were made more than once and failed on the way: how many of the attempts were dropped,
 * and how the last attempt ended, whether it was dropped or not.
 *
 *     "attempts":[{"call":"bash make test","count":10,"outcome":"error"},
 *         {"call":"edit a.c","key":"0123456789ab","count":2,"outcome":"ok"}]
 *
 * The label of a call is its tool and its target, or its arguments when it has no target. Where
 * other calls may have that label, too, the key tells the call: the first digits of its digest
 * (data/session/call_digest.h).
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "json/write.h"
#include "policy/attempts.h"

struct tried_call {
	struct str call; /* the label */
	struct str key;  /* "": no other call has the label */
	uint64_t count;
	struct str outcome; /* "ok", "error" or "no result" */
	bool is_shown;      /* the call was made more than once, and failed */
	bool has_failed;    /* in a trace artifact */
};

struct tried {
	struct tried_call *item; /* in the order in which they were first dropped */
	uint32_t count, cap;
	uint32_t shown;  /* items that are written */
	size_t json_len; /* bytes of the items in a JSON array, between its brackets */
	struct map at;   /* a key, or a label without one -> its item */
	struct arena arena;
	struct buf scratch;
};

void tried_free(struct tried *tried);

/* Adds the call, if it is an attempt of a call that was made more than once and failed. */
void tried_add(struct tried *tried, const struct session *session, const struct attempts *attempts,
    uint32_t call);

/* Adds the call of a trace artifact. The item is written once another attempt is added, and one of
 * them has failed. label and key as below. */
void tried_add_trace(
    struct tried *tried, struct str label, struct str key, struct json_value outcome);

/* Adds the items of an artifact: the value of its member "attempts". */
void tried_read(struct tried *tried, struct json_value array);

/* Appends the label of a call of the tool: its target or its arguments are what. */
void tried_write_label(struct str tool, struct str what, struct buf *text);

/* Appends the label of the call, from its tool and its target, or its arguments. */
void tried_add_label(const struct call *call, struct buf *text);

/* Appends the digits of the digest, where the label does not tell the call. */
void tried_add_key(const struct session *session, uint32_t call, struct str label, struct buf *key);

void tried_write(const struct tried *tried, struct json_writer *w);

#endif
