#ifndef DIALECTS_LIKENESS_H
#define DIALECTS_LIKENESS_H

/*
 * Names for the formats of records that no reader understood, for diagnostics. The name is a guess
 * from the members of the record.
 */

#include "dialects/dialect.h"

/* The name of the format that the record looks like, which may be a dialect. NULL when no known
 * format looks so. */
const char *likeness_name(struct json_value record);

/* Whether the name is the name of a dialect that is read. */
bool likeness_is_read(const char *name);

/* Appends "looks like NAME", with a hint for a format that cannot be read in this form. NULL means
 * no known format. */
void likeness_write(const char *name, struct buf *text);

#endif
