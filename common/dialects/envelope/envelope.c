#include "dialects/envelope/envelope.h"

#include <stdlib.h>

#include "base/mem.h"

const struct dialect *
envelope_find(struct json_value inside)
{
	const struct dialect *dialect = dialect_detect(inside);

	return dialect != NULL && dialect->reader == NULL && !dialect->is_session ? dialect : NULL;
}

void
envelope_begin(struct envelope *envelope, struct json_value id)
{
	line_session_name(&envelope->session, id, envelope->base.stage.next);
}

void
envelope_read(struct envelope *envelope, const struct record *record, const struct dialect *dialect,
    struct str inside)
{
	struct dialect_reading *reading = envelope->reading;
	bool looks_ahead = reading->looks_ahead;
	struct dialect_stage *to;
	struct message message;
	struct record inner;

	/* A look at the file, one for each record, would take too long. */
	reading->looks_ahead = false;
	to = dialect_reader_open(dialect, reading);
	to->stage.next = &envelope->session.stage;
	to->stage.fault = envelope->base.stage.fault;
	buf_set(&envelope->text, inside);
	buf_add_char(&envelope->text, '\n');
	buf_pad(&envelope->text);
	record_respell(&inner, &record->line, buf_str(&envelope->text), &message);
	to->stage.take(&to->stage, &inner);
	to->stage.end(&to->stage);
	to->free(to);
	reading->looks_ahead = looks_ahead;
}

static void
take(struct stage *stage, struct record *record)
{
	struct envelope *envelope = (struct envelope *)stage;

	if (record->kind == RECORD_FOREIGN &&
	    dialect_sign_of(envelope->dialect, record->message->value) != DIALECT_SIGN_NONE) {
		dialect_note_other(envelope->reading, envelope->dialect, &record->line);
		if (envelope->read(envelope, record))
			return;
		dialect_note_flaw(
		    envelope->reading, &record->line, "what is inside is not understood");
		record->read |= RECORD_READ_NAMED;
	}
	stage_emit(stage, record);
}

static void
free_envelope(struct dialect_stage *base)
{
	struct envelope *envelope = (struct envelope *)base;

	line_session_free(&envelope->session);
	buf_free(&envelope->text);
	free(envelope);
}

struct dialect_stage *
envelope_reader(const struct dialect *dialect, struct dialect_reading *reading,
    bool (*read)(struct envelope *envelope, const struct record *record))
{
	struct envelope *envelope = mem_alloc(1, sizeof *envelope);

	*envelope = (struct envelope){
	    .base = {.stage = {.take = take, .end = stage_pass_end}, .free = free_envelope},
	    .dialect = dialect,
	    .reading = reading,
	    .read = read};
	line_session_init(&envelope->session);
	return &envelope->base;
}
