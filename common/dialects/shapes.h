#ifndef DIALECTS_SHAPES_H
#define DIALECTS_SHAPES_H

/*
 * What a record of a format that is not read looks like, for diagnostics: a guess by the members
 * that it has.
 */

#include "json/walk.h"

/* The name of a format, one of the dialects' included; NULL when nothing is known that looks so. */
const char *shapes_name(struct json_value record);

/* Whether it is the name of a format that is read. */
bool shapes_is_read(const char *name);

#endif
