#include "meter.h"

#include "data/message/metadata.h"
#include "data/session/session_builder.h"
#include "json/string.h"

/* A number was written by an earlier run, and the count may replace it; any other value is the
 * user's own. */
static bool
takes_count(struct json_value tokens, uint64_t count)
{
	if (tokens.type == JSON_NUMBER)
		return json_integer(tokens, -1) != (int64_t)count;
	return tokens.type == JSON_ABSENT || tokens.type == JSON_NULL;
}

/* Emits the record with its count as metadata.tokens. If the record already has this count, or has
 * no place for it, it is emitted unchanged. */
static void
annotate(struct meter *meter, struct record *record)
{
	struct message read;
	const struct message *message = record_message(record, &read);
	struct metadata_member tokens = {METADATA_TOKENS, STR("")};
	struct buf number = BUF_INIT;
	struct json_edit edit;

	buf_add_fmt(&number, "%ju", (uintmax_t)meter->measure->last);
	tokens.value = buf_str(&number);
	json_edit_init(&edit, record->line.text);
	if (takes_count(message->meta[METADATA_TOKENS], meter->measure->last) &&
	    metadata_set(&edit, message, &tokens, 1)) {
		record->edit = &edit;
		record->state = RECORD_CHANGED;
	}
	stage_emit(&meter->stage, record);
	json_edit_free(&edit);
	buf_free(&number);
}

static bool
is_selected(const struct meter *meter, const struct message *message)
{
	if (meter->when == NULL)
		return false;
	return meter->entry != NULL ? selector_matches(meter->when, meter->session, meter->entry) :
				      selector_matches_message(meter->when, message);
}

/* Measures the record. Returns whether it counts. */
static bool
weigh(struct meter *meter, struct record *record, struct message *read)
{
	const uint32_t *count = meter->entry != NULL ? &meter->entry->tokens : NULL;
	const struct message *message;

	if (record->kind != RECORD_MESSAGE && record->kind != RECORD_CONTEXT &&
	    record->kind != RECORD_BUDGET)
		return false;
	message = record_message(record, read);
	if (!measure_add(meter->measure, message, record->line.number, count))
		return false;
	meter->measure->figures.of[BUDGET_WHEN] += is_selected(meter, message);
	return true;
}

static void
meter_take(struct stage *stage, struct record *record)
{
	struct meter *meter = (struct meter *)stage;
	struct message read;
	bool is_weighed = weigh(meter, record, &read);

	if (!meter->passes || record->kind == RECORD_BUDGET)
		return;
	if (is_weighed && meter->annotates)
		annotate(meter, record);
	else
		stage_emit(stage, record);
}

void
meter_init(struct meter *meter, struct measure *measure, const struct selector *when)
{
	*meter = (struct meter){
	    .stage = {.take = meter_take, .end = stage_pass_end}, .measure = measure, .when = when};
}

static void
scale_end(struct stage *stage)
{
	struct scale *scale = (struct scale *)stage;
	struct session *session = &scale->held.session;

	session_end(session);
	estimate_session(scale->meter->measure->estimator, session);
	scale->meter->session = session;
	for (uint32_t i = 0; i < session->count && !fault_is_set(stage->fault); i++) {
		scale->meter->entry = &session->entry[i];
		held_emit(&scale->held, i);
	}
}

void
scale_init(struct scale *scale, struct meter *meter)
{
	*scale = (struct scale){.meter = meter};
	held_init(&scale->held, scale_end);
}

void
scale_free(struct scale *scale)
{
	held_free(&scale->held);
}
