#include "face/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "face/fault_die.h"
#include "face/made.h"
#include "face/terminal/progress.h"

/* With the blocks that it may be read with, such a line is shorter than 4 GiB: a JSON value and an
 * entry of a session have lengths of 32 bits. */
#define LINE_MOST UINT64_C(4000000000)

/* A file that is opened takes the lowest free number. When the program starts with a standard
 * descriptor closed, a file of the run would become it; /dev/null takes the number instead, opened
 * so that using it still fails. */
static void
occupy_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			diag_die(STATUS_OS, "cannot open '/dev/null': %s", strerror(errno));
}

static void
set_source(struct source *source, const struct common_options *options)
{
	if (options->max_line_given && (options->max_line == 0 || options->max_line > LINE_MOST))
		options_fail("bad value of --max-line, expected 1 to 4G");
	if (options->max_line_given)
		source->in.line_max = options->max_line;
	if (options->bad_lines == BAD_LINES_DROP && options->bad_file == NULL)
		options_fail("--bad-lines=drop requires --bad-file");
	source->names_all = options->verbose;
	source->stops_at_bad = options->bad_lines == BAD_LINES_STOP;
}

static void
set_sink(struct run *run)
{
	sink_init(&run->sink, run->options->bad_file, &run->source.in, &run->fault);
	run->sink.drops_bad = run->options->bad_lines == BAD_LINES_DROP;
	run->first = &run->sink.stage;
	run->is_reported = run->options->report != NULL;
	json_begin(&run->members, &run->report, '{');
	json_member_string(&run->members, STR("command"), str_from(diag_program()));
}

void
run_open(struct run *run, const struct common_options *options, char *const *operand, int count)
{
	*run = (struct run){.options = options, .fault = FAULT_INIT};
	occupy_descriptors();
	source_init(&run->source, operand, (unsigned)count, &run->fault);
	if (options->apart)
		fault_free(&run->fault); /* each operand is looked at when its turn comes */
	fault_check(&run->fault);
	if (count == 0 && isatty(STDIN_FILENO) == 1)
		diag_warn("reading messages from the terminal; Ctrl-D ends them, --help says more");
	set_source(&run->source, options);
	made_check(options, &run->source.in);
	made_check_archive(options, &run->source.in);
	set_sink(run);
	progress_start(&run->source.in);
}

void
run_open_fed(struct run *run, const struct common_options *options)
{
	*run = (struct run){.options = options, .fault = FAULT_INIT, .is_fed = true};
	source_init_fed(&run->source, &run->fault);
	set_source(&run->source, options);
	made_check(options, &run->source.in);
	made_check_archive(options, &run->source.in);
	set_sink(run);
}

void
run_open_file(struct run *run, const struct common_options *options, struct run_file *file)
{
	*run = (struct run){.options = options, .file = file, .fault = FAULT_INIT};
	occupy_descriptors();
	diag_set_file(file->path);
	file->open(file, &run->fault);
	source_init(&run->source, &file->path, 1, &run->fault);
	run->source.in.lent = file->fd;
	run->source.in.lent_sum = file->sum;
	set_source(&run->source, options);
	set_sink(run);
	output_init(&run->sink.out, -1, "the new file", &run->fault);
	run->sink.out.filter = file->filter;
	json_member_string(&run->members, STR("file"), str_from(file->path));
	progress_start(&run->source.in);
}

void
run_link(struct run *run, struct stage *const *stages)
{
	stage_link(stages, run->first, &run->fault);
	if (stages[0] != NULL)
		run->first = stages[0];
}

bool
run_read(struct run *run)
{
	sink_flush(&run->sink);
	mem_use_large_pages();
	return source_fill(&run->source);
}

bool
run_take(struct run *run)
{
	struct record record;

	if (fault_is_set(&run->fault) || !source_next(&run->source, &record))
		return false;
	run->first->take(run->first, &record);
	return true;
}

void
run_end(struct run *run)
{
	run->has_ended = true;
	stage_end(run->first);
	progress_end();
}

void
run_chain(struct run *run, struct stage *const *stages)
{
	run_link(run, stages);
	while (run_read(run))
		while (run_take(run))
			;
	run_end(run);
}

void
run_add(struct run *run, struct str text)
{
	struct buf padded = BUF_INIT;
	struct record record;

	if (fault_is_set(&run->fault))
		return;
	buf_add_str(&padded, text);
	buf_pad(&padded);
	record_make(&record, &(struct line){.number = 0}, buf_str(&padded));
	record.kind = RECORD_FOREIGN;
	run->sink.stage.take(&run->sink.stage, &record);
	buf_free(&padded);
}

void
run_set_walk(struct walk *walk, const struct common_options *options)
{
	walk->steering = (enum walk_steering)options->steering;
}

void
run_set_session(
    struct session *session, const char *execution, const struct common_options *options)
{
	enum current current = CURRENT_ID;

