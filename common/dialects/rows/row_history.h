#ifndef ROWS_ROW_HISTORY_H
#define ROWS_ROW_HISTORY_H

/*
 * What later records of a session do to earlier ones. A record of the history is what one record of
 * the source made: no, one or several messages, which the joiner holds.
 *
 *     a, b, c, d  replace b             a, B, c, d      a later record with the same id
 *                 drop from c           a, b            a rewind
 *                 keep from c           c, d            a compaction
 *                 drop all                              the same, of all
 *                 drop the last turn    a, b            where c is the user's
 *                 keep the path to d    a, c, d         where d follows c, and c follows a
 *                 compact, keeping b    d, b, c         where d is the summary
 *
 * Verbs act on the newest session only, and at once. Paths and compactions are made at its end, or,
 * where the session leaves while it grows (row_growth.h), are looked at as often as they change.
 * With joiner->hold unset nothing is taken back, and nothing is held here.
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "dialects/parts/joiner.h"

#define ROW_HISTORY_NONE UINT32_MAX /* no record */

enum row_history_verb {
	ROW_HISTORY_NOTHING,
	ROW_HISTORY_DROP_ALL,
	ROW_HISTORY_DROP_FROM,  /* from the record with that id on; an unknown id drops all */
	ROW_HISTORY_DROP_KNOWN, /* the same; an unknown id drops nothing */
	ROW_HISTORY_DROP_TURNS, /* the last turns, so many */
	ROW_HISTORY_KEEP_TURNS, /* only the records with which turns begin: the user's words */
	ROW_HISTORY_DROP_EACH,  /* the record with that id, or each with one of that list */
	ROW_HISTORY_KEEP_FROM,  /* from the record with that id on; an unknown id keeps nothing */
};

/* Whether the agent still sends a record. */
enum row_history_state {
	ROW_HISTORY_SENT,
	ROW_HISTORY_LEFT,      /* not on the path to the newest record */
	ROW_HISTORY_COMPACTED, /* before the newest compaction, which does not keep it */
};

struct row_history_record {
	struct joiner_thread records; /* its messages */
	struct joined *place;         /* a mark in front of them; NULL: it is never replaced */
	uint32_t parent;              /* or ROW_HISTORY_NONE */
	bool is_turn;                 /* a turn begins with it */
	bool is_gone;
	enum row_history_state state;
	bool is_compaction; /* it is the summary of those before, … */
	uint32_t kept;      /* … but for this one and those behind it; or ROW_HISTORY_NONE */
	uint32_t asked; /* with this one and those behind it, the question; or ROW_HISTORY_NONE */
};

struct row_history {
	struct joiner *joiner;
	struct arena arena;               /* of the records */
	struct row_history_record **list; /* of the newest session */
	uint32_t count, cap;
	struct map by_id; /* id -> index */
	bool is_tree;
	/* Since row_history_look a record came or went that changes what it says of others. */
	bool has_turned;
	/* Of the newest compaction: its summary's index, and that of the question before it; they
	 * come before the record that is the first it keeps. */
	uint32_t summary, question, kept;
	/* The newest record, if it takes the place of an older one; or NULL. */
	struct row_history_record *replacing;
};

/* is_tree: only the path to the newest record is sent. */
void row_history_init(struct row_history *history, struct joiner *joiner, bool is_tree);

/* Ends the session, whose records are released, and begins another. */
void row_history_begin(struct row_history *history);

/* Adds a record, and makes it the newest. It follows the record of that parent, or none if that is
 * null, or, where no record has that id, the one before. With replaces, an earlier record with its
 * id goes, and row_history_settle is due. Returns the record, which lives until the next session;
 * NULL when nothing is held. */
struct row_history_record *row_history_add(
    struct row_history *history, struct json_value id, struct json_value parent, bool replaces);

/* Moves the messages of the newest record to the place of the one that it replaced. */
void row_history_settle(struct row_history *history);

/* What the verb does to all records so far, with the id or the number at its place. */
uint64_t row_history_apply(
    struct row_history *history, enum row_history_verb verb, struct json_value at);

/* Makes the record a compaction that keeps the record of one id, those after it, and the question
 * with the other id. */
void row_history_compact(struct row_history *history, struct row_history_record *record,
    struct json_value keeps, struct json_value asked);

/* Sets the state of each record as it is if the session ends here: only the path from the root to
 * the newest record is sent, and of that what the newest compaction keeps. */
void row_history_look(struct row_history *history);

/* Drops all records but those that are sent, and puts the summary of the newest compaction with its
 * question in front of what it keeps. Adds how many messages went to the two numbers. */
void row_history_finish(struct row_history *history, uint64_t *left, uint64_t *compacted);

/* The first of the record's messages; NULL when it has none. */
struct joined *row_history_first(const struct row_history_record *record);

void row_history_free(struct row_history *history);

#endif
