#include "face/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "face/files.h"

/* Says the fault, if one is set, and ends the program. */
static void
check_fault(struct filter *filter)
{
	const struct fault *fault = &filter->fault;

	if (fault->text.len > 0)
		diag_warn("%.*s", STR_ARG(buf_str(&fault->text)));
	if (fault_is_set(fault))
		exit(fault->status);
}

/* A closed standard output must stay one that cannot be written, whatever is opened next. */
static void
occupy_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			diag_die(STATUS_OS, "cannot open '/dev/null': %s", strerror(errno));
}

void
filter_open(struct filter *filter, const struct common_options *options, char *const *operand,
    int count)
{
	*filter = (struct filter){.options = options};
	occupy_descriptors();
	source_init(&filter->source, operand, (unsigned)count, &filter->fault);
	check_fault(filter);
	if (options->max_line_given && (options->max_line == 0 || options->max_line >= UINT32_MAX))
		options_fail("bad value of --max-line, expected 1 to 4G");
	if (options->max_line_given)
		filter->source.in.line_max = options->max_line;
	if (options->bad_lines == BAD_LINES_DROP && options->bad_file == NULL)
		options_fail("--bad-lines=drop needs --bad-file");
	files_check(options, &filter->source.in);
	filter->source.stops_at_bad = options->bad_lines == BAD_LINES_STOP;
	output_init(&filter->out, STDOUT_FILENO, "standard output", &filter->fault);
	output_init(&filter->bad_out, -1, options->bad_file, &filter->fault);
	if (options->bad_file != NULL)
		filter->bad_out.fd = files_create(options->bad_file, &filter->fault);
	check_fault(filter);
	json_writer_init(&filter->report_writer, &filter->report);
	json_open(&filter->report_writer, '{');
	json_member_string(&filter->report_writer, STR("command"), str_from(diag_program()));
}

void
filter_fail(struct filter *filter, enum status status)
{
	filter->status = status_worse(filter->status, status);
}

static void
wait_for_input(struct filter *filter)
{
	if (filter->before_read != NULL) {
		filter->before_read(filter->context);
	} else {
		output_flush(&filter->out);
		output_flush(&filter->bad_out);
	}
	check_fault(filter);
}

bool
filter_next(struct filter *filter)
{
	struct record record;

	filter->source.any_document = filter->any_document;
	while (!source_next(&filter->source, &record)) {
		wait_for_input(filter);
		if (!source_fill(&filter->source)) {
			check_fault(filter);
			return false;
		}
	}
	filter->counts.messages = filter->source.counts.messages;
	filter->line = record.line;
	filter->message = *record.message;
	filter->is_document = record.state == RECORD_ADDED;
	if (filter->holds && record.block != NULL)
		block_list_add(&filter->blocks, record.block);
	return true;
}

static struct output *
output_for(struct filter *filter, enum record_kind kind)
{
	if (kind == RECORD_BAD && filter->options->bad_lines == BAD_LINES_DROP)
		return &filter->bad_out;
	return &filter->out;
}

void
filter_pass(struct filter *filter)
{
	struct output *out = output_for(filter, filter->message.kind);

	filter->counts.written += filter->message.kind == RECORD_MESSAGE;
	if (!filter->line.continued)
		output_begin_record(out);
	output_add(out, filter->line.raw);
}

void
filter_change(struct filter *filter, struct str text)
{
	struct str raw = filter->line.raw, old = filter->line.text;

	filter->counts.written += filter->message.kind == RECORD_MESSAGE;
	filter->counts.changed += filter->message.kind == RECORD_MESSAGE;
	output_begin_record(&filter->out);
	output_add(&filter->out, str_of(raw.ptr, (size_t)(old.ptr - raw.ptr)));
	output_copy(&filter->out, text);
	output_add(&filter->out, str_of(old.ptr + old.len,
	    (size_t)(raw.ptr + raw.len - (old.ptr + old.len))));
}

void
filter_add(struct filter *filter, struct str text)
{
	filter_add_last(filter, text);
	output_begin_record(&filter->out);
}

