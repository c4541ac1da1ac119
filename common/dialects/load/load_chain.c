#include "dialects/load/load_chain.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "data/message/timestamp.h"
#include "data/record.h"
#include "dialects/load/load_times.h"

uint32_t
load_chain_id(struct load_file *file, struct json_value id)
{
	return id.type == JSON_STRING || id.type == JSON_NUMBER ?
	    load_file_id(file, record_id_hash(id)) :
	    0;
}

/* A record that follows an earlier bridge follows the parent of the bridge instead. */
static void
pass_bridge(const struct load_file *file, struct load_file_node *node)
{
	uint32_t above = load_file_named(file, node->parent);

	if (above == LOAD_NONE || (file->node[above].flags & LOAD_IS_BRIDGE) == 0)
		return;
	node->parent = file->node[above].parent;
	node->parent_type = file->node[above].parent_type;
	node->is_bridged = true;
}

void
load_chain_add(const struct load_plan *plan, struct load_file *file, struct member_view *view)
{
	struct load_file_node *node = load_file_last(file);
	struct json_value id = member_find(view, &plan->id);
	struct json_value parent = member_find_null(view, &plan->parent);
	const struct load_form_chain *chain = plan->form->chain;
	bool is_bridge = chain->bridge != NULL && conditions_hold(&plan->bridge, view);

	if (file->count == 1 && chain->flat != NULL)
		file->is_flat = conditions_hold(&plan->flat, view);
	if (chain->aside != NULL && conditions_hold(&plan->aside, view))
		node->flags |= LOAD_IS_ASIDE;
	node->names = load_chain_id(file, parent);
	if (!is_bridge &&
	    (!conditions_hold(&plan->of, view) ||
		(chain->but != NULL && conditions_hold(&plan->but, view))))
		return;
	node->flags |= is_bridge ? LOAD_IS_BRIDGE : LOAD_IN_CHAIN;
	if (chain->root != NULL && conditions_hold(&plan->root, view))
		node->flags |= LOAD_IS_ROOT;
	node->id = load_chain_id(file, id);
	node->parent = node->names;
	node->parent_type = parent.type;
	node->time = -1;
	if (chain->time != NULL)
		node->time = timestamp_read(member_find(view, &plan->time));
	pass_bridge(file, node);
	load_file_quote(file, parent);
	if (node->id != 0)
		load_file_name(file, node->id);
}

static void
note(struct load_file *file, enum violation code, uint32_t at, uint32_t above)
{
	if (!file->is_brief)
		LIST_ADD(file->fault, file->faults, file->fault_cap,
		    (struct load_file_fault){code, at, above});
}

/* The last record of the chain before that one in the file. */
static uint32_t
before(const struct load_file *file, uint32_t at)
{
	while (at-- > 0)
		if ((file->node[at].flags & LOAD_IN_CHAIN) != 0)
			return at;
	return LOAD_NONE;
}

/* The record that the one at hand follows; LOAD_NONE where none is that parent. */
static uint32_t
above(const struct load_file *file, uint32_t at)
{
	uint32_t found = load_file_named(file, file->node[at].parent);

	return found != LOAD_NONE && (file->node[found].flags & LOAD_IN_CHAIN) != 0 ? found :
										      LOAD_NONE;
}

/* The node with which the walk goes on if the parent is missing, or is a node that was already
 * passed. */
static uint32_t
mend(struct load_file *file, struct load_times *times, uint32_t at, bool is_circle)
{
	const struct load_form_chain *chain = file->form->chain;
	uint32_t next = chain->time != NULL ? load_times_before(times, file, at) : LOAD_NONE;

	if (is_circle || next != LOAD_NONE || before(file, at) != LOAD_NONE)
		note(
		    file, is_circle ? VIOLATION_PARENT_CYCLE : VIOLATION_DANGLING_PARENT, at, next);
	file->is_lost |= is_circle && chain->hangs;
	return next;
}

/* The node after at in the walk, or LOAD_NONE at its end. */
static uint32_t
next(struct load_file *file, struct load_times *times, uint32_t at)
{
	const struct load_file_node *node = &file->node[at];
	uint32_t found;

	if ((node->flags & LOAD_IS_ROOT) != 0)
		return LOAD_NONE;
	if (node->parent_type <= JSON_NULL) {
		note(file, VIOLATION_NO_PARENT, at, LOAD_NONE);
		return LOAD_NONE;
	}
	found = above(file, at);
	if (found == LOAD_NONE || (file->node[found].flags & LOAD_IS_REACHED) != 0)
		return mend(file, times, at, found != LOAD_NONE);
	note(
	    file, node->is_bridged ? VIOLATION_PROGRESS_PARENT : VIOLATION_OTHER_BRANCH, at, found);
	return found;
}

/* The node with which the chain begins: the last one; or the one to which the user went, if the
 * last one does not follow that. */
static uint32_t
begin(struct load_file *file, uint32_t last)
{
	struct load_file_checkpoint *checkpoint = &file->checkpoint;
	uint32_t stood = load_file_named(file, checkpoint->id), at = last;

	if (last != LOAD_NONE && stood != LOAD_NONE &&
	    (file->node[stood].flags & LOAD_IN_CHAIN) != 0) {
		for (uint32_t n = file->count; n > 0 && at != stood && at != LOAD_NONE; n--)
			at = load_file_named(file, file->node[at].parent);
		checkpoint->is_begun = stood != last && (at != stood || checkpoint->is_explicit);
	}
	/* The user went back to before all. */
	checkpoint->is_begun |=
	    checkpoint->is_explicit && stood == LOAD_NONE && checkpoint->id == 0;
	if (checkpoint->is_begun) {
		note(file, VIOLATION_OTHER_BRANCH, checkpoint->node, stood);
		return stood;
	}
	return last != LOAD_NONE && file->form->chain->time != NULL && !checkpoint->is_there ?
	    load_times_leaf(file, last) :
	    last;
}