	if (execution == NULL || strcmp(execution, "auto") == 0)
		current = CURRENT_AUTO;
	else if (strcmp(execution, "last") == 0)
		current = CURRENT_LAST;
	else if (strcmp(execution, "none") == 0)
		current = CURRENT_NONE;
	session_set_current(session, current, str_from(execution != NULL ? execution : ""));
	run_set_walk(&session->walk, options);
}

struct session_key_value
run_session_key(const struct run *run)
{
	struct session_key_value name = {.key = run->key};

	if (run->session.len > 0)
		name.value = json_value_at(run->session.ptr);
	return name;
}

void
run_fail(struct run *run, enum status status)
{
	run->status = status_worse(run->status, status);
}

void
run_set_messages(struct run *run, uint64_t messages)
{
	run->source.counts.messages = messages;
}

int
run_create(struct run *run, const char *path, bool *is_begun)
{
	int fd = made_create(path, is_begun != NULL && *is_begun, &run->fault);

	if (fd >= 0 && is_begun != NULL)
		*is_begun = true;
	return fd;
}

int
run_create_changes(struct run *run)
{
	if (run->options->changes == NULL || fault_is_set(&run->fault))
		return -1;
	return run_create(run, run->options->changes,
	    run->file != NULL ? &run->file->has_changes : &run->has_changes);
}

void
run_empty_outputs(struct run *run)
{
	struct run_file *file = run->file;

	if (file == NULL || !file->has_report)
		made_empty(run->options->report, &run->fault);
	if (file == NULL || !file->has_changes)
		made_empty(run->options->changes, &run->fault);
	if (file != NULL)
		file->has_report = file->has_changes = true;
}

static void
write_report(struct run *run)
{
	const struct source_counts *in = &run->source.counts;
	const struct sink_counts *out = &run->sink.counts;
	struct json_writer *w = &run->members;
	struct output report;
	int fd;

	if (!run->is_reported)
		return;
	json_member_integer(w, STR("records"), (int64_t)in->records);
	json_member_integer(w, STR("messages"), (int64_t)in->messages);
	json_member_integer(w, STR("written"), (int64_t)out->written);
	json_member_integer(w, STR("changed"), (int64_t)out->changed);
	json_member_integer(w, STR("added"), (int64_t)out->added);
	json_member_integer(w, STR("bad"), (int64_t)in->bad);
	json_member_integer(w, STR("status"), (int64_t)run->status);
	json_close(w);
	buf_add_char(&run->report, '\n');
	if (run->options->report == NULL)
		return;
	fd = run_create(
	    run, run->options->report, run->file != NULL ? &run->file->has_report : NULL);
	if (fd < 0)
		return;
	output_init(&report, fd, run->options->report, &run->fault);
	output_add(&report, buf_str(&run->report));
	output_close(&report);
}

/* Ends the source and sets the status. Returns whether a file may be replaced: bad lines that stay
 * do not prevent that; findings of the command do. */
static bool
end_source(struct run *run)
{
	bool is_other = source_is_other(&run->source);
	bool is_right = !is_other && !run->source.has_stopped &&
	    (run->status == STATUS_OK || run->status == run->options->in_place.accepted);

	run_fail(run, source_end(&run->source));
	return is_right;
}

bool
run_write(struct run *run)
{
	bool is_right = false;

	progress_end();
	if (!fault_is_set(&run->fault))
		is_right = end_source(run);
	sink_close(&run->sink);
	if (!fault_is_set(&run->fault))
		write_report(run);
	if (run->file != NULL && !fault_is_set(&run->fault))
		run->file->commit(run->file, run, is_right);
	return run->file != NULL ? run->file->is_replaced : !fault_is_set(&run->fault);
}

enum status
run_finish(struct run *run)
{
	if (run->fault.status == STATUS_USAGE)
		buf_add_fmt(&run->fault.text, "; try '%s --help'", diag_program());
	if (run->fault.text.len > 0)
		diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	if (fault_is_set(&run->fault))
		run->status = run->fault.status;
	else if (run->options->verbose) {
		const struct source_counts *in = &run->source.counts;
		const struct sink_counts *out = &run->sink.counts;

		char messages[160] = "";

		if (!run->has_no_messages)
			snprintf(messages, sizeof messages,
			    ", %ju messages in; %ju messages out, %ju changed; %ju records added",
			    (uintmax_t)in->messages, (uintmax_t)out->written,
			    (uintmax_t)out->changed, (uintmax_t)out->added);
		diag_warn("%ju records%s%.*s%s%s", (uintmax_t)in->records, messages,
		    STR_ARG(buf_str(&run->said)), run->file != NULL ? "; " : "",
		    run->file != NULL ? run->file->outcome : "");
	}
	if (run->file != NULL)
		run->file->close(run->file);
	diag_set_file(NULL);
	return run->status;
}

void
run_free(struct run *run)
{
	source_free(&run->source);
	buf_free(&run->report);
	buf_free(&run->said);
	fault_free(&run->fault);
}
