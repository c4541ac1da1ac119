#ifndef SESSIONS_LANES_H
#define SESSIONS_LANES_H

/*
 * One session of a run: the command's stages with a state of their own. The stage before them
 * removes messages that later messages forget (data/tombstone.h), unless the command takes the log
 * as it is.
 *
 *     lane_open -> its stages take records -> lane_end -> lane_finish -> lane_free
 *
 * While a lane ends, diagnostics that name no file name its session.
 */

#include <stdalign.h>

#include "data/tombstone.h"
#include "face/run.h"

enum { SESSIONS_STAGES = 17 };

/* What the lanes of a run share. */
struct lanes {
	struct run *run;
	const struct command *command;
	void *self; /* the command's */
	enum command_forgotten forgotten;
	struct stage *outlet; /* after every lane; NULL: the only lane is linked before the sink */
	struct lane *last;    /* the lane of the last record, or the one that ends; NULL: none */
	bool has_names;       /* diagnostics name the sessions */
	struct buf name;      /* of the lane that ends or is finished */
	size_t label;         /* the offset in name at which the key begins */
	struct buf scratch;
};

/* The bytes of the key follow the command's struct in memory. */
struct lane {
	struct stage *first;
	struct tombstone tombstone;
	uint64_t begin;  /* the place of its first record */
	uint64_t anchor; /* the latest place of a record that it has emitted; 0: none */
	struct json_value key;
	alignas(max_align_t) char session[];
};

/* Opens the lane of a session: its stages, linked. The key is copied; JSON_ABSENT: none. */
struct lane *lane_open(struct lanes *lanes, struct json_value key, uint64_t begin);

/* Prefetches a lane into the processor's cache. With very many sessions the next lane is seldom in
 * the cache, and its stages would wait for each cache line. */
void lane_fetch(const struct lanes *lanes, const struct lane *lane);

void lane_end(struct lanes *lanes, struct lane *lane);

/* Call after all records that the stages have emitted are written. */
void lane_finish(struct lanes *lanes, struct lane *lane);

void lane_free(struct lanes *lanes, struct lane *lane);

/* Lets diagnostics name the file alone again. */
void lanes_unname(struct lanes *lanes);

/* Appends the key as people see it, ended by a NUL. */
void lane_label(struct buf *label, struct json_value key, struct buf *scratch);

#endif
