#ifndef CENSUS_CENSUS_H
#define CENSUS_CENSUS_H

/*
 * The parts of records that their reader does not know: records of a type that no reader reads,
 * parts of a content that match no row, and members that no row reaches. Each is counted under its
 * name, with the first and the last version of the agent in which it was seen.
 *
 *     record NAME             a record of that type
 *     part RECORD NAME        in a record of the type RECORD
 *     member RECORD.PATH      or of a part: member RECORD PART.PATH
 *
 * At most CENSUS_ROWS_MAX names are kept; all others share one counter, so that memory is bounded.
 * Time is linear in the values.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash/map.h"
#include "json/value.h"
#include "stream/input.h"

enum { CENSUS_ROWS_MAX = 4096, CENSUS_NAME_MAX = 200, CENSUS_VERSION_MAX = 32 };

struct dialect;

struct census_version {
	char text[CENSUS_VERSION_MAX];
	size_t len; /* 0: the file has named no version */
};

struct census_row {
	const struct dialect *dialect;
	struct str name; /* starts with the kind: record, part or member */
	struct census_version first, last;
	const char *file; /* the file and the line where it was first seen */
	size_t line;
	uint64_t count;
};

struct census {
	struct census_row *row;
	uint32_t count;
	size_t cap;
	uint64_t others;
	struct map by_name;
	struct arena names;
	const char *file; /* the file of which version is the version */
	struct census_version version;
	struct buf record; /* the type of the newest record */
	struct buf value;  /* the names that precede a member of value in its row */
	bool is_record;    /* value is the record itself */
	struct buf text;
};

/* Notes the type of a record of the dialect, and the version of the agent that the record names.
 * The version holds for the rest of the file. */
void census_see(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value record);

/* Counts a record that no reader reads. */
void census_add_record(struct census *census, const struct dialect *dialect,
    const struct line *line, struct json_value record);

/* Counts a part of the newest record that matches no row. */
void census_add_part(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value part);

/* Makes the value, the newest record or a part of it, the one whose members are counted next. */
void census_open(struct census *census, struct json_value value, bool is_record);

/* Counts a member of the value by its path and name. A path that is not empty ends with '.'. */
void census_add_member(struct census *census, const struct dialect *dialect,
    const struct line *line, struct str path, struct json_value name);

/* Appends all counts as a table for people, ordered by format, and in each format by the newest
 * version first. Appends nothing if nothing was counted. */
void census_write(struct census *census, struct buf *text);

void census_free(struct census *census);

#endif
