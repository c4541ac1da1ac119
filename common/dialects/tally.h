#ifndef DIALECTS_TALLY_H
#define DIALECTS_TALLY_H

/*
 * Counts of records by name; the name is usually the record's member type. Names beyond the first
 * TALLY_MAX are counted together, along with names that are too long. A zeroed tally is empty.
 */

#include "json/write.h"

enum { TALLY_MAX = 64, TALLY_NAME_MAX = 64 };

struct tally_row {
	char name[TALLY_NAME_MAX];
	size_t len;
	uint64_t count;
};

struct tally {
	struct tally_row row[TALLY_MAX];
	unsigned rows;
	uint64_t others;
	uint64_t sum;
};

/* Count one record of that name, or many. */
void tally_add(struct tally *tally, struct str name);
void tally_add_many(struct tally *tally, struct str name, uint64_t count);

/* Takes back one record that was counted under that name. */
void tally_remove(struct tally *tally, struct str name);

/* Adds all that another tally has. */
void tally_add_all(struct tally *tally, const struct tally *more);

/* Puts the names with the highest counts first. */
void tally_sort(struct tally *tally);

/* The record's member type, or its kind of JSON value when it has no type. */
struct str tally_name(struct json_value record);

/* Counts a record by its member type, or by its kind of JSON value when it has no type. */
void tally_add_record(struct tally *tally, struct json_value record);

/* Writes an object: each name and its count, without counts that were taken back. */
void tally_write(const struct tally *tally, struct json_writer *w);

/* Appends "16 progress, 2 summary". */
void tally_say(const struct tally *tally, struct buf *text);

#endif
