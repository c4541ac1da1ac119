#ifndef POLICY_NORMALIZE_REPAIR_H
#define POLICY_NORMALIZE_REPAIR_H

/*
 * A stream in, a whole stream out: results stand directly behind their call, in call order; a
 * result that answers no call becomes a message of the user's role; a call whose execution is over
 * gets a result that says that there is none; repeated ids and empty messages go; foreign words for
 * roles become ours. What is right already passes as it is.
 *
 * A record passes at once unless it came where a result is still due. Then it is copied and waits,
 * with all that comes behind it, until the result is there or the stream ends:
 *
 *     written: call   waiting: user, result 2, assistant        result 1 comes: all can go
 */

#include "data/message.h"
#include "policy/normalize/pairs.h"

struct repair_record {
	const struct line *line;
	const struct message *message; /* NULL: not at hand, parse the line's text again */
	enum record_kind kind;
	bool is_given;   /* the record of this repair_add, as it came */
	bool is_changed;
	bool is_made;    /* stands for a result that is missing */
	bool is_outside; /* another agent's */
};

struct repair_sink {
	/* Takes the next record; its line lives until this returns, or is that of repair_add. */
	void (*put)(void *context, const struct repair_record *record);
	/* Hears what is wrong; subject is the id or word in question, as JSON. */
	void (*found)(void *context, enum violation violation, const char *file, size_t line,
	    struct str subject);
	void *context;
};

struct repair {
	struct repair_sink sink;
	bool only_check; /* puts nothing and holds nothing */
	bool whole;      /* bad lines freeze nothing, and only a trailing group may lack results */
	struct pairs pairs;
	struct map ids;  /* every metadata.id of a message that is not pinned */
	struct pair_item *first;
	struct pair_item *last;
	struct buf made[2];  /* lines of changed messages */
	struct buf text;
	struct buf scratch;
};

void repair_init(struct repair *repair, struct repair_sink sink);

/* Takes the next record. */
void repair_add(struct repair *repair, const struct line *line, const struct message *message);

/* The stream ended: puts what waits, and frees everything. */
void repair_finish(struct repair *repair);

#endif
