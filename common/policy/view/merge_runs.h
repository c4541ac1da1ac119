#ifndef VIEW_MERGE_RUNS_H
#define VIEW_MERGE_RUNS_H

/*
 * A stage that joins neighbours of one role to one message: an edit of the first of them.
 *
 *     {"role":"user","content":"a","n":1}
 *     {"role":"user","content":"b"}           {"role":"user","content":"a\nb","n":1}
 *
 * Strings are joined with a separator, and arrays of parts are concatenated; a string beside an
 * array becomes a part. The metadata is that of the first message, without usage and tokens, which
 * no longer hold.
 *
 * Not joined are tool messages, calls, results, thinking, refusals, pinned and compacted messages
 * and artifacts; messages whose members of ctx-message(5) differ, except id, timestamp, tool_name,
 * usage and tokens; messages with more than MERGE_RUNS_MEMBERS members; and a message that has a
 * member of its own that the first one does not have. Any other record, a blank line too, ends a
 * run. So does a line that would get longer than the longest line.
 *
 * A message is held until the next record has come. The joined content of a run is held, too.
 */

#include "data/stage.h"

enum { MERGE_RUNS_MEMBERS = 32 };

/* The members of a message beside its content, its metadata and what identifies it, without those
 * that are null. */
struct merge_runs_members {
	struct json_value name[MERGE_RUNS_MEMBERS];
	struct json_value value[MERGE_RUNS_MEMBERS];
	unsigned count;
};

struct merge_runs {
	struct stage stage;
	struct buf separator; /* as JSON, without quotes */
	uint64_t line_max;    /* bytes */
	uint64_t joined;      /* how many messages were joined to one before them */
	/* The first message of the run, if there is one. The stage owns a copy of its bytes. */
	struct record record;
	struct message first;
	struct merge_runs_members members; /* of the first message; read when they are asked for */
	bool has_members;
	bool is_holding;
	/* The content of the run, as JSON without its last quote or bracket; "" while the first
	 * message is alone. */
	struct buf content;
	bool is_parts;         /* the content is an array */
	size_t rest;           /* bytes of the line beside the content */
	struct json_edit edit; /* of the first record */
	struct buf settled;    /* a record that came with an edit */
};

/* separator is a text, which is copied. line_max is in bytes. */
void merge_runs_init(struct merge_runs *merge, struct str separator, uint64_t line_max);

void merge_runs_free(struct merge_runs *merge);

#endif
