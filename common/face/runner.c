#include "face/runner.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "face/fault_die.h"
#include "face/input/beside.h"
#include "face/output/in_place.h"
#include "face/joint.h"
#include "face/sessions/sessions.h"
#include "face/transcript.h"

/* A command that runs, in a list of them. */
struct work {
	struct joint joint; /* to the next one, if there is one */
	const struct command *command;
	void *self;
	struct run run;
	struct transcript transcript; /* zeros where the command reads no other formats, … */
	struct beside beside;         /* … and so is this one */
	struct agent_files agents;    /* with --agents */
	struct sessions sessions;
	bool has_sessions; /* they are open */
	bool is_only;      /* the process ends with the part */
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

/* Passes a record to the part after the joint. */
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

/* Parses the command line of the part. Returns the index of the first operand that is a file. */
static int
parse(struct work *work, const struct runner_part *part)
{
	work->command = part->command;
	work->self = mem_alloc(1, part->command->run.size);
	memset(work->self, 0, part->command->run.size);
	return part->command->run.parse(work->self, part->argc, part->argv);
}

/* Opens the run of the part; the one before, if there is one, gets a joint to it. */
static void
open_run(struct work *work, char *const *operand, int count)
{
	const struct common_options *options = work->self;

	if (options->agents) {
		bool has_stdin = count == 0;
		struct fault fault = FAULT_INIT;

		for (int i = 0; i < count; i++)
			has_stdin |= file_is_stdin(operand[i]);
		if (has_stdin)
			options_fail("--agents needs files: nothing lies beside standard input");
		agent_files_find(&work->agents, operand, (unsigned)count, &fault);
		fault_check(&fault);
		run_open(&work->run, options, work->agents.operand, (int)work->agents.count);
		work->run.agents = &work->agents;
	} else if (work->number == 0) {
		run_open(&work->run, work->self, operand, count);
	} else {
		run_open_fed(&work->run, work->self);
		work[-1].joint.take = hand_over;
		work[-1].joint.flush = flush;
		joint_link(&work[-1].joint, &work[-1].run);
	}
	work->subject = (struct diag_subject){diag_program(), NULL};
}

/* Whether the part reads other formats by itself. A file that is replaced is canonical. */
static bool
reads_all(const struct work *work)
{
	const struct command *command = work->command;

	return command->run.reads_all != NULL && work->run.file == NULL &&
	    command->run.reads_all(work->self);
}

/* Opens the sessions of the part, whose run is open. Returns false when the part needs no sessions,
 * and has run. */
static bool
start(struct work *work)
{
	const struct command *command = work->command;
	struct stage *ahead;

	work->run.source.piped = command->piped;
	work->run.source.only_looks = command->only_looks;
	if (command->run.open != NULL)
		command->run.open(work->self, &work->run);
	if (reads_all(work)) {
		transcript_init(&work->transcript, &work->run, &work->run.source);
		work->run.transcript = &work->transcript;
	}
	if (work->run.transcript != NULL ||
	    (work->command->reads_documents && work->run.file == NULL && !work->run.is_fed)) {
		beside_init(&work->beside, &work->run, work->run.agents);
		work->run.beside = &work->beside;
	}
	if (command->run.whole != NULL && command->run.whole(work->self))
		return false;
	sessions_open(&work->sessions, &work->run, command, work->self);
	work->has_sessions = true;
	ahead = command->run.ahead != NULL ? command->run.ahead(work->self) : NULL;
	if (ahead != NULL)
		run_link(&work->run, (struct stage *[]){ahead, NULL});
	return true;
}

/* Whether the system frees the sessions with the process. To free very many of them one by one
 * takes a tenth of the run. */
static bool
is_left(const struct work *work)
{
	return work->is_only && !MEM_IS_WATCHED;
}

/* Ends the part. Returns its exit status. */
static enum status
finish(struct work *work, bool is_last)
{
	if (work->has_sessions)
		sessions_end(&work->sessions);
	if (work->has_sessions && !is_left(work))
		sessions_free(&work->sessions);
	work->has_sessions = false;
	work->is_finished = true;
	if (work->command->run.finish != NULL)
		work->command->run.finish(work->self);
	if (!is_last && !fault_is_set(&work->run.fault))
		joint_end(&work->joint);
	if (run_write(&work->run) && work->command->run.written != NULL)
		work->command->run.written(work->self);
	return run_finish(&work->run);
}

/* The number of the last part that has failed; if none has, of the first. */
static unsigned
find_failed(const struct work *work, unsigned count)
{
	while (--count > 0)
		if (fault_is_set(&work[count].run.fault))
			break;
	return count;
}

/* Whether a part after the first has stopped, and needs no more input. */
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
	/* Reads that a pipe would still take from the parts before one that has stopped. */
	enum { READS_MORE = 4 };
	struct run *run = &work->run;
	unsigned left = READS_MORE;

