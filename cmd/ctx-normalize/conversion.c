#include "conversion.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text/shell_word.h"
#include "dialects/checker.h"
#include "dialects/request/lone_request.h"
#include "dialects/request/prompt.h"
#include "dialects/request/request.h"
#include "dialects/request/systems.h"
#include "dialects/untrusted.h"
#include "findings.h"

/* The stages for the messages of an API. */
struct api {
	struct prompt prompt;
	struct systems systems;
	struct request request;
};

/* The stages that put the records of one session in order, and write them. */
struct writing {
	struct findings *findings;
	struct lone_request *parting; /* before the stages that are begun anew; NULL: none are */
	struct ctx_normalize *all;
	struct dialect_stage *order; /* or NULL */
	struct repair repair;
	struct dialect_stage *writer;
	struct api *api; /* or NULL */
};

/* Those of a session whose key the reader has made, among others. */
struct made {
	struct findings findings;
	struct writing writing;
};

/* There may be very many of them, so that what is not asked for takes no room. */
struct normalizing {
	struct findings findings;
	struct dialect_reading reading;
	struct untrusted untrusted;
	struct dialect_stage *reader;
	struct unread unread;
	struct writing writing;
	struct sessions *many; /* instead: a struct made for each key behind the reader; or NULL */
};

/* The check of messages in the spelling of an API: as they are, not as they are read. */
struct checking {
	struct findings findings;
	struct checker checker;
};

/* The stages that make canonical records of the input. */
static void
open_reader(struct normalizing *one, struct ctx_normalize *all)
{
	const struct choices *choices = &all->choices;

	one->reading = (struct dialect_reading){
	    .all = choices->all, .untrusted = choices->untrusted, .skipped = &all->account.skipped};
	one->reader = choices->reader->reader(&one->reading);
	untrusted_init(&one->untrusted, &one->reading);
	unread_init(&one->unread, &all->account.passed);
	findings_init(&one->findings, choices, &all->account);
	one->findings.list = &one->writing.repair.findings;
	one->findings.reading = &one->reading;
	one->findings.unread = &one->unread;
}

/* The stages that put them in order, and write them in the output's dialect. */
static void
open_writer(struct writing *one)
{
	const struct choices *choices = &one->all->choices;
	const struct dialect *to = choices->writer;

	one->order = to->order != NULL ? to->order() : NULL;
	repair_init(&one->repair, choices->check, to->only_messages, choices_open_calls(choices));
	run_set_walk(&one->repair.pairs.walk, &choices->common);
	one->repair.ignores_bad |= to->no_bad_lines;
	one->writer = to->writer();
	one->writer->dropped = &one->all->account.dropped;
	one->writer->cached = choices->cached;
}

/* A session without a key may be no more than a blank line. */
static struct api *
open_api(const struct choices *choices, struct dialect_stage *writer, const struct run *run)
{
	struct api *api = mem_alloc(1, sizeof *api);

	prompt_init(&api->prompt);
	systems_init(&api->systems, choices_systems(choices));
	request_init(&api->request, choices->request != NULL ? REQUEST_BODY : REQUEST_ARRAY,
	    choices->writer->request, &api->prompt, choices->given);
	api->request.cached = choices->cached_given ? &writer->place : NULL;
	api->request.may_be_none = run->is_keyed && run->session.len == 0;
	return api;
}

/* Whether the messages of a session become one record. Messages of an API, one a line, have no
 * place for a session: there all are of one. */
static bool
writes_one(const struct choices *choices)
{
	return choices->request != NULL || choices->array;
}

/* Links the stages that write the messages behind the list, and returns the end of the list. */
static struct stage **
list_writer(struct writing *one, struct stage **stages)
{
	const struct choices *choices = &one->all->choices;

	if (one->api != NULL)
		*stages++ = &one->api->prompt.stage;
	if (one->order != NULL)
		*stages++ = &one->order->stage;
	*stages++ = &one->repair.stage;
	if (one->api != NULL)
		*stages++ = &one->api->systems.stage;
	*stages++ = &one->writer->stage;
	if (writes_one(choices))
		*stages++ = &one->api->request.stage;
	return stages;
}