static void
reach_all(struct load_file *file)
{
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_LOST) == 0)
			file->node[i].flags |= LOAD_IS_REACHED;
}

/* Of records with one id the agent knows the last one, in the place of all. */
static void
reach_copies(struct load_file *file)
{
	for (uint32_t i = 0; i < file->count; i++) {
		uint32_t known = load_file_named(file, file->node[i].id);

		if (known != LOAD_NONE && (file->node[i].flags & LOAD_IN_CHAIN) != 0)
			file->node[i].flags |= file->node[known].flags & LOAD_IS_REACHED;
	}
}

void
load_chain_walk(struct load_file *file)
{
	struct load_times times = {0};
	uint32_t at;

	file->leaf = LOAD_NONE;
	if (file->form->chain == NULL || file->is_flat) {
		reach_all(file);
		return;
	}
	file->leaf = begin(file, before(file, file->count));
	for (at = file->leaf; at != LOAD_NONE; at = next(file, &times, at))
		file->node[at].flags |= LOAD_IS_REACHED;
	load_times_free(&times);
	if (file->form->reach != NULL)
		file->form->reach(file);
	reach_copies(file);
}

static bool
is_reached(const struct load_file *file, uint32_t at)
{
	return at != LOAD_NONE && (file->node[at].flags & LOAD_IS_REACHED) != 0;
}

/* The last node before that one which is missed and not reached by now; missed has for each node
 * one from which to look down. */
static uint32_t
missed_before(const struct load_file *file, uint32_t *missed, uint32_t at)
{
	uint32_t found = missed[at];

	while (is_reached(file, found))
		found = missed[found];
	while (at != found) {
		uint32_t next = missed[at];

		missed[at] = found;
		at = next;
	}
	return found;
}

/* The node after at in a walk that reaches all missed nodes. Sets *link to it unless it is already
 * the parent of at. */
static uint32_t
next_of_all(const struct load_file *file, uint32_t at, uint32_t *missed, uint32_t *link)
{
	const struct load_file_node *node = &file->node[at];
	uint32_t found = LOAD_NONE, last;

	if ((node->flags & LOAD_IS_ROOT) != 0)
		return LOAD_NONE;
	if (node->parent_type > JSON_NULL) {
		bool is_circle;

		found = above(file, at);
		is_circle = is_reached(file, found);
		if (found == LOAD_NONE || is_circle) {
			found = before(file, at);
			if (is_reached(file, found))
				found = LOAD_NONE;
			*link = found == LOAD_NONE && is_circle ? LOAD_BEGINS : found;
		}
	}
	last = missed_before(file, missed, at);
	if (last != LOAD_NONE && (found == LOAD_NONE || last > found))
		found = *link = last;
	return found;
}

/* Whether messages of the file are missed. */
static bool
misses(const struct load_file *file)
{
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_MISSED) != 0)
			return true;
	return false;
}

uint32_t *
load_chain_relink(struct load_file *file)
{
	uint32_t *link = mem_alloc(file->count + 1, sizeof *link);
	uint32_t *missed = mem_alloc(file->count + 1, sizeof *missed);
	uint32_t at = before(file, file->count), last = LOAD_NONE;
	/* The mended chain begins with the last record, so it must reach all that was reached from
	 * elsewhere. */
	bool moves = file->checkpoint.is_begun && !file->checkpoint.is_explicit;

	/* But the user may have left all that follows. */
	file->checkpoint.is_begun &= misses(file);
	if (moves && !file->checkpoint.is_begun)
		at = LOAD_NONE;
	for (uint32_t i = 0; i < file->count; i++) {
		unsigned wanted = LOAD_IS_MISSED | (moves ? LOAD_IS_REACHED : 0U);
		bool is_wanted = (file->node[i].flags & wanted) != 0;

		link[i] = LOAD_NONE;
		missed[i] = last;
		file->node[i].flags &= ~LOAD_IS_REACHED;
		if (is_wanted && (file->node[i].flags & LOAD_IN_CHAIN) != 0)
			last = i;
	}
	while (file->form->chain != NULL && !file->is_flat && at != LOAD_NONE) {
		file->node[at].flags |= LOAD_IS_REACHED;
		at = next_of_all(file, at, missed, &link[at]);
	}
	free(missed);
	return link;
}

/* Whether the walk from the node passes over missed records. */
static bool
passes(const struct load_file *file, const struct load_file_fault *fault)
{
	bool is_begin = file->checkpoint.is_begun && fault->node == file->checkpoint.node;
	const struct load_file_node *node = &file->node[is_begin ? file->count - 1 : fault->node];
	uint32_t above = fault->above == LOAD_NONE ? 0 : file->node[fault->above].missed;

	return node->missed + (is_begin && (node->flags & LOAD_IS_MISSED) != 0) > above;
}

void
load_chain_find_faults(struct load_file *file)
{
	while (file->faults-- > 0) {
		const struct load_file_fault *fault = &file->fault[file->faults];
		const struct load_file_node *node = &file->node[fault->node];

		if (fault->code == VIOLATION_DANGLING_PARENT ||
		    fault->code == VIOLATION_PARENT_CYCLE || passes(file, fault))
			load_file_blame(
			    file, fault->code, node->line, load_file_said(file, fault->node));
	}
}
