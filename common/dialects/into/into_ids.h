#ifndef INTO_INTO_IDS_H
#define INTO_INTO_IDS_H

/*
 * The ids of records that others name, when some of the records are gone.
 */

#include "dialects/into/into_state.h"
#include "json/edit.h"

struct into_new_batch;

struct into_ids {
	struct into *into;
	struct map unit;  /* of an id */
	uint32_t written; /* records so far */
	struct str asked; /* the id of the user's last record, where others name that; or empty */
};

/* Reads the ids, when it is known which units are gone. */
void into_ids_read(struct into_ids *ids, struct into *into);

/* The id of the record that the new ones of the batch follow, JSON, or null; last is that of the
 * record in front of them. */
struct str into_ids_before(
    const struct into_ids *ids, const struct into_new_batch *batch, struct json_value last);

/* Edits what the unit of that number names: the record before it, and those that a compaction
 * keeps, among which are those that are new between them. */
void into_ids_edit(const struct into_ids *ids, uint32_t number, struct json_edit *edit);

void into_ids_free(struct into_ids *ids);

#endif