static void
open_output(struct writing *one)
{
	const struct choices *choices = &one->all->choices;

	open_writer(one);
	if (choices->writer->only_messages)
		one->api = open_api(choices, one->writer, one->all->account.run);
}

static void
add_found(struct account *account, const uint64_t count[VIOLATION_COUNT])
{
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		account->found[v] += count[v];
}

/* Adds what the stages that write have counted. */
static void
count_output(struct writing *one)
{
	struct ctx_normalize *all = one->all;
	const struct choices *choices = &all->choices;
	struct account *account = &all->account;

	account->joined += writes_one(choices) ? one->api->request.count : one->writer->joined;
	tally_add_many(&account->dropped, STR("sub-agent"), one->repair.outside);
	add_found(account, one->repair.count);
	if (one->api != NULL)
		account_leave_out(
		    account, choices->writer->name, buf_str(&one->api->request.left_out));
}

static void
close_output(struct writing *one)
{
	if (one->order != NULL)
		one->order->free(one->order);
	one->writer->free(one->writer);
	repair_free(&one->repair);
	if (one->api != NULL) {
		prompt_free(&one->api->prompt);
		systems_free(&one->api->systems);
		request_free(&one->api->request);
	}
	free(one->api);
	one->api = NULL;
}

/* Of many sessions, one without messages leaves the others theirs. */
static void
excuse_none(struct writing *one)
{
	struct run *run = one->all->account.run;

	if (one->api == NULL || !one->api->request.is_none)
		return;
	diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	fault_free(&run->fault);
	run_fail(run, STATUS_DATA);
}

/* Begins the stages that write anew, for the next session of the same input. */
static void
renew(void *owner)
{
	struct writing *one = owner;
	struct stage *stages[SESSIONS_STAGES] = {NULL};
	struct stage *sink = one->parting->last->next;

	findings_say(one->findings);
	excuse_none(one);
	count_output(one);
	close_output(one);
	open_output(one);
	one->parting->last = list_writer(one, stages)[-1];
	stage_link(stages, sink, one->parting->stage.fault);
	one->parting->stage.next = stages[0];
}

/* Links all stages behind the reader. */
static void
open_writing(struct writing *one, struct ctx_normalize *all, struct findings *findings,
    struct stage **stages)
{
	one->all = all;
	one->findings = findings;
	open_output(one);
	if (writes_one(&all->choices)) {
		one->parting = mem_alloc(1, sizeof *one->parting);
		lone_request_init(one->parting);
		one->parting->renew = renew;
		one->parting->owner = one;
		*stages++ = &one->parting->stage;
	}
	stages = list_writer(one, stages);
	if (one->parting != NULL)
		one->parting->last = stages[-1];
}

static void
end_writing(struct writing *one)
{
	bool is_one =
	    !one->all->account.run->is_keyed && (one->parting == NULL || !one->parting->has_parted);

	findings_say(one->findings);
	if (!is_one)
		excuse_none(one);
}

static void
free_writing(struct writing *one)
{
	close_output(one);
	free(one->parting);
}

static size_t
made_size(const void *self)
{
	(void)self;
	return sizeof(struct made);
}

static void
open_made(void *self, void *session, struct stage **stages)
{
	struct ctx_normalize *all = self;
	struct made *made = session;

	findings_init(&made->findings, &all->choices, &all->account);
	made->findings.list = &made->writing.repair.findings;
	*stages++ = &made->findings.stage;
	open_writing(&made->writing, all, &made->findings, stages);
}

static void
end_made(void *self, void *session)
{
	(void)self;
	end_writing(&((struct made *)session)->writing);
}

static void
finish_made(void *self, void *session)
{
	(void)self;
	count_output(&((struct made *)session)->writing);
}

static void
free_made(void *self, void *session)
{
	(void)self;
	free_writing(&((struct made *)session)->writing);
}

/* How a session is treated whose key the reader makes: what comes in has none. */
static const struct command made_command = {.session = {.size = made_size,
						.stages = open_made,
						.ended = end_made,
						.finish = finish_made,
						.free = free_made,
						.keys = conversion_keys}};

