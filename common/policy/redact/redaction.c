#include "policy/redact/redaction.h"

static bool
is_chosen(const struct redaction *stage, struct record *record, struct message *read)
{
	if (stage->where == NULL || record->kind != RECORD_MESSAGE)
		return true;
	if (selection_needs_session(stage->where))
		return stage->is_chosen;
	return selection_has(stage->where, record_message(record, read));
}

static void
take(struct stage *first, struct record *record)
{
	struct redaction *stage = (struct redaction *)first;
	bool is_text = record->kind != RECORD_BLANK && record->kind != RECORD_BAD;
	struct str text = record->line.text;
	uint64_t line = stage->line + 1;
	struct message read;

	if (record->kind != RECORD_BAD)
		stage->line = line + (stage->redact->tell != NULL ? str_count(text, '\n') : 0);
	if (!is_text || !is_chosen(stage, record, &read)) {
		stage_emit(first, record);
		return;
	}
	record_settle(record, &stage->settled);
	json_edit_reset(&stage->edit, record->line.text);
	if (redact_record(stage->redact, record->line.text, line, &stage->edit)) {
		record->edit = &stage->edit;
		if (record->state == RECORD_GIVEN)
			record->state = RECORD_CHANGED;
		/* no stage behind this one is to see what was there */
		record_settle(record, &stage->redacted);
	}
	stage_emit(first, record);
}

void
redaction_init(struct redaction *stage, struct redact *redact, struct selection *where)
{
	*stage = (struct redaction){
	    .stage = {.take = take, .end = stage_pass_end}, .redact = redact, .where = where};
	json_edit_init(&stage->edit, STR(""));
}

void
redaction_free(struct redaction *stage)
{
	json_edit_free(&stage->edit);
	buf_free(&stage->settled);
	buf_free(&stage->redacted);
}

static bool
decide(struct window *window, uint32_t index)
{
	struct redaction_gate *gate = (struct redaction_gate *)window;
	struct session *t = &window->held.session;
	enum term_answer answer = TERM_YES;

	if (t->entry[index].kind == RECORD_MESSAGE)
		answer = selection_decide(gate->behind->where, t, index);
	gate->behind->is_chosen = answer == TERM_YES;
	return answer != TERM_UNKNOWN;
}

void
redaction_gate_init(struct redaction_gate *gate, struct redaction *stage)
{
	gate->behind = stage;
	window_init(&gate->window, decide);
}

void
redaction_gate_free(struct redaction_gate *gate)
{
	window_free(&gate->window);
}
