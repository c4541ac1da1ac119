#include "dialects/load/load_judge.h"

#include <ctype.h>

#include "base/mem.h"
#include "dialects/rows/conditions.h"
#include "json/string.h"

/* Applies the effect of a rule to a value at fault. */
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

static bool
is_uuid(struct json_value value)
{
	return value.type == JSON_STRING && str_is_uuid(json_inner(value));
}

static bool
is_count(struct json_value value)
{
	static const char max[] = "18446744073709551615";

	if (value.type != JSON_NUMBER || value.len > sizeof max - 1)
		return false;
	for (size_t i = 0; i < value.len; i++)
		if (!isdigit((unsigned char)value.ptr[i]))
			return false;
	return value.len < sizeof max - 1 || memcmp(value.ptr, max, value.len) <= 0;
}

/* Whether the value is at fault by the rule; sets the subject of the finding. */
static bool
is_at_fault(const struct load_plan *plan, const struct load_file *file, unsigned i,
    struct member_view *view, struct buf *text, struct str *subject)
{
	const struct load_form_rule *rule = &plan->form->rules[i];
	bool holds = conditions_hold(&plan->rules[i], view);
	struct json_value at = member_find(view, &plan->at[i]);

	*subject = json_span(at);
	if (rule->needs != NULL) {
		*subject = find_lack(at, rule->needs, text);
		return holds && subject->len > 0;
	}
	if (rule->kind != LOAD_ANY)
		return holds && !(rule->kind == LOAD_UUID ? is_uuid(at) : is_count(at));
	return holds == (rule->scope == LOAD_EACH) || (file->torn > 0 && rule->adds != NULL);
}

/* Notes whether the conditions of a rule of LOAD_ANYONE, and its conditions also, hold for the
 * record. */
static void
look_for(const struct load_plan *plan, struct load_file *file, unsigned i, struct member_view *view)
{
	const struct load_form_rule *rule = &plan->form->rules[i];
	bool is_the_one =
	    !load_form_is_of(rule, file->is_spread) || conditions_hold(&plan->rules[i], view);

	file->anyones |= (uint64_t)is_the_one << i;
	file->stand_ins |= (uint64_t)(rule->also != NULL && conditions_hold(&plan->also[i], view))
	    << i;
}

/* Judges a value at that depth of lists. Returns whether it is not loaded. */
static bool
judge(const struct load_plan *plan, struct load_file *file, struct json_value value, unsigned depth,
    struct member_view *view)
{
	const struct load_form_rule *rules = plan->form->rules;
	struct buf text = BUF_INIT;
	struct str subject;
	bool is_lost = false;

