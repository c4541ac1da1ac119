/*
 * The budget record of the stream: its estimator, its limits and its model hold where the options
 * say nothing of them.
 */
#include "job.h"

#include "json/text.h"

/* Whether name is an estimator that is no command: only the user may say what runs, never the
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
	char *copy;

	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	member = json_find(message.value, STR("estimator"));
	if (member.type != JSON_STRING)
		return;
	name = json_text(member, &text);
	copy = arena_zalloc(&job->held.session.arena, 1, name.len + 1);
	memcpy(copy, name.ptr, name.len);
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

/* Whether a budget record has a reason that counting tokens does not find again: a trigger. */
static bool
has_trigger(struct json_value record)
{
	struct json_value reasons = json_find(record, STR("reasons"));
	struct json_walk walk;

	json_walk_open(&walk, reasons);
	while (reasons.type == JSON_ARRAY && json_walk_next(&walk))
		if (!json_is(walk.value, budget_reason_name(BUDGET_SOFT_THRESHOLD)) &&
		    !json_is(walk.value, budget_reason_name(BUDGET_HEADROOM)))
			return true;
	return false;
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
budget_record_read(struct job *job, struct budget_limits *limits)
{
	struct message message;

	if (job->budget_entry == NONE)
		return;
	entry_parse(&job->held.session.entry[job->budget_entry], &message);
	budget_read(message.value, limits);
	job->is_triggered = has_trigger(message.value);
	if (job->model == NULL)
		read_model(job, json_find(message.value, STR("model")));
}

/* The sum of the counts up to the last answer of the model: the last request, and what came of it.
 */
static uint64_t
sum_prefix(struct job *job)
{
	struct session *t = &job->held.session;
	uint64_t sum = 0, prefix = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		for (uint32_t k = 0; k < t->added_count; k++)
			sum += change_added(t, k)->entry == i ? change_added(t, k)->after : 0;
		if (t->entry[i].is_dropped || t->entry[i].outside)
			continue;
		sum += weigh_entry(t, i, &job->estimator);
		if (t->entry[i].role == ROLE_ASSISTANT)
			prefix = sum;
	}
	return prefix;
}

static void
write_price(struct job *job, struct json_writer *w)
{
	uint64_t prefix = sum_prefix(job);
	struct price price;

	if (prefix > 0)
		prefix = estimate_cost(&job->estimator, prefix) + job->system;
	price = model_price(job->model, job->budget.used + job->system, prefix);
	model_write_members(job->model, &price, w);
}

static void
write_record(struct job *job, struct buf *text)
{
	struct json_writer w;

	json_writer_init(&w, text);
	json_open(&w, '{');
	budget_write_members(&job->budget, &w);
	if (job->model != NULL)
		write_price(job, &w);
	else if (job->unknown_model.type == JSON_STRING)
		json_member_raw(&w, STR("model"), json_span(job->unknown_model));
	json_close(&w);
}

/* Whether nothing but blank lines and budget records stands behind the entry. */
static bool
is_last(const struct session *t, uint32_t index)
{
	for (uint32_t i = index + 1; i < t->count; i++)
		if (t->entry[i].kind != RECORD_BLANK && t->entry[i].kind != RECORD_BUDGET)
			return false;
	return true;
}

void
budget_record_rewrite(struct job *job)
{
	static const struct change_rule rule = {
	    STR_INIT(""), STR_INIT("update"), STR_INIT("budget"), STR_INIT("")};
	struct session *t = &job->held.session;
	bool stays = job->budget_entry != NONE && is_last(t, job->budget_entry);
	struct buf text = BUF_INIT;

	if (job->budget_entry == NONE)
		return;
	write_record(job, &text);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].kind == RECORD_BUDGET && !(stays && i == job->budget_entry))
			change_drop(t, i, &rule);
	if (!stays)
		change_add(t, t->count, &rule, buf_str(&text));
	else if (!str_eq(entry_text(&t->entry[job->budget_entry]), buf_str(&text)))
		change_text(t, job->budget_entry, &rule, buf_str(&text));
	buf_free(&text);
}
