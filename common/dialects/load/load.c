#include "dialects/load/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "dialects/load/load_chain.h"
#include "dialects/load/load_judge.h"
#include "json/string.h"
#include "json/write.h"

/* A member beside the conversation of fewer bytes is not weighed. */
enum { WEIGHED_MIN = 256 };

/* How many messages there are and are reached, and the line of the first that is not, or 0. */
struct tale {
	uint64_t all, reached;
	size_t first;
};

/* Counts the bytes of the record that are no part of the conversation. */
static void
weigh(struct load *load, const struct record *record, struct member_view *view)
{
	struct json_value value = record->message->value;
	const char *body = load->plan.form->body;
	struct json_value payload = body != NULL ? json_find(value, str_from(body)) : value;

	load->bytes += record->line.text.len;
	if (!conditions_hold(&load->plan.speaks, view)) {
		bool is_inner = json_find(payload, STR("type")).type == JSON_STRING;

		tally_add_many(
		    &load->weight, tally_name(is_inner ? payload : value), record->line.text.len);
		return;
	}
	if (body == NULL)
		return;
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);)
		if (walk.value.len >= WEIGHED_MIN && !walk.name.escaped &&
		    !str_eq(json_inner(walk.name), str_from(body)))
			tally_add_many(&load->weight, json_inner(walk.name), walk.value.len);
}

/* Notes half of a character in what may be sent of the value, which is the newest record or an
 * element of its list. A tool's result beside the message is not sent. */
static bool
note_half(const struct load *load, struct load_file *file, struct json_value value,
    struct member_view *view)
{
	const char *body = load->plan.form->body;
	struct str sent = json_span(body != NULL ? json_find(value, str_from(body)) : value), found;
	struct load_file_half half = {.node = file->count - 1};

	if (sent.len == 0 || !conditions_hold(&load->plan.speaks, view))
		return false;
	found = json_lone_surrogate(sent);
	if (found.len != sizeof half.escape)
		return false;
	memcpy(half.escape, found.ptr, sizeof half.escape);
	LIST_ADD(file->half, file->halves, file->half_cap, half);
	return true;
}

/* Notes the first half of a character in the newest record. */
static void
find_half(const struct load *load, struct load_file *file, struct json_value value,
    struct member_view *view)
{
	struct json_walk walk = json_walk_list(member_find(view, &load->plan.lists));
	bool is_found = note_half(load, file, value, view);
	struct member_view inner;

	while (!is_found && json_walk_next(&walk)) {
		load_plan_view(&load->plan, walk.value, &inner);
		is_found = note_half(load, file, walk.value, &inner);
	}
}

/* Blames the halves of characters that are sent: on the agent's way, or, where it knows none, in
 * messages that were read. What a repair brings back counts. */
static void
blame_halves(struct load_file *file)
{
	bool is_sent = true;
	uint32_t at = 0;

	for (uint32_t i = 0; i < file->halves; i++) {
		const struct load_file_half *half = &file->half[i];

		for (; at <= half->node; at++) {
			const struct load_file_node *node = &file->node[at];

			if (file->form->chain != NULL)
				is_sent = (node->flags & (LOAD_IS_REACHED | LOAD_IS_MISSED)) != 0;
			else if (node->turn != LOAD_JOINS)
				is_sent = node->turn == LOAD_SAYS;
		}
		file->has_half |= is_sent;
		if (is_sent)
			load_file_blame(file, VIOLATION_LONE_SURROGATE, file->node[half->node].line,
			    str_of(half->escape, sizeof half->escape));
	}
}

static struct load_file *
begin_file(struct load *load, const char *name)
{
	LIST_ADD(load->file, load->files, load->files_cap,
	    (struct load_file){.form = load->plan.form,
		.name = name,
		.is_brief = load->is_brief,
		.has_bad = load->bad == name});
	buf_reset(&load->plan.variable[0]);
	return &load->file[load->files - 1];
}

