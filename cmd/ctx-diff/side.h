#ifndef CTX_DIFF_SIDE_H
#define CTX_DIFF_SIDE_H

/*
 * One side of a comparison (against.h): a request body, or a log. Its messages, or the items of the
 * Responses API (side.c), come one by one:
 *
 *     while (side_next(&side))
 *             use(side.message);
 *     side.head                  what stands before the messages; complete only now
 *
 * A body is held. A log is read in whatever format it is; held is one record, or what its reader
 * has made of one, and the newest context record, which is in force; from the first message with an
 * id on, all of it. Of a log only the messages of its agent's thread come, without those that later
 * ones forget:
 *
 *     source -> beside -> transcript -> tombstone -> collector
 */

#include "data/line_number.h"
#include "data/queue.h"
#include "data/tombstone.h"
#include "data/walk.h"
#include "face/input/beside.h"
#include "face/transcript.h"

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

/* The last stage of a log. */
struct side_collector {
	struct stage stage;
	struct side *side;
};

struct side {
	/* Set before the first message: a body comes as what its reader makes of it, and context
	 * records and messages of other agents come, too. */
	bool takes_all;
	struct source *source;
	struct beside beside; /* in front of it: what lies beside the file */
	struct transcript transcript;
	struct tombstone tombstone;
	struct side_collector collector;
	struct queue made; /* records that the stages have made, or held to the end, */
	size_t next;       /* the number of the next of them that comes */
	bool has_come;     /* the record that the reader has taken is itself a message */
	bool has_ended;    /* the source and the reader */
	const struct message *message; /* the last one that came */
	struct message read;           /* the same, of a body, or of a record that was made */
	size_t line;                   /* of that message; 0 in a body */
	uint64_t number;               /* of that message, from 1 */
	uint64_t place;                /* where it stands, or is in its log (data/line_number.h) */
	uint64_t made_count;           /* messages so far that a reader made */
	struct verdict verdict;        /* on that message, unless it is a context record */
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

/* The source, that of the run or a second one, is open, and must live as long as the side. */
void side_init(struct side *side, struct run *run, struct source *source);

/* Takes the next message; it lives until the next call. Returns false at the end. Sets the fault,
 * with status 65, when more follows a request body. */
bool side_next(struct side *side);

void side_free(struct side *side);

#endif
