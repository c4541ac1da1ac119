#ifndef CTX_DIFF_SIDE_H
#define CTX_DIFF_SIDE_H

/*
 * One side of a comparison (against.h): a request body, or a log. Its messages, or the items of the
 * Responses API (side.c), are read one by one:
 *
 *     while (side_next(&side))
 *             use(side.message);
 *     side.head                  the parts before the messages; complete only now
 *
 * A body is held in memory. A log may be of any format that is read; memory holds one record, or
 * the records that the reader made of one, and the newest context record, which is in force. From
 * the first message with an id on, the whole log is held. Only the messages of the log's own agent
 * are read, without those that later ones forget:
 *
 *     source -> beside -> transcript -> tombstone -> collector
 */

#include "data/line_number.h"
#include "data/queue.h"
#include "data/tombstone.h"
#include "data/walk.h"
#include "face/input/beside.h"
#include "face/transcript.h"

/* The parts of a request before the messages, in the provider's order. */
enum side_head {
	HEAD_MODEL, /* each model has a cache of its own */
	HEAD_TOOLS,
	HEAD_FORMAT, /* of the answer; in the Responses API: text, which contains the format */
	HEAD_SYSTEM,
	HEAD_CHOICE,   /* tool_choice of Anthropic, which is before the messages in its cache */
	HEAD_THINKING, /* thinking of Anthropic, the same */
	HEAD_COUNT,
};

/* The last stage of a log. */
struct side_collector {
	struct stage stage;
	struct side *side;
};

struct side {
	/* Set before the first message: a body is read by its reader, too, and context records and
	 * messages of other agents are included. */
	bool takes_all;
	struct source *source;
	struct beside beside; /* before the source: files that belong to the file */
	struct transcript transcript;
	struct tombstone tombstone;
	struct side_collector collector;
	struct queue made;             /* records that the stages made, or held to the end, … */
	size_t next;                   /* … and the number of the next one to return */
	bool has_come;                 /* the record that the reader took is itself a message */
	bool has_ended;                /* the source and the reader */
	const struct message *message; /* the last one that came */
	/* that message, if it is of a body, or of a record that was made */
	struct message read;
	size_t line;     /* of that message; 0 in a body */
	uint64_t number; /* of that message, from 1 */
	/* its place in the input, or in its log (data/line_number.h) */
	uint64_t place;
	uint64_t made_count;    /* messages so far that a reader made */
	struct verdict verdict; /* on that message, unless it is a context record */
	uint64_t count;         /* its tokens; set by the user of the side */
	bool is_body;
	const char *list;                   /* of a body: the pointer to its messages */
	bool is_lone;                       /* of a body: the only message is a string, at list */
	struct json_value head[HEAD_COUNT]; /* set when side_next has returned false */
	struct str head_name[HEAD_COUNT];   /* the names of these members, the same */
	struct buf text;                    /* the body, or the context record */
	struct buf lone;                    /* that message */
	struct json_walk messages;          /* of a body */
	struct walk walk;
	struct fault *fault;
};

/* source, that of the run or a second one, must be open, and must live as long as the side. */
void side_init(struct side *side, struct run *run, struct source *source);

/* Takes the next message; it lives until the next call. Returns false at the end. Sets the fault,
 * with status 65, when more follows a request body. */
bool side_next(struct side *side);

void side_free(struct side *side);

#endif
