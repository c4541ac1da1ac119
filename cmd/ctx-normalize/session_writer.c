#include "session_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/stream_session.h"

/*
 * A stage for outputs that make one record of a session, such as a request. If sessions follow one
 * another (data/stream_session.h), each becomes a record: between two sessions, the stages after
 * this one end, up to last, and begin anew:
 *
 *     a1 a2 | b1 b2 | c1
 */
struct session_writer_parting {
	struct stage stage;
	const struct stage *last; /* the last of the stages that end */
	struct session_writer *one;
	struct stream_session session;
	bool has_parted; /* an earlier session has ended */
};

/* A session without a key may be no more than a blank line. */
static struct session_writer_api *
open_api(const struct choices *choices, struct dialect_stage *writer, const struct run *run)
{
	struct session_writer_api *api = mem_alloc(1, sizeof *api);

	prompt_init(&api->prompt);
	systems_init(&api->systems, choices_systems(choices));
	request_init(&api->request, choices->request != NULL ? REQUEST_BODY : REQUEST_ARRAY,
	    choices->writer->request, &api->prompt, choices->given);
	api->request.cached = choices->cached_given ? &writer->place : NULL;
	api->request.may_be_none = run->is_keyed && run->session.len == 0;
	return api;
}

/* Appends the stages that write messages to the list, and returns the end of the list. */
static struct stage **
list_writer(struct session_writer *one, struct stage **stages)
{
	const struct choices *choices = one->findings->choices;

	if ((choices->writer != &ctx_dialect || choices->repair) && !one->surrogates.is_after)
		*stages++ = &one->surrogates.stage;
	/* Only the canonical log says that later messages forget others. */
	if (choices->writer != &ctx_dialect && choices->common.forgotten == FORGOTTEN_HIDE)
		*stages++ = &one->tombstone.stage;
	if (one->api != NULL)
		*stages++ = &one->api->prompt.stage;
	if (one->in_time != NULL)
		*stages++ = &one->in_time->stage;
	if (one->order != NULL)
		*stages++ = &one->order->stage;
	*stages++ = &one->repair.stage;
	if (one->api != NULL)
		*stages++ = &one->api->systems.stage;
	*stages++ = &one->writer->stage;
	if (choices_write_one(choices))
		*stages++ = &one->api->request.stage;
	if (one->surrogates.is_after)
		*stages++ = &one->surrogates.stage;
	return stages;
}

static void
open_repair(struct session_writer *one, struct repair *repair)
{
	const struct choices *choices = one->findings->choices;
	const struct dialect *to = choices->writer;

	repair_init(repair, one->findings->list, choices_writes_nothing(choices),
	    to->only_messages || to->is_session || to->is_plain, choices_open_calls(choices));
	run_set_walk(&repair->pairs.walk, &choices->common);
	repair->ignores_bad |= to->no_bad_lines;
}

static void
open_output(struct session_writer *one)
{
	struct account *account = one->findings->account;
	const struct choices *choices = one->findings->choices;
	const struct dialect *to = choices->writer;

	tombstone_init(&one->tombstone, false);
	surrogates_init(&one->surrogates, to->only_messages);
	one->order = to->order != NULL ? to->order() : NULL;
	if (one->order != NULL && choices->check == NULL)
		open_repair(one, one->in_time = mem_alloc(1, sizeof *one->in_time));
	open_repair(one, &one->repair);
	one->writer = to->writer();
	one->writer->dropped = &account->dropped;
	one->writer->cached = choices->cached;
	one->writer->begun = &account->begun;
	if (to->only_messages)
		one->api = open_api(choices, one->writer, account->run);
}

void
session_writer_count(struct session_writer *one)
{
	const struct choices *choices = one->findings->choices;
	struct account *account = one->findings->account;

	account->joined +=
	    choices_write_one(choices) ? one->api->request.count : one->writer->joined;
	if (one->writer->resume.len > 0)
		buf_set(&account->resume, buf_str(&one->writer->resume));
	tally_add_many(&account->dropped, STR("sub-agent"), one->repair.waiting.outside);
	if (one->in_time != NULL)
		account_add_found(account, one->in_time->count);
	account_add_found(account, one->repair.count);
	if (one->api != NULL)
		account_leave_out(
		    account, choices->writer->name, buf_str(&one->api->request.left_out));
}

static void
close_output(struct session_writer *one)
{
	tombstone_free(&one->tombstone);
	surrogates_free(&one->surrogates);
	if (one->order != NULL)
		one->order->free(one->order);
	one->writer->free(one->writer);
	if (one->in_time != NULL)
		repair_free(one->in_time);
	free(one->in_time);
	one->in_time = NULL;
	repair_free(&one->repair);
	if (one->api != NULL) {
		prompt_free(&one->api->prompt);
		systems_free(&one->api->systems);
		request_free(&one->api->request);
	}
	free(one->api);
	one->api = NULL;
}

/* If one of many sessions has no messages, the others are still written. */
static void
excuse_none(struct session_writer *one)
{
	struct run *run = one->findings->account->run;

	if (one->api == NULL || !one->api->request.is_none)
		return;
	diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	fault_free(&run->fault);
	run_fail(run, STATUS_DATA);
}

/* Resets the stages that write, for the next session of the same input. */
static void
renew(struct session_writer *one)
{
	struct stage *stages[SESSIONS_STAGES] = {NULL};
	struct stage *sink = one->parting->last->next;

	findings_say(one->findings);
	excuse_none(one);
	session_writer_count(one);
	close_output(one);
	open_output(one);
	one->parting->last = list_writer(one, stages)[-1];
	stage_link(stages, sink, one->parting->stage.fault);
	one->parting->stage.next = stages[0];
}

/* Ends the stages of the session, and begins those of the next. */
static void
part(struct session_writer_parting *parting)
{
	const struct stage *end = parting->last->next;

	parting->has_parted = true;
	for (struct stage *stage = parting->stage.next; stage != end; stage = stage->next)
		if (!fault_is_set(parting->stage.fault))
			stage->end(stage);
	renew(parting->one);
}

static void
take(struct stage *stage, struct record *record)
{
	struct session_writer_parting *parting = (struct session_writer_parting *)stage;
	struct message read;

	if ((record->kind == RECORD_MESSAGE || record->kind == RECORD_CONTEXT) &&
	    stream_session_parts(&parting->session, record, record_message(record, &read)))
		part(parting);
	if (!fault_is_set(stage->fault))
		stage_emit(stage, record);
}

void
session_writer_open(struct session_writer *one, struct findings *findings, struct stage **stages)
{
	one->findings = findings;
	open_output(one);
	if (findings->account->joined_in != NULL) {
		one->parting = mem_alloc(1, sizeof *one->parting);
		*one->parting = (struct session_writer_parting){
		    .stage = {.take = take, .end = stage_pass_end}, .one = one};
		*stages++ = &one->parting->stage;
	}
	stages = list_writer(one, stages);
	if (one->parting != NULL)
		one->parting->last = stages[-1];
}

void
session_writer_end(struct session_writer *one, bool is_lone)
{
	findings_say(one->findings);
	if (!is_lone || one->findings->account->run->is_keyed ||
	    (one->parting != NULL && one->parting->has_parted))
		excuse_none(one);
}

void
session_writer_free(struct session_writer *one)
{
	close_output(one);
	free(one->parting);
}
