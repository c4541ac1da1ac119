#include "face/runner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "face/joint.h"

/* A part that runs, in a list of them. */
struct work {
	struct joint joint; /* to the next part, if there is one */
	const struct runner *runner;
	void *self;
	struct run run;
	struct session_kind kind;
	struct sessions sessions;
	bool is_open;      /* the run is */
	bool has_sessions; /* they are, too */
	bool is_finished;
	struct diag_subject subject;
	volatile unsigned *at;
	unsigned number;
};

/* Makes the part the one at work. Returns the subject of the one before. */
static struct diag_subject
enter(struct work *work)
{
	*work->at = work->number;
	return diag_set_subject(work->subject);
}

/* Takes a record through the part behind the joint. */
static void
hand_over(struct joint *joint, struct record *record)
{
	struct work *from = (struct work *)joint, *to = from + 1;
	struct diag_subject before;

	if (fault_is_set(&to->run.fault) || to->run.source.has_stopped)
		return;
	before = enter(to);
	if (source_feed(&to->run.source, record))
		to->run.first->take(to->run.first, record);
	diag_set_subject(before);
	*from->at = from->number;
}

static void
flush(struct joint *joint)
{
	sink_flush(&((struct work *)joint + 1)->run.sink);
}

/* Opens the part; to the one before, if there is one, it gets a joint. Returns false, with the exit
 * status, when it has done something else instead. */
static bool
open_part(struct work *work, const struct runner_part *part, int *status)
{
	const struct runner *runner = part->runner;
	int first;

	work->runner = runner;
	work->self = mem_alloc(1, runner->size);
	memset(work->self, 0, runner->size);
	*work->at = work->number;
	first = runner->parse(work->self, part->argc, part->argv);
	work->is_open = runner->instead == NULL ||
	    !runner->instead(work->self, part->argv + first, part->argc - first, status);
	if (!work->is_open)
		return false;
	if (work->number == 0) {
		run_open(&work->run, work->self, part->argv + first, part->argc - first);
	} else {
		run_open_fed(&work->run, work->self);
		work[-1].joint.take = hand_over;
		work[-1].joint.flush = flush;
		joint_link(&work[-1].joint, &work[-1].run);
	}
	work->subject = (struct diag_subject){diag_program(), NULL};
	return true;
}

/* Opens the sessions of the part. Returns false when it does without them, and has run. */
static bool
start(struct work *work)
{
	work->kind = work->runner->open(work->self, &work->run);
	if (work->runner->run_alone != NULL && work->runner->run_alone(work->self))
		return false;
	sessions_open(&work->sessions, &work->run, &work->kind, work->self);
	work->has_sessions = true;
	return true;
}

/* Ends the part. Returns its exit status. */
static enum status
finish(struct work *work, bool is_last)
{
	if (work->has_sessions) {
		sessions_end(&work->sessions);
		sessions_free(&work->sessions);
	}
	work->has_sessions = false;
	work->is_finished = true;
	if (work->runner->finish != NULL)
		work->runner->finish(work->self);
	if (!is_last && !fault_is_set(&work->run.fault))
		joint_end(&work->joint);
	return run_finish(&work->run);
}

/* The number of the last part that has failed; that of the first one when none has. */
static unsigned
find_failed(const struct work *work, unsigned count)
{
	while (--count > 0)
		if (fault_is_set(&work[count].run.fault))
			break;
	return count;
}

/* Whether a part behind the first one has stopped, and needs no more input. */
static bool
has_stopped(const struct work *work, unsigned count)
{
	while (--count > 0)
		if (work[count].run.source.has_stopped)
			return true;
	return false;
}

static void
take_all(struct work *work, unsigned count)
{
	/* What a pipe would still take from those in front of a part that has stopped. */
	enum { READS_MORE = 4 };
	struct run *run = &work->run;
	unsigned left = READS_MORE;

	while (find_failed(work, count) == 0 && left > 0 && run_read(run)) {
		while (run_take(run))
			;
		left -= has_stopped(work, count);
	}
}

/* Ends the parts, in their order. Those in front of one that has failed are left as they are: in a
 * pipeline they lose their reader. */
static enum status
finish_all(struct work *work, unsigned count)
{
	enum status worst = STATUS_OK, status = STATUS_OK;

	for (unsigned i = 0; i < count; i++) {
		unsigned failed = find_failed(work, count);
		struct diag_subject before;

		i = failed > i ? failed : i;
		before = enter(&work[i]);
		status = finish(&work[i], i + 1 == count);
		diag_set_subject(before);
		if (status == STATUS_DATA)
			worst = status;
		else if (status != STATUS_OK)
			return status;
	}
	return worst;
}

/* Frees the part. One that was left before its end has lost its reader. */
static void
free_part(struct work *work)
{
	if (work->has_sessions)
		sessions_free(&work->sessions);
	if (work->is_open && !work->is_finished)
		fault_set(&work->run.fault, STATUS_PIPE, "%s", "");
	if (work->is_open && !work->is_finished && work->runner->finish != NULL)
		work->runner->finish(work->self);
	if (work->runner->free != NULL)
		work->runner->free(work->self);
	joint_free(&work->joint);
	if (work->is_open)
		run_free(&work->run);
	free(work->self);
}

/* Runs the parts that are open. */
static enum status
run_all(struct work *work, unsigned count)
{
	bool has_input = true;

	for (unsigned i = 0; i < count; i++) {
		enter(&work[i]);
		has_input = start(&work[i]) && has_input;
	}
	enter(work);
	if (has_input)
		take_all(work, count);
	return finish_all(work, count);
}

int
runner_run(const struct runner_part *part, unsigned count, volatile unsigned *at)
{
	struct work *work = mem_alloc(count, sizeof *work);
	unsigned begun = 0;
	int status = STATUS_OK;
	bool is_open = true;

	memset(work, 0, count * sizeof *work);
	while (begun < count && is_open) {
		work[begun].at = at;
		work[begun].number = begun;
		is_open = open_part(&work[begun], &part[begun], &status);
		begun++;
	}
	if (is_open)
		status = (int)run_all(work, count);
	for (unsigned i = 0; i < begun; i++)
		free_part(&work[i]);
	free(work);
	return status;
}

int
runner_main(const struct runner *runner, int argc, char **argv)
{
	const struct runner_part part = {runner, argc, argv};
	unsigned at;

	return runner_run(&part, 1, &at);
}

int
runner_run_file(const struct runner *runner, void *self, struct run_file *file)
{
	struct session_kind kind;
	struct run run;

	run_open_file(&run, self, file);
	kind = runner->open(self, &run);
	sessions_run(&run, &kind, self);
	if (runner->finish != NULL)
		runner->finish(self);
	return run_close(&run);
}

static struct options_words
look(const struct runner_part *part, const char *const *names)
{
	const struct runner *runner = part->runner;

	if (runner->command == NULL)
		return runner->look(part->argc, part->argv, names);
	return options_look(runner->command, part->argc, part->argv, names);
}

enum runner_place
runner_find_place(const struct runner_part *part)
{
	/* One program has one list of tools, reads lines of one length, and is asked one thing. */
	static const char *const shared[] = {"tool", "max-line", "help", "version", NULL};
	const struct runner *runner = part->runner;
	struct options_words words = look(part, runner->alone);
	bool has_leading = runner->leading != NULL && !look(part, runner->leading).has_named;

	if (words.is_wrong || words.has_named || look(part, shared).has_named)
		return RUNNER_ALONE;
	return runner->reads_documents || words.operands != has_leading ? RUNNER_FIRST :
									  RUNNER_ANYWHERE;
}
