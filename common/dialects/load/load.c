#include "dialects/load/load.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "dialects/load/load_chain.h"
#include "json/string.h"
#include "json/write.h"

/* A member beside the conversation of fewer bytes is not weighed. */
enum { WEIGHED_MIN = 256 };

/* How many messages there are and are reached, and the line of the first that is not, or 0. */
struct tale {
	uint64_t all, reached;
	size_t first;
};

/* What becomes of a value at fault. */
static void
suffer(struct load_file *file, const struct load_form_rule *rule, size_t line, struct str subject)
{
	load_file_blame(file, rule->code, line, subject);
	if (rule->effect == LOAD_FILE)
		file->is_lost = true;
	else if (rule->effect == LOAD_RECORD && rule->depth == 0)
		load_file_last(file)->flags |= LOAD_IS_LOST;
}

/* The first of the members that the value lacks, quoted into text, or an empty one. */
static struct str
find_lack(struct json_value value, const char *needs, struct buf *text)
{
	struct str name;

	buf_reset(text);
	while (str_take_word(&needs, ' ', &name)) {
		const char *equals = memchr(name.ptr, '=', name.len);

		if (equals != NULL)
			name.len = (size_t)(equals - name.ptr);
		if (json_find(value, name).type <= JSON_NULL) {
			buf_add_fmt(text, "\"%.*s\"", STR_ARG(name));
			break;
		}
	}
	return buf_str(text);
}

/* Whether a string is a UUID. */
static bool
is_uuid(struct json_value value)
{
	struct str text = value.type == JSON_STRING ? json_inner(value) : STR("");

	for (size_t i = 0; i < text.len; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? text.ptr[i] != '-' : !isxdigit((unsigned char)text.ptr[i]))
			return false;
	}
	return text.len == 36;
}

/* Whether the rule finds the value at fault, and about what. */
static bool
is_at_fault(const struct load *load, unsigned i, struct member_view *view, struct buf *text,
    struct str *subject)
{
	const struct load_form_rule *rule = &load->plan.form->rules[i];
	bool holds = conditions_hold(&load->plan.rules[i], view);
	struct json_value at = member_find(view, &load->plan.at[i]);

	*subject = json_span(at);
	if (rule->needs != NULL) {
		*subject = find_lack(at, rule->needs, text);
		return holds && subject->len > 0;
	}
	if (rule->is_uuid)
		return holds && !is_uuid(at);
	return holds == (rule->scope == LOAD_EACH);
}

/* Judges a value at that depth of lists. Returns whether it is not loaded. */
static bool
judge(struct load *load, struct load_file *file, struct json_value value, unsigned depth,
    struct member_view *view)
{
	const struct load_form_rule *rules = load->plan.form->rules;
	struct buf text = BUF_INIT;
	struct str subject;
	bool is_lost = false;

	load_plan_view(&load->plan, value, view);
	for (unsigned i = 0; rules[i].code != 0; i++) {
		if (rules[i].depth != depth || (rules[i].scope == LOAD_FIRST && file->count != 1))
			continue;
		if (rules[i].scope == LOAD_ANYONE) {
			file->anyones |= (uint64_t)conditions_hold(&load->plan.rules[i], view) << i;
		} else if (rules[i].scope == LOAD_LAST) {
			file->lasts &= ~(UINT64_C(1) << i);
			file->lasts |= (uint64_t)is_at_fault(load, i, view, &text, &subject) << i;
		} else if (is_at_fault(load, i, view, &text, &subject)) {
			suffer(file, &rules[i], load_file_last(file)->line, subject);
			is_lost |= rules[i].effect == LOAD_RECORD;
		}
	}
	buf_free(&text);
	return is_lost;
}

/* Whether the agent takes the text of the user for a command: the first one of its content. */
static bool
is_command(const struct load_form *form, struct json_value value, struct json_value *text)
{
	int first;

	if (form->commands == NULL || !json_has_type(value, STR("user")))
		return false;
	*text = json_find(value, STR("content"));
	if (text->type == JSON_ARRAY)
		*text = json_find(json_first(*text), STR("text"));
	first = text->type == JSON_STRING ? json_first_byte(*text) : -1;
	return first > 0 && strchr(form->commands, first) != NULL;
}

/* How many messages the reader makes of the element of a list: one, and one for each result. But of
 * a command as it is typed it makes none. */
static uint64_t
count_messages(const struct load_form *form, struct json_value element)
{
	struct json_value text;
	uint64_t count = 1;

	if (is_command(form, element, &text))
		return strchr(form->commands, text.ptr[1]) == NULL;
	for (struct json_walk walk = json_walk_list(json_find(element, STR("toolCalls")));
	     json_walk_next(&walk);)
		count += json_has(walk.value, STR("result"));
	return count;
}

static bool
is_left_out(struct load *load, struct load_file *file, struct json_value value, unsigned depth,
    struct member_view *view)
{
	struct json_value text;

	if (judge(load, file, value, depth, view))
		return true;
	if (!is_command(load->plan.form, value, &text))
		return false;
	load_file_blame(file, VIOLATION_COMMAND_TEXT, load_file_last(file)->line, json_span(text));
	return true;
}

