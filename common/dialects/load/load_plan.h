#ifndef LOAD_LOAD_PLAN_H
#define LOAD_LOAD_PLAN_H

/*
 * The rows of a form, compiled: its conditions and paths.
 */

#include "dialects/load/load_form.h"
#include "dialects/rows/conditions.h"

struct load_plan {
	const struct load_form *form;
	struct member_tree tree;
	struct conditions *rules; /* for each rule its conditions, … */
	struct conditions *also;  /* … and its conditions also */
	struct member_path *at;   /* of each rule */
	struct conditions speaks, begins, of, but, aside, bridge, root, flat;
	struct member_path mode, lists, id, parent, time;
	struct buf variable[1]; /* values of %mode */
	struct member_variables variables;
};

void load_plan_compile(struct load_plan *plan, const struct load_form *form);
void load_plan_free(struct load_plan *plan);

void load_plan_view(
    const struct load_plan *plan, struct json_value value, struct member_view *view);

#endif
