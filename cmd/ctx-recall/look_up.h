#ifndef CTX_RECALL_LOOK_UP_H
#define CTX_RECALL_LOOK_UP_H

/*
 * What look-ups by key, pattern, words and file share: the archive that is asked, and the answer.
 *
 * What a search finds are hits: parts of the answer, in its order. Each is below the heading that
 * says whose it is, unless the hit before is of the same entry:
 *
 *     [0d9668678dce tool read src/gauge.c, turn 1]
 *     4- double
 *     5: gauge_height(long count) [under 3 keys]
 *     [there is more: ctx-recall log.archive --search count --skip 1]
 */

#include "base/expression/expression.h"
#include "data/archive/archive_index.h"
#include "face/choices/limits.h"
#include "tokens/estimate.h"

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

/* Lines from first to last, from 1. */
struct look_up_range {
	uint64_t first;
	uint64_t last;
};

struct look_up_hit {
	size_t line_end;    /* of the line that other entries may have, too */
	size_t end;         /* of its lines */
	uint32_t item;      /* whose it is */
	uint32_t last_item; /* the last entry that was found to have it */
	uint32_t keys;      /* of entries that have it */
};

struct look_up {
	const struct look_up_options *options;
	const char *archive; /* the operand */
	const char *log;     /* the operand with --file, or NULL */
	struct str digits;   /* of the key, in the operand; none without KEY */
	struct look_up_range range;
	struct expression pattern; /* of --search */
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct look_up_hit *hit;
	uint32_t hit_count, hit_cap;
	bool has_more;     /* than the hits */
	struct buf answer; /* in heap memory */
};

/* Whether an answer of text and what is around it has at most that many tokens. */
bool look_up_fits(struct look_up *recall, struct str text, struct str around, uint64_t tokens);

/* The length of the most whole lines of text that fit into --tokens with what stands around them;
 * of a line that does not fit alone, the most bytes. */
size_t look_up_fitting(struct look_up *recall, struct str text, struct str around);

/* Sets json to the entry and message to what is in it. Returns false for an entry that is no
 * message, for the second one of a key, and for one of which the archive has what it was before,
 * too. */
bool look_up_message(
    struct look_up *recall, uint32_t item, struct buf *json, struct message *message);

/* Does the same, and sets text to what the entry said, and whose to its role and whose message it
 * was. */
bool look_up_text(struct look_up *recall, uint32_t item, struct buf *text, struct buf *whose);

/* Appends a line for a record or list: its key, whose message it was, and how it begins. */
void look_up_add_entry(struct look_up *recall, uint32_t item);

/* Appends the heading of an entry to the answer. */
void look_up_add_heading(struct look_up *recall, uint32_t item, struct str whose);

/* Appends a line: its number, the mark and the text; of one longer than most bytes, the part around
 * its bytes from match to match_end. */
void look_up_add_line(struct look_up *recall, uint64_t number, char mark, struct str line,
    struct str match, size_t most);

/* Whether the answer is longer than --tokens can be. */
bool look_up_is_full(const struct look_up *recall);

/* Makes the end of the answer, from start, a hit. Returns false, without that text, where --skip
 * leaves the hit out. */
bool look_up_add_hit(struct look_up *recall, uint32_t item, size_t start, size_t line_end);

/* Leaves of the answer the hits behind --skip for which --tokens has room, and the command for the
 * rest. */
void look_up_finish(struct look_up *recall);

/* Parses KEY[:LINES]. Ends the program with status 64 when that is malformed. */
void key_search_parse(struct look_up *recall, const char *text);

/* Sets the answer to the lines of the entry of that key. */
void key_search_run(struct look_up *recall);

/* Sets the pattern. Ends the program with status 64 when --search is no extended regular
 * expression. */
void search_parse(struct look_up *recall);

/* Sets the answer to the lines of the archive's messages that match the pattern, and frees it. */
void search_run(struct look_up *recall);

/* Sets the answer to the passages of the archive's messages that have the words. */
void ranked_search_run(struct look_up *recall);

/* Sets the answer to the newest state of --file and to what changed it since. */
void file_state_run(struct look_up *recall);

/* Sets the answer to a line for each message in the archive, in the order of the passes. */
void list_run(struct look_up *recall);

#endif
