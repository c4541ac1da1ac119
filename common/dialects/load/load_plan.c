#include "dialects/load/load_plan.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/session_file/session_layout.h"

static const char *const variables[] = {"mode", NULL};

static void
compile(struct load_plan *plan)
{
	const struct load_form *form = plan->form;
	const struct load_form_chain none = {0}, *chain = form->chain != NULL ? form->chain : &none;
	const struct {
		struct conditions *to;
		const char *text;
	} conditions[] = {{&plan->speaks, form->speaks}, {&plan->begins, form->begins},
	    {&plan->of, chain->of}, {&plan->but, chain->but}, {&plan->aside, chain->aside},
	    {&plan->bridge, chain->bridge}, {&plan->root, chain->root}, {&plan->flat, chain->flat}};
	const struct {
		struct member_path *to;
		const char *text;
	} paths[] = {{&plan->mode, form->mode}, {&plan->lists, form->lists},
	    {&plan->id, form->format->id}, {&plan->parent, form->format->parent},
	    {&plan->time, chain->time}};
	unsigned rules = 0;

	while (form->rules[rules].code != 0)
		rules++;
	plan->rules = mem_alloc(rules + 1, sizeof *plan->rules);
	plan->also = mem_alloc(rules + 1, sizeof *plan->also);
	plan->at = mem_alloc(rules + 1, sizeof *plan->at);
	for (unsigned i = 0; i < rules; i++) {
		const char *at = form->rules[i].at != NULL ? form->rules[i].at : ".";

		conditions_compile(
		    &plan->rules[i], &plan->tree, &plan->variables, form->rules[i].when);
		conditions_compile(
		    &plan->also[i], &plan->tree, &plan->variables, form->rules[i].also);
		member_path_compile(&plan->at[i], &plan->tree, &plan->variables, str_from(at));
	}
	for (unsigned i = 0; i < ARRAY_COUNT(conditions); i++)
		conditions_compile(
		    conditions[i].to, &plan->tree, &plan->variables, conditions[i].text);
	for (unsigned i = 0; i < ARRAY_COUNT(paths); i++)
		if (paths[i].text != NULL)
			member_path_compile(
			    paths[i].to, &plan->tree, &plan->variables, str_from(paths[i].text));
}

void
load_plan_compile(struct load_plan *plan, const struct load_form *form)
{
	*plan = (struct load_plan){
	    .form = form, .tree = MEMBER_TREE_INIT, .variables = {variables, plan->variable}};
	compile(plan);
}

void
load_plan_free(struct load_plan *plan)
{
	free(plan->rules);
	free(plan->also);
	free(plan->at);
	buf_free(&plan->variable[0]);
	arena_free(&plan->tree.arena);
}

void
load_plan_view(const struct load_plan *plan, struct json_value value, struct member_view *view)
{
	member_view_open(view, &plan->tree, &plan->variables, value, value);
}