static void
take(struct stage *stage, struct record *record)
{
	struct load *load = (struct load *)stage;
	struct load_file *file = load->files > 0 ? &load->file[load->files - 1] : NULL;
	struct member_view view;
	struct json_value value, mode;

	bool is_new = file == NULL || file->name != record->line.file;

	if (record->kind == RECORD_BAD && is_new && load->plan.form->begins_whole)
		begin_file(load, record->line.file)->torn = record->line.number;
	if (record->kind == RECORD_BAD) {
		load->bad = record->line.file;
		if (!is_new)
			file->has_bad = true;
	}
	if (record->kind == RECORD_BLANK || record->kind == RECORD_BAD || record->message == NULL) {
		stage_emit(stage, record);
		return;
	}
	if (is_new)
		file = begin_file(load, record->line.file);
	value = record->message->value;
	load_file_add(file, record->line.number);
	load_plan_view(&load->plan, value, &view);
	if (!load->is_brief) {
		find_half(load, file, value, &view);
		load_file_last(file)->turn =
		    conditions_hold(&load->plan.begins, &view) ? LOAD_UNREAD : LOAD_JOINS;
	}
	mode = member_find(&view, &load->plan.mode);
	if (file->count == 1 && mode.type == JSON_STRING) {
		buf_add_str(&load->plan.variable[0], json_span(mode));
		buf_pad(&load->plan.variable[0]);
	}
	file->is_spread = record->line.is_folded;
	load_judge(&load->plan, file, value);
	if (load->plan.form->chain != NULL)
		load_chain_add(&load->plan, file, &view);
	if (load->plan.form->add != NULL)
		load->plan.form->add(file, value);
	if (!load->is_brief)
		weigh(load, record, &view);
	stage_emit(stage, record);
}

static struct load_file *
find_file(struct load *load, const char *name)
{
	for (uint32_t i = 0; i < load->files; i++) {
		struct load_file *file = &load->file[(load->counted + i) % load->files];

		if (file->name == name) {
			load->counted = (uint32_t)(file - load->file);
			return file;
		}
	}
	return NULL;
}

static void
count(struct stage *stage, struct record *record)
{
	struct load *load = (struct load *)((char *)stage - offsetof(struct load, census));
	struct load_file *file = find_file(load, record->line.file);
	struct message read;

	if (file != NULL && record->kind == RECORD_MESSAGE &&
	    !role_is_system(record_message(record, &read)->role))
		LIST_ADD(file->message, file->messages, file->message_cap, record->line.number);
	stage_emit(stage, record);
}

static void
add(struct load *load, struct buf *list, const struct violation_finding *finding)
{
	load->count[finding->violation]++;
	violation_list_add(list, finding);
}

/* Marks the records whose messages are not reached, and counts the messages. Messages of sub-agents
 * count only if there are no others. */
static struct tale
count_reached(struct load_file *file)
{
	struct tale tale = {0}, aside = {0};

	for (uint32_t i = 0; i < file->messages; i++) {
		struct load_file_node *node = load_file_find(file, file->message[i]);
		struct tale *of = (node->flags & LOAD_IS_ASIDE) != 0 ? &aside : &tale;

		node->turn = LOAD_SAYS;
		of->all++;
		if (!file->is_lost && (node->flags & LOAD_IS_REACHED) != 0) {
			of->reached++;
			continue;
		}
		if (of == &tale && (node->flags & LOAD_IS_REACHED) == 0)
			node->flags |= LOAD_IS_MISSED;
		if (of->first == 0 || node->line < of->first)
			of->first = node->line;
	}
	if (tale.all == 0)
		return aside;
	tale.reached -= file->lost < tale.reached ? file->lost : tale.reached;
	return tale;
}

