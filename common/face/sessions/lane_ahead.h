#ifndef SESSIONS_LANE_AHEAD_H
#define SESSIONS_LANE_AHEAD_H

/*
 * The lane of the next record, fetched into the processor's cache while the next record is still
 * read. With very many sessions a lane is seldom in the cache.
 *
 *     {"role": ... ,"metadata":{"session_id":"a"}}      the record
 *     {"role": ... ,"metadata":{"session_id":"b"}}      the next line: b is as far from the end
 *
 * The key is guessed by its place in the line, as far from the start or from the end of the line as
 * in the record before. A wrong guess costs time only.
 */

#include "face/sessions/lanes.h"

struct lane_ahead {
	struct str key; /* guessed, with its quotes; without bytes: nothing is guessed */
	uint64_t bytes; /* read of the input by then: with more, the key may be overwritten */
	struct hash hash;
	struct lane *lane; /* fetched; NULL: none */
};

/* Guesses the next key. line is the last record of the input, and key is its key. */
void lane_ahead_guess(struct lane_ahead *ahead, const struct lanes *lanes, const struct map *by_key,
    struct str line, struct json_value key);

/* Fetches the lane of the guessed key. */
void lane_ahead_fetch(
    struct lane_ahead *ahead, const struct lanes *lanes, const struct map *by_key);

/* The lane of the key of the next record of the input, or NULL when the guess was wrong. */
struct lane *lane_ahead_find(
    const struct lane_ahead *ahead, const struct lanes *lanes, struct json_value key);

#endif
