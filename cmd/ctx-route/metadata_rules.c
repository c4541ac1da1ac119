#include "metadata_rules.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/metadata.h"
#include "face/choices/select_option.h"
#include "json/write.h"
#include "metadata_member.h"

/* Finds the value of each member of the metadata, and whether a rule sets the section. */
static void
choose(struct metadata_rules *rules)
{
	rules->sets_section = false;
	memset(rules->last, 0, rules->members * sizeof *rules->last);
	for (uint32_t i = 0; i < rules->set_count; i++) {
		const struct metadata_rule_set *set = &rules->set[i];

		if (!rules->rule[set->rule].holds)
			continue;
		rules->last[set->member] = &set->assignment;
		rules->sets_section |= str_eq(set->assignment.key, STR("section"));
	}
}

/* Notes the metadata of a message that has none. */
static void
add_metadata(struct metadata_rules *rules, const struct message *message)
{
	struct buf object = BUF_INIT;
	struct json_writer w;
	uint32_t members = 0;

	json_begin(&w, &object, '{');
	for (uint32_t i = 0; i < rules->members; i++) {
		const struct assigned_value *assignment = rules->last[i];

		if (assignment == NULL || assignment->json.len == 0)
			continue;
		json_member_raw(&w, assignment->key, buf_str(&assignment->json));
		members++;
	}
	json_close(&w);
	if (members > 0)
		metadata_add(&rules->edit, message, buf_str(&object));
	buf_free(&object);
}

/* Emits a message with the metadata of the rules. The edit is applied here, so that later stages
 * read the new metadata. */
static void
emit(struct metadata_rules *rules, const struct record *given)
{
	struct record record = *given;
	struct message read;
	const struct message *message = record_message(&record, &read);

	choose(rules);
	json_edit_reset(&rules->edit, record.line.text);
	if (message->metadata.type == JSON_OBJECT) {
		for (uint32_t i = 0; i < rules->members; i++) {
			const struct assigned_value *assignment = rules->last[i];

			if (assignment != NULL)
				metadata_member_put(&rules->edit, message->metadata,
				    assignment->key, buf_str(&assignment->json));
		}
	} else {
		add_metadata(rules, message);
	}
	if (rules->edit.count > 0) {
		record.edit = &rules->edit;
		record.state = RECORD_CHANGED;
		record_settle(&record, &rules->text);
		message_reread(&read, record.line.text);
		record.message = &read;
	}
	stage_emit(&rules->window.held.stage, &record);
}

/* The take of rules that look at each message alone. */
static void
take(struct stage *stage, struct record *record)
{
	struct metadata_rules *rules = (struct metadata_rules *)stage;
	struct message read;

	if (record->kind != RECORD_MESSAGE) {
		stage_emit(stage, record);
		return;
	}
	for (uint32_t i = 0; i < rules->count; i++)
		rules->rule[i].holds =
		    selection_has(&rules->rule[i].where, record_message(record, &read));
	emit(rules, record);
}

/* A changed message is emitted here, and not put into the session: selectors see messages as they
 * were read. */
static bool
decide(struct window *window, uint32_t index)
{
	struct metadata_rules *rules = (struct metadata_rules *)window;
	struct session *t = &window->held.session;
	struct record record;
	struct message read;

	if (rules->recalls)
		t->entry[index].is_dropped = true;
	if (rules->recalls || t->entry[index].kind != RECORD_MESSAGE)
		return true;
	for (uint32_t i = 0; i < rules->count; i++) {
		enum term_answer answer = selection_decide(&rules->rule[i].where, t, index);

		if (answer == TERM_UNKNOWN)
			return false;
		rules->rule[i].holds = answer == TERM_YES;
	}
	held_record(&window->held, index, &record);
	entry_parse(&t->entry[index], &read);
	record.message = &read;
	emit(rules, &record);
	t->entry[index].is_dropped = true;
	return true;
}

void
metadata_rules_recall(struct metadata_rules *rules, struct record *record, struct fault *fault)
{
	if (!rules->needs_session)
		return;
	rules->window.held.stage.fault = fault;
	rules->recalls = true;
	rules->window.held.stage.take(&rules->window.held.stage, record);
	rules->recalls = false;
}

static void
add_set(struct metadata_rules *rules, const char *option, const char *argument)
{
	struct metadata_rule_set set = {.rule = rules->count - 1, .member = rules->members};

	assigned_value_parse(&set.assignment, option, argument);
	assigned_value_check_type(&set.assignment, option, argument);
	for (uint32_t i = 0; i < rules->set_count; i++)
		if (str_eq(rules->set[i].assignment.key, set.assignment.key))
			set.member = rules->set[i].member;
	rules->members += set.member == rules->members;
	LIST_ADD(rules->set, rules->set_count, rules->set_cap, set);
}

static void
add_where(struct metadata_rules *rules, const char *option, const char *argument)
{
	struct selector_error error = {BUF_INIT, 0};
	struct selectors *where = &rules->rule[rules->count - 1].where.select;

	if (!selectors_add(where, argument, &error))
		select_option_fail(option, argument, &error);
	rules->needs_session |= where->needs_session;
	rules->needs_tokens |= where->needs_tokens;
}

void
metadata_rules_init(struct metadata_rules *rules, const struct option_sequence *options)
{
	bool is_open = false; /* the last option was a --set */

	*rules = (struct metadata_rules){.count = 0};
	window_init(&rules->window, decide);
	for (unsigned i = 0; i < options->count; i++) {
		const char *option = options->item[i].option->name;
		bool is_where = strcmp(option, "where") == 0;

		if (is_where && rules->count == 0)
			options_fail("--where requires an earlier --set");
		if (!is_where && !is_open)
			LIST_ADD(rules->rule, rules->count, rules->cap,
			    (struct metadata_rule){.where = {.is_exact = true}});
		if (is_where)
			add_where(rules, option, options->item[i].argument);
		else
			add_set(rules, option, options->item[i].argument);
		is_open = !is_where;
	}
	rules->last = mem_alloc((size_t)rules->members + 1, sizeof *rules->last);
	if (rules->needs_session)
		return;
	rules->window.held.stage.take = take;
	rules->window.held.stage.end = stage_pass_end;
}

void
metadata_rules_set_estimator(struct metadata_rules *rules, struct estimator *estimator)
{
	for (uint32_t i = 0; i < rules->count; i++)
		rules->rule[i].where.estimator = estimator;
}

void
metadata_rules_free(struct metadata_rules *rules)
{
	for (uint32_t i = 0; i < rules->count; i++)
		selection_free(&rules->rule[i].where);
	for (uint32_t i = 0; i < rules->set_count; i++)
		assigned_value_free(&rules->set[i].assignment);
	free(rules->rule);
	free(rules->set);
	free(rules->last);
	json_edit_free(&rules->edit);
	buf_free(&rules->text);
	window_free(&rules->window);
}
