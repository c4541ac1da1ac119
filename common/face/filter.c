#include "face/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "dialects/detect.h"
#include "face/document.h"

enum { REPORTED_MAX = 1000 }; /* bad lines that are named one by one */

static void
flush_outputs(void *context)
{
	struct filter *filter = context;

	output_flush(&filter->out);
	output_flush(&filter->bad_out);
}

/* A file that is read must not be written: it would never end, or be gone. */
static void
check_output(const struct filter *filter)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode) && input_has_file(&filter->in, &st))
		options_fail("an input file is the output file");
}

static int
create_file(const struct filter *filter, const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) == 0 && input_has_file(&filter->in, &st))
		options_fail("'%s' is an input file", path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		diag_die(STATUS_CANT_CREATE, "cannot create '%s': %s", path, strerror(errno));
	return fd;
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
	*filter = (struct filter){.options = options, .report_fd = -1};
	occupy_descriptors();
	message_init();
	input_init(&filter->in, operand, (unsigned)count);
	if (options->max_line_given && (options->max_line == 0 || options->max_line >= UINT32_MAX))
		options_fail("bad value of --max-line, expected 1 to 4G");
	if (options->max_line_given)
		filter->in.line_max = options->max_line;
	if (options->bad_lines == BAD_LINES_DROP && options->bad_file == NULL)
		options_fail("--bad-lines=drop needs --bad-file");
	check_output(filter);
	filter->in.before_read = flush_outputs;
	filter->in.context = filter;
	output_init(&filter->out, STDOUT_FILENO, "standard output");
	output_init(&filter->bad_out, -1, options->bad_file);
	if (options->bad_file != NULL)
		filter->bad_out.fd = create_file(filter, options->bad_file);
	if (options->report != NULL)
		filter->report_fd = create_file(filter, options->report);
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
report_bad(struct filter *filter)
{
	filter_fail(filter, STATUS_DATA);
	if (++filter->counts.bad <= REPORTED_MAX)
		diag_warn_at(filter->line.file, filter->line.number, "%s, at byte %zu",
		    filter->message.error, filter->message.error_at + 1);
}

static void
classify(struct filter *filter)
{
	const struct line *line = &filter->line;
	struct message *message = &filter->message;

	if (line->more || line->continued || line->text.len > filter->in.line_max) {
		message->kind = RECORD_BAD;
		message->error = "line longer than --max-line";
		message->error_at = filter->in.line_max;
	} else {
		message_parse(message, line->text);
	}
}

static void
count(struct filter *filter)
{
	struct filter_counts *counts = &filter->counts;

	counts->records += filter->message.kind != RECORD_BLANK && !filter->line.continued;
	switch (filter->message.kind) {
	case RECORD_MESSAGE:
		counts->messages++;
		break;
	case RECORD_CONTEXT:
		counts->contexts++;
		break;
	case RECORD_BUDGET:
		counts->budgets++;
		break;
	case RECORD_FOREIGN:
		if (counts->foreign++ == 0)
			buf_add_str(&filter->first_foreign, filter->line.text);
		break;
	case RECORD_BAD:
		if (!filter->line.continued)
			report_bad(filter);
		break;
	case RECORD_BLANK:
		break;
	}
}

/* The first record of an operand may be a JSON text that goes on in the next lines. */
static void
find_document(struct filter *filter)
{
	bool is_first = filter->operand_begun != filter->in.operand_next;

	filter->is_document = false;
	if (filter->message.kind == RECORD_BLANK)
		return;
	filter->operand_begun = filter->in.operand_next;
	if (filter->any_document && is_first && filter->message.kind == RECORD_BAD)
		filter->is_document = document_join(&filter->in, &filter->line, &filter->message,
		    &filter->document);
}

/* The common case in one pass over the bytes: a valid record, whose end its scan finds. */
static bool
take_record(struct filter *filter)
{
	struct str rest = input_rest(&filter->in);
	size_t len;

	if (rest.len > filter->in.line_max)
		rest.len = filter->in.line_max;
	if (rest.len == 0 || *rest.ptr != '{')
		return false;
	len = message_parse_line(&filter->message, rest);
	if (len == 0)
		return false;
	input_take(&filter->in, &filter->line, len);
	return true;
}

bool
filter_next(struct filter *filter)
{
	if (!take_record(filter)) {
		if (!input_next(&filter->in, &filter->line))
			return false;
		classify(filter);
	}
	find_document(filter);
	count(filter);
	return filter->message.kind != RECORD_BAD || filter->options->bad_lines != BAD_LINES_STOP;
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
filter_write_held(struct filter *filter, enum record_kind kind, struct str raw)
{
	struct output *out = output_for(filter, kind);

	filter->counts.written += kind == RECORD_MESSAGE;
	output_begin_record(out);
	output_copy(out, raw);
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
	if (!filter->in.ended_open)
		output_begin_record(&filter->out);
}

void
filter_hold(struct filter *filter, struct session *session, enum current current,
    const char *id)
{
	filter->in.hold = true;
	while (filter_next(filter))
		session_add(session, &filter->line, &filter->message);
	if (!outcome_find(session, current, id != NULL ? str_from(id) : STR("")))
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

void
filter_write_all(struct filter *filter, const struct session *session)
{
	for (uint32_t i = 0; i < session->count; i++)
		if (!session->entry[i].is_dropped)
			filter_write_entry(filter, &session->entry[i]);
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

/* Says what input without a message may be. */
static void
check_messages(struct filter *filter)
{
	const struct filter_counts *counts = &filter->counts;
	struct json_scan scan;
	enum dialect dialect = DIALECT_AUTO;

	if (filter->any_dialect || counts->foreign == 0 ||
	    counts->messages + counts->contexts + counts->budgets > 0)
		return;
	filter_fail(filter, STATUS_DATA);
	buf_pad(&filter->first_foreign);
	if (json_scan(buf_str(&filter->first_foreign), NULL, &scan))
		dialect = dialect_detect(scan.value);
	if (dialect != DIALECT_AUTO && dialect != DIALECT_CTX)
		diag_warn("no messages; looks like %s, try ctx-normalize --from %s",
		    dialect_name(dialect), dialect_name(dialect));
	else
		diag_warn("no messages in the input");
}

static void
write_report(struct filter *filter)
{
	const struct filter_counts *counts = &filter->counts;
	struct json_writer *w = &filter->report_writer;
	struct output out;

	if (filter->report_fd < 0)
		return;
	json_member_integer(w, STR("records"), (int64_t)counts->records);
	json_member_integer(w, STR("messages"), (int64_t)counts->messages);
	json_member_integer(w, STR("written"), (int64_t)counts->written);
	json_member_integer(w, STR("changed"), (int64_t)counts->changed);
	json_member_integer(w, STR("added"), (int64_t)counts->added);
	json_member_integer(w, STR("bad"), (int64_t)counts->bad);
	json_member_integer(w, STR("status"), (int64_t)filter->status);
	json_close(w);
	output_init(&out, filter->report_fd, filter->options->report);
	output_add(&out, buf_str(&filter->report));
	output_begin_record(&out);
	output_close(&out);
}

static void
say_counts(const struct filter *filter)
{
	const struct filter_counts *counts = &filter->counts;

	diag_warn("%ju records, %ju messages in; %ju messages out, %ju changed; %ju records added",
	    (uintmax_t)counts->records, (uintmax_t)counts->messages, (uintmax_t)counts->written,
	    (uintmax_t)counts->changed, (uintmax_t)counts->added);
}

int
filter_close(struct filter *filter)
{
	if (filter->counts.bad > REPORTED_MAX)
		diag_warn("%ju more bad lines", (uintmax_t)(filter->counts.bad - REPORTED_MAX));
	check_messages(filter);
	if (filter->bad_out.fd >= 0)
		output_close(&filter->bad_out);
	output_close(&filter->out);
	write_report(filter);
	if (filter->options->verbose)
		say_counts(filter);
	input_free(&filter->in);
	buf_free(&filter->first_foreign);
	buf_free(&filter->report);
	buf_free(&filter->document);
	return (int)filter->status;
}
