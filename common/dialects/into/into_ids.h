#ifndef INTO_INTO_IDS_H
#define INTO_INTO_IDS_H

/*
 * Links records by their ids when some of the records are gone.
 */

#include "base/hash/map.h"
#include "dialects/into/into_state.h"
#include "json/edit.h"

struct into_new_batch;

struct into_ids {
	struct into *into;
	struct map unit;  /* id -> unit */
	uint32_t written; /* records written so far */
	struct str asked; /* the id of the user's last record, if records name that; or empty */
};

/* Reads the ids. It must be known which units are gone. */
void into_ids_read(struct into_ids *ids, struct into *into);

/* The id of the record that the new records of the batch follow, JSON, or null. last is the id of
 * the record before the batch. */
struct str into_ids_before(
    const struct into_ids *ids, const struct into_new_batch *batch, struct json_value last);

/* Edits the ids that the unit of that number names: the record before it, and the records that a
 * compaction keeps, to which the new records among them are added. */
void into_ids_edit(const struct into_ids *ids, uint32_t number, struct json_edit *edit);

void into_ids_free(struct into_ids *ids);

#endif