	load_plan_view(plan, value, view);
	for (unsigned i = 0; rules[i].code != 0; i++) {
		if (rules[i].depth != depth || (rules[i].scope == LOAD_FIRST && file->count != 1))
			continue;
		if (rules[i].scope == LOAD_ANYONE) {
			look_for(plan, file, i, view);
		} else if (!load_form_is_of(&rules[i], file->is_spread)) {
			continue;
		} else if (rules[i].scope == LOAD_LAST) {
			file->lasts &= ~(UINT64_C(1) << i);
			file->lasts |= (uint64_t)is_at_fault(plan, file, i, view, &text, &subject)
			    << i;
		} else if (is_at_fault(plan, file, i, view, &text, &subject)) {
			suffer(file, &rules[i],
			    file->torn > 0 && rules[i].adds != NULL ? file->torn :
								      load_file_last(file)->line,
			    subject);
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

/* How many messages the reader makes of the element of a list: one, and one for each result; of a
 * typed command, none. */
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
is_left_out(const struct load_plan *plan, struct load_file *file, struct json_value value,
    unsigned depth, struct member_view *view)
{
	struct json_value text;

	if (judge(plan, file, value, depth, view))
		return true;
	if (!is_command(plan->form, value, &text))
		return false;
	load_file_blame(file, VIOLATION_COMMAND_TEXT, load_file_last(file)->line, json_span(text));
	return true;
}

/* Judges the elements of the lists in the value at that depth. */
static void
judge_lists(
    const struct load_plan *plan, struct load_file *file, struct json_value value, unsigned depth)
{
	struct member_view view;

	load_plan_view(plan, value, &view);
	for (struct json_walk walk = json_walk_list(member_find(&view, &plan->lists));
	     json_walk_next(&walk);) {
		struct member_view inner;

		if (is_left_out(plan, file, walk.value, depth + 1, &inner))
			file->lost += count_messages(plan->form, walk.value);
		if (depth == 0)
			judge_lists(plan, file, walk.value, depth + 1);
	}
}

static void
judge_record(const struct load_plan *plan, struct load_file *file, struct json_value record)
{
	struct member_view view;
	uint64_t lost = file->lost;

	if (is_left_out(plan, file, record, 0, &view))
		load_file_last(file)->flags |= LOAD_IS_LOST;
	judge_lists(plan, file, record, 0);
	if ((load_file_last(file)->flags & LOAD_IS_LOST) != 0)
		file->lost = lost; /* they are lost with the record */
}

/* Whether the agent reads the file as one document if the line is all of it, since it has a list,
 * and is not the line that a rule of LOAD_ANYONE requires. */
static bool
may_be_document(const struct load_plan *plan, struct json_value record)
{
	const struct load_form_rule *rules = plan->form->rules;
	struct member_view view;
	bool found = false;

	load_plan_view(plan, record, &view);
	for (unsigned i = 0; rules[i].code != 0; i++)
		found |= rules[i].scope == LOAD_ANYONE && rules[i].shape == LOAD_LINE &&
		    !conditions_hold(&plan->rules[i], &view);
	return found && member_find(&view, &plan->lists).type == JSON_ARRAY;
}

void
load_judge(const struct load_plan *plan, struct load_file *file, struct json_value record)
{
	judge_record(plan, file, record);
	if (file->count > 1 || file->is_spread || !may_be_document(plan, record))
		return;
	file->alone = mem_alloc(1, sizeof *file->alone);
	*file->alone = (struct load_file){
	    .form = file->form, .name = file->name, .is_brief = file->is_brief, .is_spread = true};
	load_file_add(file->alone, load_file_last(file)->line);
	judge_record(plan, file->alone, record);
}

/* Replaces the findings of the file by those of its one record as a document. */
static void
take_document(struct load_file *file)
{
	struct load_file *alone = file->alone;
	struct buf findings = file->findings;

	file->findings = alone->findings;
	alone->findings = findings;
	file->node[0].flags &= (uint8_t)~LOAD_IS_LOST;
	file->node[0].flags |= alone->node[0].flags & LOAD_IS_LOST;
	file->is_lost = alone->is_lost;
	file->lost = alone->lost;
	file->anyones = alone->anyones;
	file->lasts = alone->lasts;
}

void
load_judge_file(const struct load_plan *plan, struct load_file *file)
{
	const struct load_form_rule *rules = plan->form->rules;
	struct buf text = BUF_INIT;
	struct member_view view;

	if (file->alone != NULL && file->count == 1 && !file->has_bad)
		take_document(file);
	for (unsigned i = 0; rules[i].code != 0; i++) {
		const struct load_file_node *node = &file->node[0];

		if (rules[i].scope == LOAD_ANYONE && (file->anyones >> i & 1) == 0) {
			file->is_lost |= rules[i].effect == LOAD_FILE;
			if ((file->stand_ins >> i & 1) != 0)
				continue;
			load_plan_view(plan, json_absent, &view);
			suffer(file, &rules[i], node->line,
			    json_span(member_find(&view, &plan->at[i])));
		} else if ((file->lasts >> i & 1) != 0) {
			suffer(file, &rules[i], load_file_last(file)->line,
			    find_lack(json_absent, rules[i].needs, &text));
		}
	}
	buf_free(&text);
}
