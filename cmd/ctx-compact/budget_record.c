/*
 * The budget record of the stream: its estimator, its limits and its model count unless options set
 * them.
 */
#include "job.h"

#include "json/string.h"

/* The text with a NUL after it. */
static const char *
copy_text(struct arena *arena, struct str text)
{
	char *copy = arena_zalloc(arena, 1, text.len + 1);

	memcpy(copy, text.ptr, text.len);
	return copy;
}

/* Whether name is an estimator that is no command: only the user may name commands, never the
 * data. */
static bool
is_built_in(struct str name, const char *copy)
{
	struct estimator estimator;

	return strlen(copy) == name.len && estimator_init(&estimator, copy) &&
	    estimator.kind != ESTIMATOR_COMMAND;
}

/* Takes the estimator that the budget record names. The copy of its name lives as long as the
 * session. */
static void
read_estimator(struct job *job)
{
	struct buf text = BUF_INIT;
	struct message message;
	struct json_value member;
	struct str name;
	const char *copy;

	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	member = json_find(message.value, STR("estimator"));
	if (member.type != JSON_STRING)
		return;
	name = json_text(member, &text);
	copy = copy_text(&job->held.session.arena, name);
	if (is_built_in(name, copy))
		job->counting.name = copy;
	else
		diag_warn("the budget record's estimator '%.80s' is not built in: counted with "
			  "o200k_base",
		    copy);
	buf_free(&text);
}

void
budget_record_find(struct job *job)
{
	job->counting = job->options->estimator;
	job->budget_entry = job_find_last(&job->held.session, RECORD_BUDGET);
	if (job->counting.name == NULL && job->budget_entry != NONE)
		read_estimator(job);
}

/* Sets which reasons of the record hold still: those that counting does not find again, since the
 * record has no limit for them. */
static void
read_reasons(struct job *job, struct json_value record)
{
	struct json_value reasons = json_find(record, STR("reasons"));

	for (struct json_walk walk = json_walk_list(reasons); json_walk_next(&walk);) {
		enum budget_reason r = 0;

		while (r < BUDGET_REASONS && !json_is(walk.value, budget_reason_name(r)))
			r++;
		if (r < BUDGET_TRIGGERS || (r < BUDGET_REASONS && job->limits.has[r]))
			continue;
		job->is_triggered = true;
		job->budget.said |= r < BUDGET_REASONS ? 1u << r : 0;
	}
}

/* Takes the --when of the record. A record is data, so a pattern, which may take any time and
 * memory, is not taken. */
static void
read_when(struct job *job, struct json_value when)
{
	struct selector_error error = {BUF_INIT, 0};
	struct buf text = BUF_INIT;
	const char *copy;

	if (job->limits.when != NULL || when.type != JSON_STRING)
		return;
	copy = copy_text(&job->held.session.arena, json_text(when, &text));
	if (!selector_has_pattern(copy))
		job->when = budget_parse_when(copy, &job->limits.most[BUDGET_WHEN], &error);
	job->limits.has[BUDGET_WHEN] = job->when != NULL;
	job->limits.when = copy;
	if (job->when == NULL)
		diag_warn("the budget record's --when '%.80s' is not read: %.*s", copy,
		    STR_ARG(error.message.len > 0 ?
			    buf_str(&error.message) :
			    STR("it has a pattern, which only an option may")));
	buf_free(&text);
	buf_free(&error.message);
}

/* The model that the record names, for its price. */
static void
read_model(struct job *job, struct json_value name)
{
	struct buf text = BUF_INIT;

	if (name.type != JSON_STRING)
		return;
	job->model = models_find_exact(&job->models, json_text(name, &text));
	if (job->model == NULL)
		job->unknown_model = name;
	if (job->model == NULL)
		diag_warn("the budget record's model '%.*s' is not in the table: the record has no "
			  "price (--models-file)",
		    name.len < 80 ? (int)json_inner(name).len : 80, json_inner(name).ptr);
	buf_free(&text);
}

