#ifndef ROWS_ROW_HISTORY_H
#define ROWS_ROW_HISTORY_H

/*
 * The effects of later records of a session on earlier ones. A record of the history has the
 * messages that one record of the source made: none, one or several. The joiner holds them.
 *
 *     a, b, c, d  replace b             a, B, c, d      a later record with the same id
 *                 drop from c           a, b            a rewind
 *                 keep from c           c, d            a compaction
 *                 drop all                              a compaction of all
 *                 drop the last turn    a, b            if c is the user's
 *                 keep the path to d    a, c, d         if d follows c, and c follows a
 *                 compact, keeping b    d, b, c         if d is the summary
 *
 * Verbs act at once, and only on the newest session. Paths and compactions take effect at the end
 * of the session, or, if it is emitted while it grows (row_growth.h), whenever they change. With
 * joiner->hold unset, nothing is taken back and nothing is held here.
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "dialects/parts/joiner.h"

#define ROW_HISTORY_NONE UINT32_MAX /* no record */

enum row_history_verb {
	ROW_HISTORY_NOTHING,
	ROW_HISTORY_DROP_ALL,
	ROW_HISTORY_DROP_FROM,  /* from the record with that id on; an unknown id drops all */
	ROW_HISTORY_DROP_KNOWN, /* the same; an unknown id drops nothing */
	ROW_HISTORY_DROP_TURNS, /* the last turns, as many as the number says */
	ROW_HISTORY_KEEP_TURNS, /* keeps only the first record of each turn: the user's words */
	ROW_HISTORY_DROP_EACH,  /* the record with that id, or each with an id of that list */
};

/* Whether the agent still sends a record. */
enum row_history_state {
	ROW_HISTORY_SENT,
	ROW_HISTORY_LEFT,      /* not on the path to the newest record */
	ROW_HISTORY_COMPACTED, /* before the newest compaction, and not kept by it */
};

struct row_history_record {
	struct joiner_thread records; /* its messages */
	struct joined *place;         /* a mark before them; NULL: the record is never replaced */
	uint32_t parent;              /* or ROW_HISTORY_NONE */
	bool is_turn;                 /* it begins a turn */
	bool is_gone;
	enum row_history_state state;
	bool is_compaction; /* it is the summary of the records before it, … */
	uint32_t kept;      /* … without kept and the records after kept; or ROW_HISTORY_NONE */
	uint32_t asked;     /* the question, which is kept with these; or ROW_HISTORY_NONE */
};

struct row_history {
	struct joiner *joiner;
	struct arena arena;               /* of the records */
	struct row_history_record **list; /* of the newest session */
	uint32_t count, cap;
	struct map by_id; /* id -> index */
	bool is_tree;
	/* Since the last row_history_look, a record came or went that changes the state of
	 * others. */
	bool has_turned;
	/* Of the newest compaction: the indexes of its summary and of the question before that;
	 * both go before kept, the first record that the compaction keeps. */
	uint32_t summary, question, kept;
	/* The newest record, if it takes the place of an older one; or NULL. */
	struct row_history_record *replacing;
};

/* is_tree: only the path to the newest record is sent. */
void row_history_init(struct row_history *history, struct joiner *joiner, bool is_tree);

/* Ends the session, after its records were released, and begins another. */
void row_history_begin(struct row_history *history);

/* Adds a record, and makes it the newest. Its parent is the record with the id parent, none if
 * parent is null, and the record before it if no record has that id. With replaces, an earlier
 * record with the same id is removed, and the caller has to call row_history_settle. Returns the
 * record, which lives until the next session; NULL when nothing is held. */
struct row_history_record *row_history_add(
    struct row_history *history, struct json_value id, struct json_value parent, bool replaces);

/* Moves the messages of the newest record to the place of the record that it replaced. */
void row_history_settle(struct row_history *history);

/* Applies the verb to all records so far; at is its id, list of ids, or number. Returns the number
 * of messages dropped. */
uint64_t row_history_apply(
    struct row_history *history, enum row_history_verb verb, struct json_value at);

/* Makes the record a compaction that keeps the record with the id keeps, the records after that
 * one, and the question with the id asked. */
void row_history_compact(struct row_history *history, struct row_history_record *record,
    struct json_value keeps, struct json_value asked);

/* Sets the state of each record as if the session ended here: sent are only records on the path
 * from the root to the newest record, and of these only those that the newest compaction keeps. */
void row_history_look(struct row_history *history);

/* Drops all records that are not sent, and puts the summary of the newest compaction with its
 * question before the records that it keeps. Adds the numbers of dropped messages to *left and
 * *compacted. */
void row_history_finish(struct row_history *history, uint64_t *left, uint64_t *compacted);

/* The first of the record's messages; NULL when it has none. */
struct joined *row_history_first(const struct row_history_record *record);

void row_history_free(struct row_history *history);

#endif