/* Judges the elements of the lists in the value, which stands at that depth. */
static void
judge_lists(struct load *load, struct load_file *file, struct json_value value, unsigned depth)
{
	struct member_view view;

	load_plan_view(&load->plan, value, &view);
	for (struct json_walk walk = json_walk_list(member_find(&view, &load->plan.lists));
	     json_walk_next(&walk);) {
		struct member_view inner;

		if (is_left_out(load, file, walk.value, depth + 1, &inner))
			file->lost += count_messages(load->plan.form, walk.value);
		if (depth == 0)
			judge_lists(load, file, walk.value, depth + 1);
	}
}

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

static struct load_file *
begin_file(struct load *load, const char *name)
{
	LIST_ADD(load->file, load->files, load->files_cap,
	    (struct load_file){.form = load->plan.form, .name = name});
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

	if (record->kind == RECORD_BLANK || record->kind == RECORD_BAD || record->message == NULL) {
		stage_emit(stage, record);
		return;
	}
	if (file == NULL || file->name != record->line.file)
		file = begin_file(load, record->line.file);
	value = record->message->value;
	load_file_add(file, record->line.number);
	load_plan_view(&load->plan, value, &view);
	mode = member_find(&view, &load->plan.mode);
	if (file->count == 1 && mode.type == JSON_STRING) {
		buf_add_str(&load->plan.variable[0], json_span(mode));
		buf_pad(&load->plan.variable[0]);
	}
	if (is_left_out(load, file, value, 0, &view))
		load_file_last(file)->flags |= LOAD_IS_LOST;
	judge_lists(load, file, value, 0);
	if (load->plan.form->chain != NULL)
		load_chain_add(&load->plan, file, &view);
	if (load->plan.form->add != NULL)
		load->plan.form->add(file, value);
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

/* Judges what is known when all records have come. */
static void
judge_file(const struct load *load, struct load_file *file)
{
	const struct load_form_rule *rules = load->plan.form->rules;
	struct buf text = BUF_INIT;
	struct member_view view;

	for (unsigned i = 0; rules[i].code != 0; i++) {
		const struct load_file_node *node = &file->node[0];

		if (rules[i].scope == LOAD_ANYONE && (file->anyones >> i & 1) == 0) {
			load_plan_view(&load->plan, (struct json_value){0}, &view);
			suffer(file, &rules[i], node->line,
			    json_span(member_find(&view, &load->plan.at[i])));
		} else if ((file->lasts >> i & 1) != 0) {
			suffer(file, &rules[i], load_file_last(file)->line,
			    find_lack((struct json_value){0}, rules[i].needs, &text));
		}
	}
	buf_free(&text);
}

static void
add(struct load *load, struct buf *list, const struct violation_finding *finding)
{
	load->count[finding->violation]++;
	violation_list_add(list, finding);
}

/* Marks the records whose messages are not reached, and counts the messages. Those of sub-agents
 * count where there are no others. */
static struct tale
count_reached(struct load_file *file)
{
	struct tale tale = {0}, aside = {0};

	for (uint32_t i = 0; i < file->messages; i++) {
		struct load_file_node *node = load_file_find(file, file->message[i]);
		struct tale *of = (node->flags & LOAD_IS_ASIDE) != 0 ? &aside : &tale;

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

/* Writes what is loaded of the file, with the lines whose messages are not reached. */
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
	struct map missed = MAP_INIT;

	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_MISSED) != 0 &&
		    (file->node[i].group.a | file->node[i].group.b) != 0)
			map_set(&missed, file->node[i].group, i);
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & LOAD_IS_REACHED) == 0 &&
		    map_get(&missed, file->node[i].group) != MAP_NONE)
			file->node[i].flags |= LOAD_IS_MISSED;
	map_free(&missed);
}

/* Adds the verdict, and behind it all that was found. */
static void
finish_file(struct load *load, struct load_file *file, struct buf *list)
{
	struct violation_finding finding;
	struct tale tale;
	uint32_t missed = 0;
	size_t at = 0;
	char text[80];

	judge_file(load, file);
	load_chain_walk(file);
	tale = count_reached(file);
	mark_answers(file);
	for (uint32_t i = 0; i < file->count; i++) {
		file->node[i].missed = missed;
		missed += (file->node[i].flags & LOAD_IS_MISSED) != 0;
	}
	load_chain_find_faults(file);
	write_tale(load, file, &tale);
	snprintf(text, sizeof text, "\"%ju of %ju\"", (uintmax_t)tale.reached, (uintmax_t)tale.all);
	finding = (struct violation_finding){VIOLATION_UNREACHED, file->name,
	    tale.first > 0 ? tale.first : file->node[0].line, str_from(text)};
	if (tale.reached < tale.all)
		add(load, list, &finding);
	while (violation_list_next(&file->findings, &at, &finding))
		add(load, list, &finding);
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
load_free(struct load *load)
{
	for (uint32_t i = 0; i < load->files; i++)
		load_file_free(&load->file[i]);
	free(load->file);
	load_plan_free(&load->plan);
	buf_free(&load->report);
}