/* Writes the counts of the file, with the lines whose messages are not reached. */
static void
write_tale(struct load *load, const struct load_file *file, const struct tale *tale)
{
	struct json_writer w;

	if (load->report.len > 0)
		buf_add_char(&load->report, ',');
	json_begin(&w, &load->report, '{');
	json_member_string(&w, STR("file"), str_from(file->name));
	json_member_integer(&w, STR("messages"), (int64_t)tale->all);
	json_member_integer(&w, STR("reached"), (int64_t)tale->reached);
	json_member_open(&w, STR("missed"), '[');
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_MISSED) != 0)
			json_put_integer(&w, (int64_t)file->node[i].line);
	json_close(&w);
	json_close(&w);
}

/* Marks the other lines of answers whose first ones are missed. */
static void
mark_answers(struct load_file *file)
{
	uint8_t *missed = load_file_marks(file);

	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_MISSED) != 0)
			missed[file->node[i].group] = 1;
	missed[0] = 0;
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_REACHED) == 0 && missed[file->node[i].group])
			file->node[i].flags |= LOAD_IS_MISSED;
	free(missed);
}

/* Whether load_mend mends the fault. */
static bool
is_mended(const struct load_form *form, enum violation code)
{
	const struct load_form_rule *rule = form->rules;

	if (code == VIOLATION_DANGLING_PARENT || code == VIOLATION_PARENT_CYCLE ||
	    code == VIOLATION_PROGRESS_PARENT || code == VIOLATION_OTHER_BRANCH ||
	    code == VIOLATION_NO_PARENT)
		return true;
	while (rule->code != 0 &&
	    (rule->code != code ||
		(rule->adds == NULL && (rule->needs == NULL || strchr(rule->needs, '=') == NULL))))
		rule++;
	return rule->code != 0;
}

/* Adds the verdict, and after it all findings. */
static void
finish_file(struct load *load, struct load_file *file, struct buf *list)
{
	struct violation_finding finding;
	struct tale tale;
	uint32_t missed = 0;
	size_t at = 0;
	char text[80];

	load_judge_file(&load->plan, file);
	load_chain_walk(file);
	tale = count_reached(file);
	mark_answers(file);
	for (uint32_t i = 0; i < file->count; i++) {
		file->node[i].missed = missed;
		missed += (file->node[i].flags & LOAD_IS_MISSED) != 0;
	}
	load_chain_find_faults(file);
	blame_halves(file);
	write_tale(load, file, &tale);
	snprintf(text, sizeof text, "\"%ju of %ju\"", (uintmax_t)tale.reached, (uintmax_t)tale.all);
	finding = (struct violation_finding){VIOLATION_UNREACHED, file->name,
	    tale.first > 0 ? tale.first : file->node[0].line, str_from(text)};
	if (tale.reached < tale.all)
		add(load, list, &finding);
	while (violation_list_next(&file->findings, &at, &finding)) {
		add(load, list, &finding);
		if (load->mendable == NULL &&
		    (finding.violation == VIOLATION_LONE_SURROGATE ||
			(tale.reached < tale.all && is_mended(file->form, finding.violation))))
			load->mendable = file->name;
	}
}

void
load_init(struct load *load, const struct load_form *form)
{
	*load = (struct load){.stage = {.take = take, .end = stage_pass_end},
	    .census = {.take = count, .end = stage_pass_end}};
	load_plan_compile(&load->plan, form);
}

void
load_end(struct load *load, struct buf *list)
{
	for (uint32_t i = 0; i < load->files; i++)
		if (load->file[i].messages > 0)
			finish_file(load, &load->file[i], list);
}

void
load_reach(struct load *load)
{
	for (uint32_t i = 0; i < load->files; i++) {
		load_file_seal(&load->file[i]);
		load_judge_file(&load->plan, &load->file[i]);
		load_chain_walk(&load->file[i]);
	}
}

void
load_free(struct load *load)
{
	for (uint32_t i = 0; i < load->files; i++)
		load_file_free(&load->file[i]);
	free(load->file);
	load_plan_free(&load->plan);
	buf_free(&load->report);
}
