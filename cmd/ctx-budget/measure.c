#include "measure.h"

#include <stdio.h>
#include <time.h>

#include "base/bounded.h"
#include "json/text.h"

void
measure_init(struct measure *measure, struct estimator *estimator, enum breakdown_key key)
{
	*measure = (struct measure){.estimator = estimator, .first_time = -1, .last_time = -1};
	walk_init(&measure->walk);
	breakdown_init(&measure->breakdown, key);
}

void
measure_free(struct measure *measure)
{
	walk_free(&measure->walk);
	fit_free(&measure->fit);
	breakdown_free(&measure->breakdown);
}

/* The offset from UTC at the end of an ISO time, in seconds; east is positive. */
static int64_t
zone_offset(const char *text)
{
	int hours, minutes = 0;

	if ((*text != '+' && *text != '-') ||
	    (sscanf(text + 1, "%2d:%2d", &hours, &minutes) < 2 &&
		sscanf(text + 1, "%2d%2d", &hours, &minutes) < 1))
		return 0;
	return (*text == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

static int64_t
parse_iso(const char *text)
{
	struct tm tm = {.tm_isdst = 0};
	int used = 0, millis = 0;

	if (sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		&tm.tm_hour, &tm.tm_min, &tm.tm_sec, &used) != 6 ||
	    used == 0)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	text += used;
	if (*text == '.' || *text == ',') {
		int scale = 100;

		for (text++; *text >= '0' && *text <= '9'; text++, scale /= 10)
			millis += (*text - '0') * scale;
	}
	return ((int64_t)timegm(&tm) - zone_offset(text)) * 1000 + millis;
}

int64_t
measure_time(struct json_value timestamp)
{
	const int64_t milliseconds = 100000000000; /* a larger number counts milliseconds */
	char text[40];
	struct str inner;
	double number;

	if (timestamp.type == JSON_NUMBER) {
		number = json_real(timestamp, -1);
		if (number < 0 || number > 1e15)
			return -1;
		return number > (double)milliseconds ? (int64_t)number : (int64_t)(number * 1000);
	}
	if (timestamp.type != JSON_STRING)
		return -1;
	inner = json_inner(timestamp);
	if (inner.len >= sizeof text)
		return -1;
	memcpy(text, inner.ptr, inner.len);
	text[inner.len] = '\0';
	return parse_iso(text);
}

static void
note_time(struct measure *measure, const struct message *message)
{
	int64_t time = measure_time(message->meta[METADATA_TIMESTAMP]);

	if (time < 0)
		return;
	if (measure->first_time < 0 || time < measure->first_time)
		measure->first_time = time;
	if (time > measure->last_time)
		measure->last_time = time;
}

static void
count_message(struct measure *measure, const struct message *message, const struct verdict *verdict)
{
	bool compacted =
	    message->metadata.type == JSON_OBJECT && message_is(message, METADATA_COMPACTED);

	measure->messages++;
	measure->tool_results += message->role == ROLE_TOOL && !compacted;
	if (verdict->execution_began)
		measure->steps = 0;
	measure->steps += message->role == ROLE_ASSISTANT;
	note_time(measure, message);
}

bool
measure_add(
    struct measure *measure, const struct message *message, size_t line, const uint32_t *count)
{
	struct verdict verdict;
	uint64_t tokens;

	if (message->kind == RECORD_CONTEXT)
		measure->system = estimate_context(measure->estimator, message);
	if (message->kind != RECORD_MESSAGE)
		return false;
	walk_add(&measure->walk, message, &verdict);
	if (verdict.outside)
		return false;
	tokens = count != NULL ? *count : estimate_message(measure->estimator, message);
	measure->sum = bounded_add(measure->sum, tokens);
	measure->last = tokens;
	if (message->role == ROLE_ASSISTANT)
		measure->prefix = measure->sum;
	fit_add(&measure->fit, message, tokens);
	count_message(measure, message, &verdict);
	breakdown_add(&measure->breakdown, message, &measure->walk, &verdict, line, tokens);
	return true;
}

static unsigned
fired(const struct measure *measure, const struct triggers *triggers)
{
	uint64_t age = measure->first_time < 0 ?
	    0 :
	    (uint64_t)(measure->last_time - measure->first_time) / 1000;
	const struct {
		uint64_t actual, most;
		enum budget_reason reason;
	} limit[] = {
	    {measure->tool_results, triggers->tool_results, BUDGET_TOOL_RESULTS},
	    {measure->messages, triggers->messages, BUDGET_MESSAGES},
	    {measure->walk.turn_count, triggers->turns, BUDGET_TURNS},
	    {measure->steps, triggers->steps, BUDGET_STEPS},
	    {age, triggers->age, BUDGET_AGE},
	};
	unsigned bits = 0;

	for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
		if (limit[i].most > 0 && limit[i].actual > limit[i].most)
			bits |= 1u << limit[i].reason;
	return bits;
}

bool
measure_budget(const struct measure *measure, const struct triggers *triggers, bool when_fired,
    struct budget *budget, struct estimator *fitted)
{
	bool enough;

	*fitted = *measure->estimator;
	enough = fit_apply(&measure->fit, fitted);
	*budget = (struct budget){.estimator = fitted->name};
	budget->triggers = fired(measure, triggers) | (unsigned)when_fired << BUDGET_WHEN;
	budget_set(budget, &measure->limits, estimate_cost(fitted, measure->sum), measure->system);
	return enough;
}
