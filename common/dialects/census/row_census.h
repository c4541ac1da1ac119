#ifndef CENSUS_ROW_CENSUS_H
#define CENSUS_ROW_CENSUS_H

/*
 * The census (census.h) of what is read by rows. A member is reached when a path of its table of
 * rows leads to it or through it, when its row knows it, or, in the record, when a path from the
 * record of any table of the dialect does. What a row skips, keeps as it is, or hands to other rows
 * is not looked into.
 */

#include "dialects/rows/row_place.h"

/* Counts the members of the value at the place that no row reaches; or, where the place has no plan
 * and the value is a part of the record, the part. */
void row_census_note(struct row_reader *reader, struct row_place *place);

#endif
