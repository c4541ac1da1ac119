#include "dialects/gc/gc.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/gc/gc_chain.h"
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
	    {&gc->enough, form->suffices}, {&gc->copied, form->copied}};

	gc->tree = (struct member_tree)MEMBER_TREE_INIT;
	for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
		conditions_compile(conditions[i].to, &gc->tree, &no_variables, conditions[i].text);
	for (size_t i = 0; i < GC_ROWS; i++)
		conditions_compile(&gc->row[i], &gc->tree, &no_variables, form->row[i].when);
}

void
gc_init(struct gc *gc, const struct gc_form *form, struct fault *fault)
{
	*gc = (struct gc){.form = form};
	compile(gc, form);
	load_pass_open(&gc->pass, form->dialect, fault);
}

static bool
is(const char *text, const struct conditions *conditions, struct member_view *view)
{
	return text != NULL && conditions_hold(conditions, view);
}

/* What becomes of the newest record, as far as it alone says. */
static uint8_t
judge(struct gc *gc, const struct load_file *file, struct json_value value)
{
	const struct gc_form *form = gc->form;
	uint32_t node = file->count - 1;
	struct member_view view;

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
		LIST_ADD(gc->summary, gc->summaries, gc->summary_cap,
		    (struct gc_summary){
			node, load_chain_key(json_find(value, str_from(form->keeps)))});
	return conditions_hold(&gc->talk, &view) ? GC_MAY : 0;
}

void
gc_take(struct gc *gc, const struct line *line)
{
	struct message message;
	struct record record = {.line = *line, .message = &message};
	const char *parent = gc->pass.load.plan.form->format->parent;
	uint32_t count = gc->pass.load.files > 0 ? gc->pass.load.file[0].count : 0;
	struct load_file *file;

	message_parse(&message, line->text);
	record.kind = line->more || line->continued ? RECORD_BAD : message.kind;
	gc->pass.load.stage.take(&gc->pass.load.stage, &record);
	while (gc->verdict.len <= line->number)
		buf_add_char(&gc->verdict, GC_STAYS);
	file = gc->pass.load.files > 0 ? &gc->pass.load.file[0] : NULL;
	if (file == NULL || file->count == count)
		return;
	gc->verdict.ptr[line->number] = (char)judge(gc, file, message.value);
	/* Records beside the chain may follow one that goes, too. */
	if (parent != NULL && load_file_last(file)->said_len == 0)
		load_chain_quote(
		    file, load_file_last(file), json_find(message.value, str_from(parent)));
}

/* Without a chain, the records before the last compaction go. */
static void
sweep_flat(struct gc *gc, struct load_file *file)
{
	for (uint32_t i = 0; i < file->count; i++) {
		uint8_t *verdict = gc_chain_verdict(gc, &file->node[i]);

		if (*verdict == GC_MAY)
			*verdict = file->node[i].line < gc->compacted ? GC_COMPACTED : GC_STAYS;
	}
}

void
gc_end(struct gc *gc)
{
	struct load_file *file;

	if (!load_pass_end(&gc->pass) || gc->pass.load.files == 0)
		return;
	file = &gc->pass.load.file[0];
	for (uint32_t i = 0; i < file->count; i++)
		gc->missed += (file->node[i].flags & LOAD_IS_MISSED) != 0;
	file->is_lost |= file->messages == 0; /* such a file is not judged */
	if (gc->pass.load.plan.form->chain != NULL)
		gc_chain_sweep(gc, file);
	else
		sweep_flat(gc, file);
}

enum gc_cause
gc_cause_of(const struct gc *gc, size_t line)
{
	return line < gc->verdict.len ? (enum gc_cause)gc->verdict.ptr[line] : GC_STAYS;
}

const char *
gc_cause_name(const struct gc *gc, enum gc_cause cause)
{
	if (cause == GC_BRANCH)
		return "branches that were left";
	return cause == GC_COMPACTED ? "before the compaction" : gc->form->row[cause - GC_ROW].name;
}

/* The link of the record of that line, or NULL. Takes logarithmic time. */
static const struct gc_link *
find_link(const struct gc *gc, size_t line)
{
	uint32_t from = 0, to = gc->links;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (gc->link[middle].line < line)
			from = middle + 1;
		else
			to = middle;
	}
	return from < gc->links && gc->link[from].line == line ? &gc->link[from] : NULL;
}

void
gc_edit(
    struct gc *gc, size_t line, struct json_value value, struct json_edit *edit, uint64_t *copies)
{
	const struct load_file *file = gc->pass.load.files > 0 ? &gc->pass.load.file[0] : NULL;
	const struct gc_link *link = find_link(gc, line);
	struct member_view view;

	*copies = 0;
	if (link != NULL) {
		const struct load_file_node *via = &file->node[link->via];
		struct str said = str_of(file->subjects.ptr + via->said, via->said_len);

		json_edit_replace(edit,
		    json_span(json_find(value, str_from(gc->pass.load.plan.form->format->parent))),
		    said.len > 0 ? said : STR("null"));
	}
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
	arena_free(&gc->tree.arena);
}
