#ifndef CTX_ROUTE_ROUTE_STAGE_H
#define CTX_ROUTE_ROUTE_STAGE_H

/*
 * The stage that routes. Each message gets the members that policy/route.h says it lacks, and the
 * order of the stream stays: a record that must wait is held, and so are all records after it.
 */

#include "face/options/options.h"
#include "held_step.h"
#include "policy/route.h"
#include "metadata_rules.h"
#include "unanswered.h"

struct route_stage {
	struct stage stage;
	struct route route;
	struct held_step hold;
	bool is_ephemeral;                  /* buffers are dropped when their execution is over */
	bool drops_buffers;                 /* each message of a buffer is dropped at once */
	bool has_begun;                     /* a message was emitted, or is in the log */
	bool replays;                       /* the log is taken anew, while hold has records */
	const struct option_list *resolve;  /* ids of failures */
	uint64_t resolved;                  /* a bit for each id that was the id of a failure */
	const struct metadata_rules *rules; /* the stage before this one, or NULL */
	struct unanswered unanswered; /* calls that may become failures that --resolve names */
	size_t dropped;
	struct json_edit *edit; /* of the message in hand */
};

/* edit is used while the stage takes a record or ends, and may be shared by many such stages. The
 * caller frees it after them. */
void route_stage_init(struct route_stage *routing, struct json_edit *edit);

/* Takes a message of the log that the stream continues. It may decide the fate of held records of
 * the stream, which come after it. */
void route_stage_recall(struct route_stage *routing, struct record *record);

/* Forgets the log, since another file has its name: all of its messages are taken again. */
void route_stage_restart(struct route_stage *routing);

/* Call when the messages of that file are taken: the held records of the stream come after them. */
void route_stage_resume(struct route_stage *routing);

void route_stage_free(struct route_stage *routing);

#endif
