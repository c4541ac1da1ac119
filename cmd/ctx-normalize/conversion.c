#include "conversion.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text/shell_word.h"
#include "dialects/check/checker.h"
#include "dialects/dialect_reader.h"
#include "dialects/untrusted.h"
#include "session_writer.h"

/* The stages of one session. There may be very many sessions, so that stages without a use take no
 * room. */
struct conversion {
	struct ctx_normalize *all;
	struct findings findings;
	struct buf found; /* a violation_list: the findings of all stages */
	struct dialect_reading reading;
	struct load *load;           /* the check of a file by its agent's rules; or NULL */
	struct untrusted *untrusted; /* or NULL */
	struct dialect_stage *reader;
	struct unread unread;
	struct session_writer writer;
	struct sessions
	    *many; /* instead: a writer for each session that the reader finds; or NULL */
};

/* The check of messages in the spelling of an API, without a reader. */
struct api_check {
	struct findings findings;
	struct checker checker;
};

/* Whether messages are emitted as they are read, and tombstones take them back later: the input is
 * not a regular file, and the output is a log, in which tombstones are allowed. */
static bool
grows(const struct ctx_normalize *all)
{
	const struct run *run = all->account.run;
	const struct choices *choices = &all->choices;
	uint64_t size;

	return choices->writer == &ctx_dialect && choices->check == NULL && !choices->untrusted &&
	    !run->is_keyed && !run->is_fed && run->file == NULL &&
	    !input_is_of_files(&run->source.in, &size);
}

/* The stages that make canonical records of the input. */
static void
open_reader(struct conversion *one)
{
	struct ctx_normalize *all = one->all;
	const struct choices *choices = &all->choices;

	one->reading = (struct dialect_reading){.all = choices->all || choices->census,
	    .apart = choices_write_list(choices),
	    .lossy = choices->lossy,
	    .looks_ahead = !all->account.run->is_keyed && !all->account.run->is_fed,
	    .is_one_file = all->account.run->source.in.operand_count == 1,
	    .grows = grows(all),
	    .sums = all->account.run->source.in.sums,
	    .skipped = &all->account.skipped,
	    .sealed = &all->account.sealed,
	    .census = choices->census ? &all->census : NULL};
	one->reader = dialect_reader_open(choices->reader, &one->reading);
	if (choices->untrusted) {
		one->untrusted = mem_alloc(1, sizeof *one->untrusted);
		untrusted_init(one->untrusted, &one->reading);
	}
	unread_init(&one->unread, &one->reading, &all->account.passed);
	findings_init(&one->findings, choices, &all->account);
	if (choices_is_load_check(choices)) {
		one->load = mem_alloc(1, sizeof *one->load);
		load_init(one->load, choices->reader->load);
	}
	one->findings.load = one->load;
	one->findings.list = &one->found;
	one->findings.reading = &one->reading;
	one->findings.unread = &one->unread;
}

static void
open_told(void *self, void *session, struct stage **stages)
{
	session_writer_open(session, &((struct conversion *)self)->findings, stages);
}

static void
end_told(void *self, void *session)
{
	session_writer_end(session, ((const struct conversion *)self)->many->begun == 1);
}

static void
finish_told(void *self, void *session)
{
	(void)self;
	session_writer_count(session);
}

static void
free_told(void *self, void *session)
{
	(void)self;
	session_writer_free(session);
}

static enum sessions_keys
told_keys(const void *self)
{
	return conversion_keys(((const struct conversion *)self)->all);
}

/* How a session is treated that only the reader finds: the records of the input do not name it. */
static const struct command told_command = {.session = {.size = sizeof(struct session_writer),
						.stages = open_told,
						.ended = end_told,
						.finish = finish_told,
						.free = free_told,
						.keys = told_keys,
						.forgotten = conversion_forgotten}};

/* Whether the reader may find sessions, since the records of the input do not name them. */
static bool
is_told(const struct ctx_normalize *all)
{
	const struct run *run = all->account.run;

	return run->is_keyed ? run->session.len == 0 : !choices_write_list(&all->choices);
}