void
budget_record_read(struct job *job)
{
	struct message message;
	struct json_value given;

	if (job->budget_entry == NONE)
		return;
	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	budget_read(message.value, &job->limits);
	given = json_find(message.value, STR("limits"));
	read_when(job, json_find(given, STR("when")));
	if (!job->limits.has[BUDGET_SECTION]) {
		struct section_limits *sections = &job->limits.sections;

		section_limits_read(sections, json_find(given, budget_reason_name(BUDGET_SECTION)),
		    &job->held.session.arena);
		job->limits.has[BUDGET_SECTION] = sections->count > 0;
	}
	read_reasons(job, message.value);
	job->had_calibration = json_find(message.value, STR("calibration")).type == JSON_OBJECT;
	if (job->model == NULL)
		read_model(job, json_find(message.value, STR("model")));
}

/* The sum of the counts up to the last answer of the model: the last request and its answer. */
static uint64_t
sum_prefix(struct job *job)
{
	struct session *t = &job->held.session;
	uint64_t sum = 0, prefix = 0;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		while ((added = change_next_added(t, i, &next)) != NULL)
			sum += added->after;
		if (t->entry[i].is_dropped || t->entry[i].outside)
			continue;
		sum += weigh_entry(t, i, job->estimator);
		if (t->entry[i].role == ROLE_ASSISTANT)
			prefix = sum;
	}
	return prefix;
}

/* Whether the record keeps the calibration of the counts. The provider's figures are not valid for
 * the compacted messages, and the next run must count with the same calibration. */
static bool
keeps_calibration(const struct job *job)
{
	const struct estimator *estimator = job->estimator;

	return job->had_calibration || (estimator_learns(estimator) && job->is_changed) ||
	    (estimator->kind == ESTIMATOR_CALIBRATED && estimator->calibration.points > 0);
}

void
budget_record_write(struct job *job, struct buf *text)
{
	struct json_writer w;

	json_begin(&w, text, '{');
	budget_write_members(&job->budget, &w);
	if (keeps_calibration(job))
		fit_write(job->estimator, &w);
	if (job->model != NULL) {
		uint64_t prefix = sum_prefix(job);
		struct price price;

		if (prefix > 0)
			prefix = estimate_cost(job->estimator, prefix) + job->system;
		price = model_price(job->model, job->budget.used + job->system, prefix);
		model_write_members(job->model, &price, job->budget.estimator, &w);
	} else if (job->unknown_model.type == JSON_STRING) {
		json_member_raw(&w, STR("model"), json_span(job->unknown_model));
	}
	json_close(&w);
}

/* Whether only blank lines and budget records follow the entry. */
static bool
is_last(const struct session *t, uint32_t index)
{
	for (uint32_t i = index + 1; i < t->count; i++)
		if (t->entry[i].kind != RECORD_BLANK && t->entry[i].kind != RECORD_BUDGET)
			return false;
	return true;
}

/* Gives the record the key of the session, so that one which stays as it was is not written. */
static void
give_key(const struct session *t, struct buf *text)
{
	struct buf keyed = BUF_INIT;
	size_t len = text->len;

	if (t->name.key == NULL)
		return;
	buf_pad(text);
	text->len = len;
	if (session_key_complete(&t->name, buf_str(text), &keyed)) {
		buf_set(text, buf_str(&keyed));
	}
	buf_free(&keyed);
}

void
budget_record_rewrite(struct job *job)
{
	static const struct change_rule rule = {
	    STR_INIT(""), STR_INIT("update"), STR_INIT("budget"), STR_INIT("")};
	struct session *t = &job->held.session;
	bool stays = job->budget_entry != NONE && is_last(t, job->budget_entry);
	struct buf text = BUF_INIT;

	if (job->budget_entry == NONE && !(estimator_learns(job->estimator) && job->is_changed))
		return;
	budget_record_write(job, &text);
	give_key(t, &text);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].kind == RECORD_BUDGET && !(stays && i == job->budget_entry))
			change_drop(t, i, &rule);
	if (!stays)
		change_add(t, t->count, &rule, buf_str(&text));
	else if (!str_eq(entry_text(&t->entry[job->budget_entry]), buf_str(&text)))
		change_text(t, job->budget_entry, &rule, buf_str(&text));
	buf_free(&text);
}
