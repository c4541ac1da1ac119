#include "dialects/gc/gc.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/gc/gc_chain.h"
#include "dialects/gc/gc_missed.h"
#include "dialects/load/load_chain.h"
#include "dialects/session_file/session_layout.h"

static const struct member_variables no_variables;

static void
compile(struct gc *gc, const struct gc_form *form)
{
	const struct {
		struct conditions *to;
		const char *text;
	} conditions[] = {{&gc->talk, form->talk}, {&gc->compacts, form->compacts},
	    {&gc->revives, form->revives}, {&gc->summarizes, form->summary},
	    {&gc->enough, form->suffices}, {&gc->copied, form->copied}, {&gc->says, form->says},
	    {&gc->queues, form->queues}, {&gc->asks, form->asks}, {&gc->retells, form->retells}};

	gc->tree = (struct member_tree)MEMBER_TREE_INIT;
	for (size_t i = 0; i < ARRAY_COUNT(conditions); i++)
		conditions_compile(conditions[i].to, &gc->tree, &no_variables, conditions[i].text);
	for (size_t i = 0; i < GC_ROWS; i++)
		conditions_compile(&gc->row[i], &gc->tree, &no_variables, form->row[i].when);
}

void
gc_init(struct gc *gc, const struct gc_form *form, struct fault *fault)
{
	*gc = (struct gc){.form = form};
	compile(gc, form);
	load_pass_open_brief(&gc->pass, form->dialect, fault);
}

static bool
is(const char *text, const struct conditions *conditions, struct member_view *view)
{
	return text != NULL && conditions_hold(conditions, view);
}

/* The verdict's bits of a record that says something. */
static uint8_t
hear(struct gc *gc, const struct load_file_node *node, struct member_view *view)
{
	const struct gc_form *form = gc->form;
	bool is_queued = is(form->queues, &gc->queues, view), is_retold;
	uint8_t bits = 0;

	if (!is_queued && !is(form->says, &gc->says, view))
		return 0;
	bits |= GC_SAYS;
	if ((node->flags & LOAD_IS_ASIDE) != 0)
		return bits;
	if (!is_queued && is(form->asks, &gc->asks, view))
		bits |= GC_ASKS;
	is_retold = is(form->retells, &gc->retells, view);
	if (is_retold && !gc->is_rooted) {
		bits |= GC_TAKES;
		gc->is_retold = true;
	}
	gc->is_rooted &= !is_retold;
	return bits;
}

/* Notes the member of that name, an id. */
static void
note(struct gc_name **list, uint32_t *count, uint32_t *cap, struct load_file *file,
    struct json_value id)
{
	LIST_ADD(*list, *count, *cap, (struct gc_name){file->count - 1, load_chain_id(file, id)});
}

/* What becomes of the newest record, as far as it alone says. */
static uint8_t
judge(struct gc *gc, struct load_file *file, struct json_value value)
{
	const struct gc_form *form = gc->form;
	uint32_t node = file->count - 1;
	struct member_view view;
	uint8_t bits;

	member_view_open(&view, &gc->tree, &no_variables, value, value);
	for (unsigned i = 0; i < GC_ROWS && form->row[i].when != NULL; i++)
		if (conditions_hold(&gc->row[i], &view))
			return (uint8_t)(GC_ROW + i);
	if (is(form->compacts, &gc->compacts, &view))
		gc->compacted = file->node[node].line;
	if (is(form->revives, &gc->revives, &view))
		gc->compacted = 0;
	if (is(form->suffices, &gc->enough, &view))
		buf_add(&gc->suffices, &node, sizeof node);
	if (is(form->summary, &gc->summarizes, &view))
		note(&gc->summary, &gc->summaries, &gc->summary_cap, file,
		    json_find(value, str_from(form->keeps)));
	if (form->resumes != NULL && file->node[node].names == 0 &&
	    json_has(value, str_from(form->resumes)))
		note(&gc->resumed, &gc->resumes, &gc->resumed_cap, file,
		    json_find(value, str_from(form->resumes)));
	bits = hear(gc, &file->node[node], &view);
	if ((file->node[node].flags & LOAD_IS_ROOT) != 0) {
		bits |= GC_TAKES;
		gc->is_rooted = true;
		gc->is_retold = false;
	}
	return bits | (conditions_hold(&gc->talk, &view) ? GC_MAY : 0);
}

