#include "reading.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_builder.h"
#include "data/session/session_calls.h"
#include "policy/facts/facts.h"
#include "policy/keep.h"

/* The number that a message says which a reader made, or else its number among those. */
static uint64_t
number_of_message(struct reading *reading, struct record *record, struct message *read)
{
	uint64_t number = line_number_of_source(record_message(record, read));

	reading->messages++;
	return number > 0 ? number : line_number_of(reading->messages);
}

static struct reading_place
place_of(struct reading *reading, struct record *record, struct message *read)
{
	struct reading_place place = {.line = record->line.number,
	    .file = record->line.file,
	    .is_line = record->state == RECORD_GIVEN};

	if (place.is_line) {
		place.number = line_number_of(place.line);
		return place;
	}
	reading->records += record->kind != RECORD_BLANK && !record->is_forgotten;
	place.line = reading->records;
	if (record->kind == RECORD_MESSAGE)
		place.number = number_of_message(reading, record, read);
	return place;
}

static void
pass(struct reading *reading, struct record *record, struct reading_place place)
{
	reading->record.place = place;
	stage_emit(&reading->held.stage, record);
}

/* Emits the held records, of which the end is not known. */
static void
let_out(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->held.session.count; i++) {
		struct record record;

		held_record(&reading->held, i, &record);
		pass(reading, &record, reading->place[i]);
	}
	held_free(&reading->held);
	free(reading->place);
	reading->place = NULL;
	reading->passes = true;
}

static void
take(struct stage *stage, struct record *record)
{
	struct reading *reading = (struct reading *)stage;
	struct message read;
	struct reading_place place = place_of(reading, record, &read);

	if (reading->passes) {
		pass(reading, record, place);
		return;
	}
	held_take(stage, record);
	LIST_ADD(reading->place, reading->count, reading->cap, place);
	reading->bytes += record_written_len(record);
	if (reading->bytes > READING_MOST && !reading->must_hold)
		let_out(reading);
}

/* The newest artifact of a compaction, or NONE. */
static uint32_t
find_artifact(const struct session *session)
{
	uint32_t i = session->count;

	while (i > 0 && !session->entry[i - 1].is_summary)
		i--;
	return i > 0 ? i - 1 : NONE;
}

/* The messages that compaction must keep, whatever the window, by entry. */
static uint8_t *
find_kept(struct session *session, struct estimator *estimator)
{
	const struct selectors none = {.count = 0};
	const struct keep_choice choice = {.select = &none, .protect = &none};
	const struct keep_window window = {.is_given = true};
	uint32_t artifact = find_artifact(session);
	struct framing framing = framing_find(session, facts_framing(session, artifact));
	struct keep_request request = facts_request(session, artifact);
	struct goals goals;
	uint8_t *keep;

	session_learn_all(session);
	goals_init(&goals, session, NULL, NULL, &framing, estimator);
	keep =
	    keep_find(session, &window, &choice, artifact, &framing, &request, &goals, estimator);
	goals_free(&goals);
	return keep;
}

static void
end(struct stage *stage)
{
	struct reading *reading = (struct reading *)stage;
	struct session *session = &reading->held.session;
	uint8_t *keep;

	if (reading->passes)
		return;
	session_end(session);
	reading->record.total = estimate_session(reading->estimator, session);
	reading->record.session = session;
	keep = find_kept(session, reading->estimator);
	for (uint32_t i = 0; i < session->count && !fault_is_set(stage->fault); i++) {
		struct record record;

		held_record(&reading->held, i, &record);
		reading->record.entry = &session->entry[i];
		reading->record.keep = keep[i];
		pass(reading, &record, reading->place[i]);
	}
	free(keep);
}

void
reading_init(struct reading *reading, struct estimator *estimator, bool must_hold, bool passes)
{
	*reading =
	    (struct reading){.estimator = estimator, .must_hold = must_hold, .passes = passes};
	held_init(&reading->held, end);
	reading->held.stage.take = take;
}

void
reading_free(struct reading *reading)
{
	if (!reading->passes)
		held_free(&reading->held);
	free(reading->place);
}