static void
open_session(struct ctx_normalize *all, struct normalizing *one, struct stage **stages)
{
	struct run *run = all->account.run;

	open_reader(one, all);
	*stages++ = &one->findings.stage;
	if (all->choices.untrusted)
		*stages++ = &one->untrusted.stage;
	*stages++ = &one->reader->stage;
	*stages++ = &one->unread.stage;
	if (run->is_keyed && run->session.len == 0) {
		one->many = mem_alloc(1, sizeof *one->many);
		*stages = sessions_nest(one->many, run, &made_command, all);
	} else {
		open_writing(&one->writing, all, &one->findings, stages);
	}
}

static void
end_session(struct normalizing *one)
{
	if (one->many == NULL)
		end_writing(&one->writing);
	else
		findings_say(&one->findings);
}

/* Leaves a file of another format as it is, and names the command that reads it. */
static void
refuse_other(struct ctx_normalize *all, const struct dialect *other)
{
	struct run *run = all->account.run;
	struct buf operand = BUF_INIT;

	if (run->file == NULL || all->is_refused || (other == NULL && run->source.folded == 0))
		return;
	all->is_refused = true;
	run_fail(run, STATUS_DATA);
	shell_word_add_file(&operand, run->file->path);
	diag_warn("looks like %s; try ctx-normalize %s%s%s%.*s >NEW",
	    other != NULL ? other->name : "JSON over several lines", other != NULL ? "--from " : "",
	    other != NULL ? other->name : "", other != NULL ? " " : "", STR_ARG(buf_str(&operand)));
	buf_free(&operand);
}

static void
finish_session(struct ctx_normalize *all, struct normalizing *one)
{
	account_add(&all->account, &one->reading, &one->unread);
	if (one->many == NULL)
		count_output(&one->writing);
	else
		sessions_finish(one->many);
	findings_say_none(&one->findings);
	refuse_other(all, one->reading.other);
}

static void
free_session(struct normalizing *one)
{
	untrusted_free(&one->untrusted);
	one->reader->free(one->reader);
	buf_free(&one->reading.flaws);
	unread_free(&one->unread);
	if (one->many == NULL)
		free_writing(&one->writing);
	else
		sessions_free(one->many);
	free(one->many);
}

static void
open_check(struct ctx_normalize *all, struct checking *one, struct stage **stages)
{
	checker_init(&one->checker, all->choices.writer, choices_systems(&all->choices));
	findings_init(&one->findings, &all->choices, &all->account);
	one->findings.list = &one->checker.findings;
	stages[0] = &one->findings.stage;
	stages[1] = &one->checker.stage;
}

static void
end_check(struct checking *one)
{
	findings_say(&one->findings);
	findings_say_more(&one->findings);
}

/* Whether a session is a struct checking, and no struct normalizing. */
static bool
checks(const void *self)
{
	return choices_is_api_check(&((const struct ctx_normalize *)self)->choices);
}

size_t
conversion_size(const void *self)
{
	return checks(self) ? sizeof(struct checking) : sizeof(struct normalizing);
}

void
conversion_stages(void *self, void *session, struct stage **stages)
{
	if (checks(self))
		open_check(self, session, stages);
	else
		open_session(self, session, stages);
}

void
conversion_ended(void *self, void *session)
{
	if (checks(self))
		end_check(session);
	else
		end_session(session);
}

void
conversion_finish(void *self, void *session)
{
	struct ctx_normalize *all = self;

	if (checks(self))
		add_found(&all->account, ((const struct checking *)session)->checker.count);
	else
		finish_session(self, session);
}

void
conversion_free(void *self, void *session)
{
	if (checks(self))
		checker_free(&((struct checking *)session)->checker);
	else
		free_session(session);
}

enum sessions_keys
conversion_keys(const void *self)
{
	const struct choices *choices = &((const struct ctx_normalize *)self)->choices;

	if (checks(self) || choices->writer != &ctx_dialect)
		return SESSIONS_KEYS_NONE;
	return SESSIONS_KEYS_ALL;
}
