#ifndef LOAD_LOAD_JUDGE_H
#define LOAD_LOAD_JUDGE_H

/*
 * Judges the records of a file by the rules of its agent (load_form.h): faults are added to the
 * findings of the file, and a lost record is marked in its node.
 */

#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"

/* Judges the record of the newest node, and the elements of its lists. */
void load_judge(const struct load_plan *plan, struct load_file *file, struct json_value record);

/* Applies the rules that need all records of the file. */
void load_judge_file(const struct load_plan *plan, struct load_file *file);

#endif