static void
open_session(struct ctx_normalize *all, struct conversion *one, struct stage **stages)
{
	one->all = all;
	open_reader(one);
	*stages++ = &one->findings.stage;
	if (one->load != NULL)
		*stages++ = &one->load->stage;
	*stages++ = &one->reader->stage;
	if (one->load != NULL)
		*stages++ = &one->load->census;
	if (one->untrusted != NULL)
		*stages++ = &one->untrusted->stage;
	*stages++ = &one->unread.stage;
	if (is_told(all)) {
		one->many = mem_alloc(1, sizeof *one->many);
		*stages = sessions_nest(one->many, all->account.run, &told_command, one);
	} else {
		session_writer_open(&one->writer, &one->findings, stages);
	}
}

/* Leaves a file of another format as it is, and names the command that reads it. */
static void
refuse_other(struct ctx_normalize *all, const struct dialect *other)
{
	struct run *run = all->account.run;
	struct buf operand = BUF_INIT;

	if (run->file == NULL || all->is_refused ||
	    (other == NULL && run->source.values.folded == 0))
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
finish_session(struct ctx_normalize *all, struct conversion *one)
{
	account_add(&all->account, &one->reading, &one->unread);
	if (one->many == NULL)
		session_writer_count(&one->writer);
	else
		sessions_finish(one->many);
	findings_say_none(&one->findings);
	refuse_other(all, one->reading.other);
}

static void
free_session(struct conversion *one)
{
	if (one->untrusted != NULL)
		untrusted_free(one->untrusted);
	free(one->untrusted);
	one->reader->free(one->reader);
	buf_free(&one->reading.flaws);
	unread_free(&one->unread);
	buf_free(&one->found);
	if (one->load != NULL)
		load_free(one->load);
	free(one->load);
	if (one->many == NULL)
		session_writer_free(&one->writer);
	else
		sessions_free(one->many);
	free(one->many);
}

static void
open_check(struct ctx_normalize *all, struct api_check *one, struct stage **stages)
{
	checker_init(&one->checker, all->choices.writer, choices_systems(&all->choices));
	findings_init(&one->findings, &all->choices, &all->account);
	one->findings.list = &one->checker.inspection.findings;
	stages[0] = &one->findings.stage;
	stages[1] = &one->checker.stage;
}

/* Whether a session is a struct api_check, and no struct conversion. */
static bool
checks(const void *self)
{
	return choices_is_api_check(&((const struct ctx_normalize *)self)->choices);
}

size_t
conversion_size(const void *self)
{
	return checks(self) ? sizeof(struct api_check) : sizeof(struct conversion);
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
	struct api_check *check = session;
	struct conversion *one = session;

	if (checks(self)) {
		findings_say(&check->findings);
		findings_say_more(&check->findings);
		return;
	}
	if (one->load != NULL)
		findings_judge_load(&one->findings);
	if (one->many == NULL)
		session_writer_end(&one->writer, true);
	else
		findings_say(&one->findings);
}

void
conversion_finish(void *self, void *session)
{
	struct ctx_normalize *all = self;

	if (checks(self))
		account_add_found(
		    &all->account, ((const struct api_check *)session)->checker.inspection.count);
	else
		finish_session(self, session);
}

void
conversion_free(void *self, void *session)
{
	if (checks(self))
		checker_free(&((struct api_check *)session)->checker);
	else
		free_session(session);
}

enum command_forgotten
conversion_forgotten(const void *self)
{
	(void)self;
	return COMMAND_FORGOTTEN_STAY; /* the stage comes after the reader */
}

enum sessions_keys
conversion_keys(const void *self)
{
	const struct choices *choices = &((const struct ctx_normalize *)self)->choices;

	if (checks(self) || choices->writer != &ctx_dialect)
		return SESSIONS_KEYS_NONE;
	return SESSIONS_KEYS_ALL;
}
