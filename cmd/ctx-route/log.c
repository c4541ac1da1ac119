#include "log.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "face/input/files.h"

enum {
	CHUNK = 1 << 16,
	LOCKED_MOST = 1 << 20, /* so many bytes are read while others wait */
};

/* Collects the output of the stages. */
static size_t
take(struct output_filter *filter, const struct iovec *span, unsigned count, int *fd)
{
	struct log *log = (struct log *)filter;
	size_t before = log->batch.len;

	(void)fd;
	for (unsigned i = 0; i < count; i++)
		buf_add(&log->batch, span[i].iov_base, span[i].iov_len);
	return log->batch.len - before;
}

void
log_open(struct log *log, const char *path, bool repairs, struct run *run,
    struct opened_context *opening, struct metadata_rules *rules, struct route_stage *routing)
{
	struct buf torn = BUF_INIT;

	*log = (struct log){.filter = {take},
	    .run = run,
	    .opening = opening,
	    .rules = rules,
	    .routing = routing,
	    .repairs = repairs};
	buf_add_fmt(&torn, "%s.torn", path);
	buf_add_char(&torn, '\0');
	log->torn = torn.ptr;
	files_check_appended(run->options, &run->source.in, "--append", path);
	if (repairs)
		files_check_appended(run->options, &run->source.in, "--repair", log->torn);
	append_init(&log->append, path, 0666, &run->fault);
	source_init(&log->source, NULL, 0, &run->fault);
	log->source.in.operand = (char *const *)&log->append.path;
	log->source.named = path;
	log->source.in.line_max = run->source.in.line_max;
	/* Pieces of a line would have lines of others between them. */
	run->source.stops_at_long = run->options->bad_lines == BAD_LINES_KEEP;
	run->sink.out.filter = &log->filter;
}

static bool
read_at(struct log *log, char *bytes, size_t len, uint64_t at)
{
	ssize_t n = file_read_at(log->append.fd, bytes, len, at);

	return n == (ssize_t)len ||
	    fault_set(&log->run->fault, STATUS_IO, "cannot read '%s': %s", log->append.path,
		n < 0 ? strerror(errno) : "it became shorter");
}

/* Sets *at to where the last line begins; to the end of the log when that line has its end. */
static bool
find_tail(struct log *log, uint64_t *at)
{
	char bytes[CHUNK];

	*at = log->append.start;
	while (*at > 0) {
		size_t len = *at < CHUNK ? (size_t)*at : CHUNK;
		size_t open;

		/* Most logs are whole, and one byte says so. */
		if (*at == log->append.start)
			len = 1;
		if (!read_at(log, bytes, len, *at - len))
			return false;
		open = str_behind_last(str_of(bytes, len), '\n').len;
		*at -= open;
		if (open < len)
			return true;
	}
	return true;
}

/* Whether the last line, from at on, is a whole record, and only its end is missing. A byte order
 * mark may precede the first line. */
static bool
is_record(struct log *log, uint64_t at)
{
	uint64_t len = log->append.start - at;
	struct buf line = BUF_INIT;
	struct message message = {.kind = RECORD_BAD};
	struct str text;

	if (len <= log->source.in.line_max &&
	    read_at(log, buf_reserve(&line, (size_t)len + BUF_PADDING), (size_t)len, at)) {
		line.len = (size_t)len;
		buf_pad(&line);
		text = buf_str(&line);
		if (at == 0 && str_has_prefix(text, input_bom))
			text = str_of(text.ptr + input_bom.len, text.len - input_bom.len);
		if (text.len > 0 && *text.ptr == '{')
			message_parse(&message, text);
	}
	buf_free(&line);
	return message.kind != RECORD_BAD;
}

/* Moves the last line, from at on, to the end of the file torn. */
static void
move_tail(struct log *log, uint64_t at)
{
	struct fault *fault = &log->run->fault;
	uint64_t end = log->append.start;
	struct append torn;
	char bytes[CHUNK];

	if (!append_open(&torn, log->torn, fault))
		return;
	for (uint64_t from = at; from < end && !fault_is_set(fault);) {
		size_t len = end - from < CHUNK ? (size_t)(end - from) : CHUNK;

		if (read_at(log, bytes, len, from))
			output_add(&torn.out, str_of(bytes, len));
		output_flush(&torn.out);
		from += len;
	}
	output_add(&torn.out, STR("\n"));
	append_close(&torn);
	if (!fault_is_set(fault) && append_cut(&log->append, at))
		diag_warn("%s: a torn last line of %ju bytes was moved to '%s'", log->append.path,
		    (uintmax_t)(end - at), log->torn);
}

/* Handles a last line without an end: the log is locked, so no other program is going to end it. */
static void
check_tail(struct log *log)
{
	uint64_t at;

	if (!find_tail(log, &at) || at == log->append.start)
		return;
	if (!log->repairs) {
		fault_set(&log->run->fault, STATUS_DATA,
		    "%s: the last line has no end, from byte %ju of the file on; --repair moves it "
		    "to '%s'",
		    log->append.path, (uintmax_t)at + 1, log->torn);
	} else if (is_record(log, at)) {
		output_add(&log->append.out, STR("\n"));
		append_commit(&log->append);
		diag_warn("%s: the last line was whole, and has its end now", log->append.path);
	} else if (!fault_is_set(&log->run->fault)) {
		move_tail(log, at);
	}
}

