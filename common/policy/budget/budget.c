#include "policy/budget/budget.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/timestamp.h"
#include "json/string.h"

enum { WINDOW = 128000, RESERVE_OUTPUT = 16000, HEADROOM = 2000 };

static uint64_t
less(uint64_t from, uint64_t what)
{
	return from > what ? from - what : 0;
}

bool
budget_has_trigger(const struct budget_limits *limits)
{
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_REASONS; r++)
		if (limits->has[r])
			return true;
	return false;
}

bool
budget_ages(const struct message *message)
{
	return !role_is_system(message->role) && !message_is(message, METADATA_PINNED) &&
	    !message_is(message, METADATA_CRITICAL) &&
	    !json_is(message->meta[METADATA_KIND], STR("summary"));
}

/* Whether the message is of the framing: the user's, before the first answer. */
static bool
is_framing(
    struct budget_figures *figures, const struct message *message, const struct verdict *verdict)
{
	bool is_request = message_is_request(message);
	bool is_error = verdict->origin == ORIGIN_ERROR || message_is(message, METADATA_IS_ERROR);

	figures->is_asked |= is_request;
	figures->is_answered |= figures->is_asked && message->role == ROLE_ASSISTANT && !is_error &&
	    !message_is_artifact(message);
	return is_request && !figures->is_answered;
}

static void
note_time(
    struct budget_figures *figures, const struct message *message, const struct verdict *verdict)
{
	bool is_framed = !figures->is_answered && is_framing(figures, message, verdict);
	int64_t time = timestamp_read(message->meta[METADATA_TIMESTAMP]);

	if (time < 0)
		return;
	if ((figures->first_time < 0 || time < figures->first_time) && !is_framed &&
	    budget_ages(message))
		figures->first_time = time;
	if (time > figures->last_time)
		figures->last_time = time;
	if (figures->first_time >= 0)
		figures->of[BUDGET_AGE] =
		    (uint64_t)(figures->last_time - figures->first_time) / 1000;
}

void
budget_count(
    struct budget_figures *figures, const struct message *message, const struct verdict *verdict)
{
	bool compacted =
	    message->metadata.type == JSON_OBJECT && message_is(message, METADATA_COMPACTED);

	figures->of[BUDGET_MESSAGES]++;
	figures->of[BUDGET_TOOL_RESULTS] += message->role == ROLE_TOOL && !compacted;
	figures->of[BUDGET_TURNS] = verdict->turn;
	if (verdict->execution_began)
		figures->of[BUDGET_STEPS] = 0;
	figures->of[BUDGET_STEPS] += message->role == ROLE_ASSISTANT;
	note_time(figures, message, verdict);
}

void
budget_count_sections(struct budget_figures *figures, const struct budget_limits *limits,
    const struct estimator *estimator)
{
	unsigned over = section_limits_over(&limits->sections, figures->section, estimator);

	figures->of[BUDGET_SECTION] = 0;
	for (; over != 0; over &= over - 1)
		figures->of[BUDGET_SECTION]++;
}

struct selector *
budget_parse_when(const char *text, uint64_t *most, struct selector_error *error)
{
	const char *mark = strrchr(text, '>');
	struct selector *when;
	char *selector;

	if (mark == NULL || !number_parse(mark + 1, most)) {
		buf_add_str(&error->message, STR("expected SELECTOR>N"));
		error->at = mark != NULL ? (size_t)(mark + 1 - text) : strlen(text);
		return NULL;
	}
	selector = strndup(text, (size_t)(mark - text));
	if (selector == NULL)
		mem_exhausted();
	when = selector_parse(selector, error);
	free(selector);
	return when;
}

uint64_t
budget_room(const struct budget *budget)
{
	return less(less(budget->window, budget->reserved_output), budget->reserved_system);
}

void
budget_reuse(struct budget *budget, uint64_t used)
{
	budget->used = used;
	budget->remaining = less(budget_room(budget), used);
	budget->reasons = budget->said;
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_REASONS; r++)
		if (budget->limits->has[r] && budget->figures.of[r] > budget->limits->most[r])
			budget->reasons |= 1u << r;
	if (used >= budget->soft)
		budget->reasons |= 1u << BUDGET_SOFT_THRESHOLD;
	if (budget->remaining < budget->headroom)
		budget->reasons |= 1u << BUDGET_HEADROOM;
	if (used > budget_room(budget))
		budget->reasons |= 1u << BUDGET_WINDOW;
	budget->compact = budget->reasons != 0;
}

/* A compaction whose target is near the threshold would be due again at once. */
static void
set_thresholds(struct budget *budget, struct size given)
{
	uint64_t window = budget->window, soft = window / 5 * 4 + window % 5 * 4 / 5;

	soft = number_least(soft, less(budget_room(budget), budget->headroom));
	budget->soft = size_of_window(given, window, soft);
	budget->target = window / 2;
	if (given.unit != SIZE_UNSET)
		budget->target = number_least(budget->target, budget->soft / 2);
}

void
budget_set(
    struct budget *budget, const struct budget_limits *limits, uint64_t used, uint64_t system)
{
	const struct model *model = budget->session_model;
	uint64_t window = model != NULL ? model->window : WINDOW;

	window = size_of_window(limits->window, window, window);
	budget->limits = limits;
	if (limits->limit.unit != SIZE_UNSET) {
		budget->window = limits->limit.value;
		budget->reserved_output = budget->headroom = 0;
		budget->reserved_system =
		    size_of_window(limits->reserve_system, budget->window, system);
		budget->soft = budget_room(budget) + 1;
		budget->target = budget_room(budget) / 2;
		budget_reuse(budget, used);
		return;
	}
	budget->window = window;
	budget->reserved_output = size_of_window(
	    limits->reserve_output, window, number_least(RESERVE_OUTPUT, window / 4));
	budget->reserved_system = size_of_window(limits->reserve_system, window, system);
	budget->headroom =
	    size_of_window(limits->headroom, window, number_least(HEADROOM, window / 32));
	set_thresholds(budget, limits->soft);
	budget_reuse(budget, used);
}

