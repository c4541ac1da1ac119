#ifndef CENSUS_CENSUS_H
#define CENSUS_CENSUS_H

/*
 * What records have that their reader does not know: records of types that nothing reads, parts of
 * a content that no row is of, and members that no row reaches. Each is counted under its name,
 * with the versions of the agent between which it was seen.
 *
 *     record NAME             a record of that type
 *     part RECORD NAME        in a record of the type RECORD
 *     member RECORD.PATH      and of a part: member RECORD PART.PATH
 *
 * At most CENSUS_ROWS_MAX names are kept, and others are counted together, so that memory is
 * bounded. Time is linear in the values.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash/hash.h"
#include "json/value.h"
#include "stream/input.h"

enum { CENSUS_ROWS_MAX = 4096, CENSUS_NAME_MAX = 200, CENSUS_VERSION_MAX = 32 };

struct dialect;

struct census_version {
	char text[CENSUS_VERSION_MAX];
	size_t len; /* 0: the file has said none */
};

struct census_row {
	const struct dialect *dialect;
	struct str name; /* with its kind in front */
	struct census_version first, last;
	const char *file; /* where it stands first */
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
	const char *file; /* whose version it is */
	struct census_version version;
	struct buf record; /* its type */
	struct buf value;  /* the names in front of a member of it */
	bool is_record;    /* that value is the record */
	struct buf text;
};

#define CENSUS_INIT \
	{ \
		.by_name = MAP_INIT, .names = ARENA_INIT, .text = BUF_INIT \
	}

/* Notes the type of a record of the dialect, and the version that it says, which counts for the
 * file from there on. */
void census_see(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value record);

/* Counts a record that nothing reads. */
void census_add_record(struct census *census, const struct dialect *dialect,
    const struct line *line, struct json_value record);

/* Counts a part of the newest record, of which no row is. */
void census_add_part(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value part);

/* Begins with the value, the newest record or a part of it. */
void census_open(struct census *census, struct json_value value, bool is_record);

/* Counts a member of the value at that path, which ends with a '.' unless it is empty, and name. */
void census_add_member(struct census *census, const struct dialect *dialect,
    const struct line *line, struct str path, struct json_value name);

/* Appends all that was counted as a table for people, by formats; of each what came with the newest
 * version first. Appends nothing where nothing was. */
void census_write(struct census *census, struct buf *text);

void census_free(struct census *census);

#endif
