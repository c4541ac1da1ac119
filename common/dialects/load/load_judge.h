#ifndef LOAD_LOAD_JUDGE_H
#define LOAD_LOAD_JUDGE_H

/*
 * Judges the records of a file by the rules of its agent (load_form.h): what is wrong is added to
 * the findings of the file, and its newest node says whether its record is lost.
 */

#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"

/* Judges the record of the newest node, and what is in its lists. */
void load_judge(const struct load_plan *plan, struct load_file *file, struct json_value record);

/* Judges what is known when all records have come. */
void load_judge_file(const struct load_plan *plan, struct load_file *file);

#endif