uint64_t
budget_due(const struct budget *budget)
{
	uint64_t room = budget_room(budget);

	if (budget->headroom > room)
		return 0;
	return number_least(budget->soft, room - budget->headroom + 1); /* over the window, too */
}

static void
read_size(struct json_value record, struct str name, struct size *size)
{
	int64_t number = json_integer(json_find(record, name), -1);

	if (size->unit == SIZE_UNSET && number >= 0)
		*size = (struct size){SIZE_PLAIN, (uint64_t)number};
}

/* A threshold that follows from the other limits of the record is none that the user gave. */
static void
read_soft(struct json_value record, struct budget_limits *limits)
{
	struct budget_limits others = *limits;
	struct budget budget = {.said = 0};

	if (limits->soft.unit != SIZE_UNSET)
		return;
	budget_set(&budget, &others, 0, 0);
	read_size(record, STR("soft_compact_threshold"), &limits->soft);
	if (limits->soft.value == budget.soft)
		limits->soft.unit = SIZE_UNSET;
}

void
budget_read(struct json_value record, struct budget_limits *limits)
{
	struct json_value given = json_find(record, STR("limits"));

	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_WHEN; r++) {
		int64_t most = json_integer(json_find(given, budget_reason_name(r)), -1);

		if (limits->has[r] || most < 0)
			continue;
		limits->has[r] = true;
		limits->most[r] = (uint64_t)most;
	}
	/* The record's limits follow from its window: with another window, they do not apply. */
	if (limits->window.unit != SIZE_UNSET || limits->limit.unit != SIZE_UNSET)
		return;
	read_size(record, STR("context_window"), &limits->window);
	read_size(record, STR("reserved_output_tokens"), &limits->reserve_output);
	read_size(record, STR("reserved_system_tokens"), &limits->reserve_system);
	read_size(given, STR("headroom"), &limits->headroom);
	read_size(given, STR("limit"), &limits->limit);
	read_soft(record, limits);
}

struct str
budget_reason_name(enum budget_reason reason)
{
	static const struct str names[BUDGET_REASONS] = {
	    [BUDGET_SOFT_THRESHOLD] = STR_INIT("soft_threshold"),
	    [BUDGET_HEADROOM] = STR_INIT("headroom"),
	    [BUDGET_WINDOW] = STR_INIT("window"),
	    [BUDGET_TOOL_RESULTS] = STR_INIT("max_tool_results"),
	    [BUDGET_MESSAGES] = STR_INIT("max_messages"),
	    [BUDGET_TURNS] = STR_INIT("max_turns"),
	    [BUDGET_STEPS] = STR_INIT("max_steps"),
	    [BUDGET_AGE] = STR_INIT("max_age"),
	    [BUDGET_WHEN] = STR_INIT("when"),
	    [BUDGET_SECTION] = STR_INIT("max_section"),
	};

	return names[reason];
}

/* The limits that the other members of the record do not give. */
static void
write_limits(const struct budget *budget, struct json_writer *w)
{
	const struct budget_limits *limits = budget->limits;
	bool is_limit = limits->limit.unit != SIZE_UNSET;
	bool has_headroom = !is_limit && limits->headroom.unit != SIZE_UNSET;

	if (!is_limit && !has_headroom && !budget_has_trigger(limits))
		return;
	json_member_open(w, STR("limits"), '{');
	if (is_limit)
		json_member_integer(w, STR("limit"), (int64_t)budget->window);
	if (has_headroom)
		json_member_integer(w, STR("headroom"), (int64_t)budget->headroom);
	for (enum budget_reason r = BUDGET_TRIGGERS; r < BUDGET_WHEN; r++)
		if (limits->has[r])
			json_member_integer(w, budget_reason_name(r), (int64_t)limits->most[r]);
	if (limits->has[BUDGET_WHEN])
		json_member_string(w, budget_reason_name(BUDGET_WHEN), str_from(limits->when));
	if (limits->has[BUDGET_SECTION]) {
		json_name(w, budget_reason_name(BUDGET_SECTION));
		section_limits_write(&limits->sections, w);
	}
	json_close(w);
}

void
budget_write_members(const struct budget *budget, struct json_writer *w)
{
	json_member_string(w, STR("type"), STR("budget"));
	json_member_string(w, STR("estimator"), str_from(budget->estimator));
	json_member_integer(w, STR("context_window"), (int64_t)budget->window);
	json_member_integer(w, STR("used_tokens"), (int64_t)budget->used);
	json_member_integer(w, STR("reserved_output_tokens"), (int64_t)budget->reserved_output);
	json_member_integer(w, STR("reserved_system_tokens"), (int64_t)budget->reserved_system);
	json_member_integer(w, STR("soft_compact_threshold"), (int64_t)budget->soft);
	json_member_integer(w, STR("remaining"), (int64_t)budget->remaining);
	json_member_bool(w, STR("over_soft_threshold"), budget_has(budget, BUDGET_SOFT_THRESHOLD));
	json_member_bool(w, STR("compact"), budget->compact);
	json_member_open(w, STR("reasons"), '[');
	for (enum budget_reason r = 0; r < BUDGET_REASONS; r++)
		if (budget_has(budget, r))
			json_put_string(w, budget_reason_name(r));
	json_close(w);
	write_limits(budget, w);
	if (budget->hard_stop)
		json_member_bool(w, STR("hard_stop"), true);
}
