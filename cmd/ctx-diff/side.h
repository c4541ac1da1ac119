#ifndef SIDE_H
#define SIDE_H

/*
 * One side of a comparison (against.h): a request body, or a log. Its messages, or the items of the
 * Responses API (item.h), come one by one:
 *
 *     while (side_next(&side))
 *             use(side.message);
 *     side.head                  what stands before the messages; complete only now
 *
 * A body is held. Of a log one record is held, and the newest context record, which is in force. Of
 * a log only the messages of its agent's thread come.
 */

#include "data/walk.h"
#include "face/input/source.h"

/* What a provider puts before the messages, in this order. */
enum side_head {
	HEAD_MODEL, /* each model has a cache of its own */
	HEAD_TOOLS,
	HEAD_FORMAT, /* of the answer; of the Responses API, text, which has the format */
	HEAD_SYSTEM,
	HEAD_CHOICE,   /* tool_choice of Anthropic, which stands before the messages in its cache */
	HEAD_THINKING, /* thinking of Anthropic, the same */
	HEAD_COUNT,
};

struct side {
	struct source *source;
	const struct message *message; /* the last one that came */
	struct message read;           /* the same, of a body */
	size_t line;                   /* of that message; 0 in a body */
	uint64_t number;               /* of that message, from 1 */
	uint64_t count;                /* its tokens; set by the user of the side */
	bool is_body;
	const char *list; /* of a body: the pointer to its messages */
	bool is_lone;     /* of a body: its only message is a string, at that pointer */
	struct json_value head[HEAD_COUNT]; /* set when side_next has returned false */
	struct str head_name[HEAD_COUNT];   /* the names of these members, the same */
	struct buf text;                    /* the body, or the context record */
	struct buf lone;                    /* that message */
	struct json_walk messages;          /* of a body */
	struct walk walk;
	struct fault *fault;
};

/* The source is open, and must live as long as the side. Sets any_document of the source. */
void side_init(
    struct side *side, struct source *source, enum walk_steering steering, struct fault *fault);

/* Takes the next message; it lives until the next call. Returns false at the end. Sets the fault,
 * with status 65, when more follows a request body. */
bool side_next(struct side *side);

void side_free(struct side *side);

#endif
