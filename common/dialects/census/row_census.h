#ifndef CENSUS_ROW_CENSUS_H
#define CENSUS_ROW_CENSUS_H

/*
 * The census (census.h) of values that are read by rows. A row reaches a member if a path of its
 * table leads to or through the member, or if the row lists the member as known. Where a row hands
 * the value as a whole to other tables, their rows reach members, too. A member of the record is
 * also reached by a path from the record ("/a") in any table of the dialect. The census does not
 * look into values that a row skips, keeps as they are, or hands to other rows, nor into
 * values that only a function reads, unless its row lists the known members.
 */

#include "dialects/rows/row_place.h"

/* Counts the members that no row reaches, of the value at the place. If the place has no plan and
 * the value is a part of the record, counts the part instead. */
void row_census_note(struct row_reader *reader, struct row_place *place);

#endif