static void
recall(struct log *log, struct record *record)
{
	opened_context_recall(log->opening, record);
	if (record->kind != RECORD_MESSAGE)
		return;
	route_stage_recall(log->routing, record);
	if (!log->has_begun)
		metadata_rules_recall(log->rules, record, &log->run->fault);
}

/* Recalls the records of the log up to the byte end. */
static void
read_on(struct log *log, uint64_t end)
{
	struct source *source = &log->source;
	struct record record;

	if (end == log->read)
		return;
	if (lseek(log->append.fd, (off_t)log->read, SEEK_SET) < 0)
		fault_set(&log->run->fault, STATUS_IO, "cannot read '%s': %s", log->append.path,
		    strerror(errno));
	input_lend(&source->in, log->append.fd, end - log->read, log->lines);
	while (source_fill(source))
		while (source_next(source, &record))
			recall(log, &record);
	log->read = end;
	log->lines = source->in.line_number;
}

/* Locks the log, and recalls the records added since the last time. A long part is read unlocked,
 * up to the end of the log when it was locked; then it is locked again, with less to read. Returns
 * false with the fault set, and the log unlocked. */
static bool
begin(struct log *log)
{
	const struct fault *fault = &log->run->fault;
	struct append *append = &log->append;

	while (!fault_is_set(fault) && append_lock(append)) {
		check_tail(log);
		if (append->opened != log->opened || append->start < log->read) {
			/* Another file, or one that was emptied. */
			log->opened = append->opened;
			log->read = 0;
			log->lines = 0;
			log->source.counts = (struct source_counts){0};
			opened_context_restart(log->opening);
			route_stage_restart(log->routing);
		}
		if (append->start - log->read <= LOCKED_MOST && !fault_is_set(fault))
			read_on(log, append->start);
		if (append->start == log->read && !fault_is_set(fault)) {
			route_stage_resume(log->routing);
			/* A byte order mark is only at the start of a file. */
			log->run->sink.out.bytes += append->start;
			return true;
		}
		append_unlock(append);
		if (!fault_is_set(fault))
			read_on(log, append->start);
	}
	return false;
}

static void
commit(struct log *log)
{
	const struct fault *fault = &log->run->fault;
	struct append *append = &log->append;
	struct buf *batch = &log->batch;
	struct output *out = &log->run->sink.out;

	log->has_begun = true;
	sink_flush(&log->run->sink);
	buf_end_line(batch);
	if (batch->len > 0 && !fault_is_set(fault)) {
		output_reserve(out);
		output_reserve(&append->out);
		output_add(&append->out, buf_str(batch));
		append_commit(append);
	}
	append_unlock(append);
	if (!fault_is_set(fault)) {
		log->read += batch->len;
		log->lines += str_count(buf_str(batch), '\n');
		/* The bytes are already in the log. */
		out->filter = NULL;
		output_add(out, buf_str(batch));
		output_flush(out);
		out->filter = &log->filter;
	}
	buf_reset(batch);
}

/* A batch is all input that can be read without waiting. A complete step, as in a file, is one
 * batch. */
void
log_run(struct log *log, struct stage *const *stages)
{
	enum { BATCH_MOST = 1 << 18 };
	struct run *run = log->run;
	bool more = begin(log); /* a log that is refused is refused before anything is read */

	run_link(run, stages);
	if (more)
		commit(log);
	while (more) {
		more = run_read(run);
		if (!begin(log))
			break;
		while (run_take(run))
			;
		while (more && log->batch.len < BATCH_MOST && !input_waits(&run->source.in)) {
			more = run_read(run);
			while (run_take(run))
				;
		}
		if (!more && !fault_is_set(&run->fault))
			run_end(run);
		commit(log);
	}
}

void
log_close(struct log *log)
{
	log->run->sink.out.filter = NULL;
	if (!fault_is_set(&log->run->fault))
		run_fail(log->run, source_end(&log->source));
	append_free(&log->append);
	source_free(&log->source);
	buf_free(&log->batch);
	free(log->torn);
}

void
log_read(const char *path, struct run *run, struct opened_context *opening,
    struct metadata_rules *rules, struct route_stage *routing)
{
	char *const operand[] = {(char *)path};
	struct log log = {.run = run, .opening = opening, .rules = rules, .routing = routing};
	struct source *source = &log.source;
	struct record record;
	bool appends = files_check_log(run->options, path), is_torn = false;

	source_init(source, operand, 1, &run->fault);
	source->named = path;
	source->in.line_max = run->source.in.line_max;
	while (!fault_is_set(&run->fault) && source_fill(source))
		while (source_next(source, &record)) {
			is_torn = !str_has_suffix(record.line.raw, STR("\n"));
			recall(&log, &record);
		}
	run_fail(run, source_end(source));
	if (appends && is_torn)
		fault_set(&run->fault, STATUS_DATA,
		    "%s: the last line has no end; end it, or cut it off, before more is appended",
		    path);
	source_free(source);
}
