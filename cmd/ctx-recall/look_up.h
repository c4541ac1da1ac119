#ifndef CTX_RECALL_LOOK_UP_H
#define CTX_RECALL_LOOK_UP_H

/*
 * The state that look-ups by key, pattern, words and file share: the archive, and the answer.
 *
 * The results of a search are hits: parts of the answer, in its order. Each is below the heading of
 * its entry, unless the hit before is of the same entry:
 *
 *     [0d9668678dce tool read src/gauge.c, turn 1]
 *     4- double
 *     5: gauge_height(long count) [under 3 keys]
 *     [there is more: ctx-recall log.archive --search count --skip 1]
 */

#include "base/expression/expression.h"
#include "data/archive/archive_index.h"
#include "face/choices/limits.h"

enum { LOOK_UP_TOKENS = 1000 }; /* by default */
#define LOOK_UP_NO_CONTEXT UINT64_MAX

struct look_up_options {
	struct common_options common;
	const char *search;
	const char *words;
	const char *file;
	bool lists;
	uint64_t context; /* lines around a hit, or LOOK_UP_NO_CONTEXT */
	uint64_t skip;
	uint64_t tokens;
	struct estimator_options estimator;
};

/* Lines from first to last, counted from 1. */
struct look_up_range {
	uint64_t first;
	uint64_t last;
};

struct look_up_hit {
	size_t line_end;    /* end of the line in the answer that other entries may have, too */
	size_t end;         /* end of all its lines */
	uint32_t item;      /* the entry of the hit */
	uint32_t last_item; /* the last entry that was found with the same line */
	uint32_t keys;      /* of entries with the same line */
};

struct look_up {
	const struct look_up_options *options;
	const char *archive; /* the operand */
	const char *log;     /* the operand with --file, or NULL */
	struct str digits;   /* of the key, in the operand; empty without KEY */
	struct look_up_range range;
	struct expression pattern; /* of --search */
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct look_up_hit *hit;
	uint32_t hit_count, hit_cap;
	bool has_more;     /* there are more results than the hits */
	struct buf answer; /* in heap memory */
};

/* Whether an answer of text and around, the lines around it, has at most that many tokens. */
bool look_up_fits(struct look_up *recall, struct str text, struct str around, uint64_t tokens);

/* The length of the most whole lines of text that fit into --tokens together with around; if the
 * first line alone does not fit, the most bytes of it that do. */
size_t look_up_fitting(struct look_up *recall, struct str text, struct str around);

/* Sets json to the entry and message to its message. Returns false for an entry that is no message,
 * for the second entry of a key, and for an entry of which the archive also has an earlier
 * state. */
bool look_up_message(
    struct look_up *recall, uint32_t item, struct buf *json, struct message *message);

/* Does the same, and sets text to the text of the entry, and whose to its role and its origin
 * (archive_text_about). */
bool look_up_text(struct look_up *recall, uint32_t item, struct buf *text, struct buf *whose);

/* Appends a line for a record or list: its key, its role, and the beginning of its text. */
void look_up_add_entry(struct look_up *recall, uint32_t item);

/* Appends the heading of an entry to the answer. */
void look_up_add_heading(struct look_up *recall, uint32_t item, struct str whose);

/* Appends a line: its number, the mark and the text; of a line longer than most bytes, only the
 * part around match. */
void look_up_add_line(struct look_up *recall, uint64_t number, char mark, struct str line,
    struct str match, size_t most);

/* Whether the answer is certainly longer than --tokens allows. */
bool look_up_is_full(const struct look_up *recall);

/* Makes the text of the answer from start on a hit. Returns false, and removes that text, if --skip
 * skips the hit. */
bool look_up_add_hit(struct look_up *recall, uint32_t item, size_t start, size_t line_end);

/* Shortens the answer to the hits after --skip that fit into --tokens, and adds the command for the
 * rest. */
void look_up_finish(struct look_up *recall);

/* Parses KEY[:LINES]. Ends the program with status 64 when that is malformed. */
void key_search_parse(struct look_up *recall, const char *text);

/* Sets the answer to the lines of the entry of that key. */
void key_search_run(struct look_up *recall);

/* Sets the pattern. Ends the program with status 64 when --search is no extended regular
 * expression. */
void search_parse(struct look_up *recall);

/* Sets the answer to the lines of the archive's messages that match the pattern, and frees the
 * pattern. */
void search_run(struct look_up *recall);

/* Sets the answer to the passages of the archive's messages that have the words. */
void ranked_search_run(struct look_up *recall);

/* Sets the answer to the newest state of --file in the archive and to the later changes of it. */
void file_state_run(struct look_up *recall);

/* Sets the answer to a line for each message in the archive, in the order of the passes. */
void list_run(struct look_up *recall);

#endif