void
filter_add_last(struct filter *filter, struct str text)
{
	filter->counts.added++;
	output_begin_record(&filter->out);
	output_copy(&filter->out, text);
	if (!filter->source.in.ended_open)
		output_begin_record(&filter->out);
}

void
filter_hold(struct filter *filter, struct session *session, enum current current,
    const char *id)
{
	filter->holds = true;
	session_set_current(session, current, id != NULL ? str_from(id) : STR(""));
	while (filter_next(filter))
		session_add(session, &filter->line, &filter->message);
	if (!session_end(session))
		options_fail("no execution '%s' in the input", id);
}

/* Counts the entry and returns where it goes; raw is what goes there, a byte order mark left out
 * that would not stand first. */
static struct output *
begin_entry(struct filter *filter, const struct entry *entry, struct str *raw)
{
	struct output *out = output_for(filter, (enum record_kind)entry->kind);
	size_t mark = out->bytes > 0 ? entry->before : 0;

	*raw = str_of(entry->raw + mark, entry->len - mark);
	filter->counts.written += entry->kind == RECORD_MESSAGE;
	filter->counts.changed += entry->kind == RECORD_MESSAGE && entry->is_changed;
	if (!entry->is_continued)
		output_begin_record(out);
	return out;
}

void
filter_write_entry(struct filter *filter, const struct entry *entry)
{
	struct str raw;
	struct output *out = begin_entry(filter, entry, &raw);

	output_add(out, raw);
}

void
filter_write_copy(struct filter *filter, const struct entry *entry)
{
	struct str raw;
	struct output *out = begin_entry(filter, entry, &raw);

	output_copy(out, raw);
}

struct json_writer *
filter_report(struct filter *filter)
{
	return &filter->report_writer;
}

enum current
filter_current(const char *argument)
{
	if (argument == NULL || strcmp(argument, "auto") == 0)
		return CURRENT_AUTO;
	if (strcmp(argument, "last") == 0)
		return CURRENT_LAST;
	return strcmp(argument, "none") == 0 ? CURRENT_NONE : CURRENT_ID;
}

static void
write_report(struct filter *filter)
{
	const struct filter_counts *counts = &filter->counts;
	const struct source_counts *read = &filter->source.counts;
	struct json_writer *w = &filter->report_writer;
	struct output out;
	int fd;

	if (filter->options->report == NULL)
		return;
	json_member_integer(w, STR("records"), (int64_t)read->records);
	json_member_integer(w, STR("messages"), (int64_t)read->messages);
	json_member_integer(w, STR("written"), (int64_t)counts->written);
	json_member_integer(w, STR("changed"), (int64_t)counts->changed);
	json_member_integer(w, STR("added"), (int64_t)counts->added);
	json_member_integer(w, STR("bad"), (int64_t)read->bad);
	json_member_integer(w, STR("status"), (int64_t)filter->status);
	json_close(w);
	fd = files_create(filter->options->report, &filter->fault);
	check_fault(filter);
	output_init(&out, fd, filter->options->report, &filter->fault);
	output_add(&out, buf_str(&filter->report));
	output_begin_record(&out);
	output_close(&out);
}

static void
say_counts(const struct filter *filter)
{
	const struct filter_counts *counts = &filter->counts;

	diag_warn("%ju records, %ju messages in; %ju messages out, %ju changed; %ju records added",
	    (uintmax_t)filter->source.counts.records, (uintmax_t)counts->messages,
	    (uintmax_t)counts->written, (uintmax_t)counts->changed, (uintmax_t)counts->added);
}

int
filter_close(struct filter *filter)
{
	filter_fail(filter, source_end(&filter->source, filter->any_dialect));
	if (filter->bad_out.fd >= 0)
		output_close(&filter->bad_out);
	output_close(&filter->out);
	check_fault(filter);
	write_report(filter);
	check_fault(filter);
	if (filter->options->verbose)
		say_counts(filter);
	block_list_free(&filter->blocks);
	source_free(&filter->source);
	buf_free(&filter->report);
	return (int)filter->status;
}
