/*
 * The commands that a compaction calls: --decide, --before-compact and --on-compact. They read
 * figures from standard input, and get names of files in their environment; neither has any text of
 * a transcript.
 *
 *     decide           CTX_OLD_FILE: a file of one session that is replaced, else a copy
 *     before-compact   the same
 *     on-compact       CTX_OLD_FILE: a copy    CTX_FILE: with --in-place the file, else a copy
 *
 * The copies are made before anything else is written: a full disk changes nothing.
 */
#include "job.h"

#include "stream/process/process.h"
#include "stream/file/temporary.h"

/* Writes "NAME=path", so that the path is not taken for an option. No path: no value. */
static void
set_variable(struct buf *variable, const char *name, const char *path)
{
	buf_add_fmt(variable, "%s=%s%s", name, path != NULL && path[0] == '-' ? "./" : "",
	    path != NULL ? path : "");
	buf_add_char(variable, '\0');
}

/* Runs the command with the text on its standard input; its output is dropped. */
static bool
call(const struct ctx_compact *all, struct process process, struct process_end *end,
    struct fault *fault)
{
	const char *file = all->run->file != NULL ? all->run->file->path : NULL;
	const char *now = file != NULL ? file : all->copy_of_new;
	struct buf old = BUF_INIT, new = BUF_INIT, none = BUF_INIT;
	bool is_good;

	set_variable(&old, "CTX_OLD_FILE", all->copy_of_old != NULL ? all->copy_of_old : file);
	set_variable(&new, "CTX_FILE", all->is_done ? now : NULL);
	process.variables = (const char *const[]){old.ptr, new.ptr, NULL};
	process.deadline = limits_command_timeout(&all->pattern.options->estimator);
	process.drops_output = true;
	is_good = process_run(&process, &none, end, fault);
	buf_free(&old);
	buf_free(&new);
	buf_free(&none);
	return is_good;
}

/* Writes a copy of the stream, as it was read or as it is now, into a temporary file. */
static const char *
copy_stream(struct job *job, enum temporary kind, void (*emit_all)(struct held *held))
{
	struct fault *fault = &job->run->fault;
	struct stage *next = job->held.stage.next;
	const char *path = NULL;
	struct sink copy;
	int fd;

	if (fault_is_set(fault))
		return NULL;
	fd = temporary_make(kind, &path);
	if (fd < 0) {
		fault_set_error(fault, STATUS_CANT_CREATE,
		    "cannot create a copy for the commands in '%s'", temporary_directory());
		return NULL;
	}
	sink_init(&copy, NULL, &job->run->source.in, fault);
	output_init(&copy.out, fd, "the copy for the commands", fault);
	copy.drops_bad = kind == TEMPORARY_COPY_OF_NEW && job->run->sink.drops_bad;
	job->held.stage.next = &copy.stage;
	emit_all(&job->held);
	job->held.stage.next = next;
	sink_close(&copy);
	return path;
}

/* Keeps a copy of the session as it came for the commands, if they have no file of it. */
static void
keep_old(struct job *job)
{
	bool is_file = job->run->file != NULL && job->options->common.session_key == NULL;

	if (job->all->copy_of_old == NULL && !is_file)
		job->all->copy_of_old = copy_stream(job, TEMPORARY_COPY_OF_OLD, held_emit_given);
}

/* Forgets the copy: the next session has one of its own. */
static void
forget_old(struct job *job)
{
	temporary_remove(TEMPORARY_COPY_OF_OLD);
	job->all->copy_of_old = NULL;
}

bool
events_decide(struct job *job)
{
	struct process process = {.command = job->options->decide, .accepted = 1};
	struct process_end end = {.status = 1};
	struct buf record = BUF_INIT;

	job->budget.said |= job->compaction.goals.fired;
	budget_reuse(&job->budget, job_weigh_before(job));
	budget_record_write(job, &record);
	buf_add_char(&record, '\n');
	process.input = buf_str(&record);
	forget_old(job);
	keep_old(job);
	if (!fault_is_set(&job->run->fault))
		call(job->all, process, &end, &job->run->fault);
	buf_free(&record);
	return !fault_is_set(&job->run->fault) && end.status == 0;
}

void
events_ask(struct job *job)
{
	struct process process = {.command = job->options->before_compact};
	struct fault fault = FAULT_INIT;
	struct process_end end;
	struct buf plan = BUF_INIT;

	if (process.command == NULL || fault_is_set(&job->run->fault))
		return;
	if (job->options->decide == NULL)
		forget_old(job);
	keep_old(job);
	if (fault_is_set(&job->run->fault))
		return;
	plan_write(job, &plan);
	process.input = buf_str(&plan);
	if (!call(job->all, process, &end, &fault) && end.status == STATUS_LATER)
		fault_set(&job->run->fault, STATUS_LATER, "'%s' says not now%s%s", process.command,
		    end.line[0] != '\0' ? ": " : "", end.line);
	else if (fault_is_set(&fault))
		fault_set(&job->run->fault, fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
	fault_free(&fault);
	buf_free(&plan);
}

void
events_keep(struct job *job)
{
	if (job->options->on_compact == NULL)
		return;
	archive_option_mark(&job->held.session, job->run);
	if (job->all->copy_of_old == NULL)
		job->all->copy_of_old = copy_stream(job, TEMPORARY_COPY_OF_OLD, held_emit_given);
	if (job->run->file == NULL)
		job->all->copy_of_new = copy_stream(job, TEMPORARY_COPY_OF_NEW, held_emit_all);
	job->all->is_done = !fault_is_set(&job->run->fault);
}

void
events_tell(void *self)
{
	struct ctx_compact *all = self;
	struct run *run = all->run;
	struct process process = {
	    .command = all->pattern.options->on_compact, .input = buf_str(&run->report)};
	struct fault fault = FAULT_INIT;
	struct process_end end;

	if (all->is_done && !call(all, process, &end, &fault)) {
		diag_warn("%.*s", STR_ARG(buf_str(&fault.text)));
		run_fail(run, fault.status);
	}
	fault_free(&fault);
}