	while (find_failed(work, count) == 0 && left > 0 && run_read(run)) {
		while (run_take(run))
			;
		left -= has_stopped(work, count);
	}
}

/* Ends the parts, in their order. The parts before one that has failed are not ended: in a pipeline
 * they lose their reader. */
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
	const struct command *command = work->command;

	if (work->has_sessions)
		sessions_free(&work->sessions);
	if (!work->is_finished)
		fault_set(&work->run.fault, STATUS_PIPE, "%s", "");
	if (!work->is_finished && command->run.finish != NULL)
		command->run.finish(work->self);
	if (command->run.free != NULL)
		command->run.free(work->self);
	transcript_free(&work->transcript);
	beside_free(&work->beside);
	agent_files_free(&work->agents);
	joint_free(&work->joint);
	run_free(&work->run);
	free(work->self);
}

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
	int status;

	memset(work, 0, count * sizeof *work);
	for (unsigned i = 0; i < count; i++) {
		int first;

		work[i].at = at;
		work[i].number = *at = i;
		first = parse(&work[i], &part[i]);
		open_run(&work[i], part[i].argv + first, part[i].argc - first);
	}
	status = (int)run_all(work, count);
	for (unsigned i = 0; i < count; i++)
		free_part(&work[i]);
	free(work);
	return status;
}

/* Runs the command, whose command line is parsed, on a file that is replaced. Its struct is a copy:
 * sums begin anew with each file. */
static int
run_file(void *parsed, struct run_file *file)
{
	const struct work *whole = parsed;
	const struct command *command = whole->command;
	struct work work = {.command = command};
	unsigned at;
	int status;

	work.at = &at;
	work.self = mem_alloc(1, command->run.size);
	memcpy(work.self, whole->self, command->run.size);
	run_open_file(&work.run, work.self, file);
	if (start(&work))
		take_all(&work, 1);
	status = (int)finish(&work, true);
	run_free(&work.run);
	free(work.self);
	return status;
}

int
runner_main(const struct command *command, int argc, char **argv)
{
	const struct runner_part part = {command, argc, argv};
	struct work work = {.number = 0};
	const struct common_options *options;
	unsigned at;
	int first, status;

	if (command->main != NULL)
		return command->main(argc, argv);
	work.at = &at;
	work.is_only = true;
	first = parse(&work, &part);
	options = work.self;
	if (options->in_place.suffix == NULL) {
		open_run(&work, argv + first, argc - first);
		status = (int)run_all(&work, 1);
		free_part(&work);
		return status;
	}
	status = in_place_run(options, argv + first, argc - first, run_file, &work);
	if (command->run.free != NULL)
		command->run.free(work.self);
	free(work.self);
	return status;
}

enum runner_place
runner_find_place(const struct runner_part *part)
{
	const struct command *command = part->command;
	struct options_words words = options_look(command, part->argc, part->argv);
	unsigned leading = (words.flags & OPTION_LEADS) != 0 ? 0 : command->leading;

	if (command->kind != COMMAND_FILTER || words.is_wrong ||
	    (words.flags & OPTION_OWN_PROCESS) != 0)
		return RUNNER_ALONE;
	return command->reads_documents || words.operands != leading ? RUNNER_FIRST :
								       RUNNER_ANYWHERE;
}