void
gc_take(struct gc *gc, const struct line *line)
{
	struct message message;
	struct record record = {.line = *line, .message = &message};
	uint32_t count = gc->pass.load.files > 0 ? gc->pass.load.file[0].count : 0;
	struct load_file *file;

	message_parse(&message, line->text);
	record.kind = line->more || line->continued ? RECORD_BAD : message.kind;
	gc->pass.load.stage.take(&gc->pass.load.stage, &record);
	while (gc->verdict.len <= line->number)
		buf_add_char(&gc->verdict, GC_STAYS);
	file = gc->pass.load.files > 0 ? &gc->pass.load.file[0] : NULL;
	if (file != NULL && file->count > count)
		gc->verdict.ptr[line->number] = (char)judge(gc, file, message.value);
}

/* Without a chain, the records before the last compaction go. */
static void
sweep_flat(struct gc *gc, struct load_file *file)
{
	for (uint32_t i = 0; i < file->count; i++) {
		uint8_t *verdict = gc_chain_verdict(gc, &file->node[i]);

		if ((*verdict & GC_MAY) != 0 && file->node[i].line < gc->compacted)
			*verdict |= GC_COMPACTED;
		*verdict &= GC_CAUSE;
	}
}

void
gc_end(struct gc *gc)
{
	struct load_file *file;

	if (!load_pass_end(&gc->pass) || gc->pass.load.files == 0)
		return;
	file = &gc->pass.load.file[0];
	gc_missed_count(gc, file);
	file->is_lost |= gc->messages == 0; /* such a file is not judged */
	if (gc->pass.load.plan.form->chain != NULL)
		gc_chain_sweep(gc, file);
	else
		sweep_flat(gc, file);
	/* The second pass takes memory, too. */
	load_pass_free(&gc->pass);
	gc->pass = (struct load_pass){.reader = NULL};
}

enum gc_cause
gc_cause_of(const struct gc *gc, size_t line)
{
	return line < gc->verdict.len ? (enum gc_cause)(gc->verdict.ptr[line] & GC_CAUSE) :
					GC_STAYS;
}

const char *
gc_cause_name(const struct gc *gc, enum gc_cause cause)
{
	if (cause == GC_BRANCH)
		return "branches that were left";
	return cause == GC_COMPACTED ? "before the compaction" : gc->form->row[cause - GC_ROW].name;
}

static int
compare_lines(const void *a, const void *b)
{
	size_t one = *(const size_t *)a, other = *(const size_t *)b;

	return one < other ? -1 : one > other;
}

/* The item of that line, or NULL. The items begin with their lines, in order. */
static const void *
find_line(const void *list, size_t count, size_t size, size_t line)
{
	return count > 0 ? bsearch(&line, list, count, size, compare_lines) : NULL;
}

static struct json_value
parent_of(const struct gc *gc, struct json_value value)
{
	return json_find(value, str_from(gc->form->dialect->load->format->parent));
}

/* The parent of the record of that line, which went. */
static struct str
find_said(const struct gc *gc, size_t line)
{
	const struct gc_said *said = find_line(gc->said, gc->saids, sizeof *said, line);
	bool is_last = said + 1 == gc->said + gc->saids;

	return str_of(
	    gc->parents.ptr + said->at, (is_last ? gc->parents.len : said[1].at) - said->at);
}

void
gc_drop(struct gc *gc, size_t line, struct json_value value)
{
	struct json_value parent;

	if ((gc->verdict.ptr[line] & GC_IS_VIA) == 0)
		return;
	parent = parent_of(gc, value);
	LIST_ADD(gc->said, gc->saids, gc->said_cap, (struct gc_said){line, gc->parents.len});
	buf_add_str(&gc->parents, parent.type == JSON_ABSENT ? STR("null") : json_span(parent));
}

void
gc_edit(
    struct gc *gc, size_t line, struct json_value value, struct json_edit *edit, uint64_t *copies)
{
	const struct gc_link *link = find_line(gc->link, gc->links, sizeof *link, line);
	struct member_view view;

	*copies = 0;
	if (link != NULL)
		json_edit_replace(edit, json_span(parent_of(gc, value)), find_said(gc, link->via));
	if (gc->form->copy == NULL || !json_has(value, str_from(gc->form->copy)))
		return;
	member_view_open(&view, &gc->tree, &no_variables, value, value);
	if (!conditions_hold(&gc->copied, &view))
		return;
	*copies = json_span(json_find(value, str_from(gc->form->copy))).len;
	json_edit_remove_all(edit, value, str_from(gc->form->copy));
}

void
gc_free(struct gc *gc)
{
	load_pass_free(&gc->pass);
	buf_free(&gc->verdict);
	buf_free(&gc->suffices);
	free(gc->link);
	free(gc->summary);
	free(gc->resumed);
	free(gc->said);
	buf_free(&gc->parents);
	arena_free(&gc->tree.arena);
}
