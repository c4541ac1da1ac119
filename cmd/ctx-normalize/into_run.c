#include "into_run.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/hash/sum.h"
#include "data/tombstone.h"
#include "dialects/into/into.h"
#include "dialects/likeness.h"
#include "dialects/load/load_mend.h"
#include "face/input/document.h"
#include "face/output/result.h"
#include "into_place.h"
#include "json/string.h"
#include "stream/process/unzstd.h"

struct collector {
	struct stage stage;
	const struct choices *choices;
	struct account *account;
	struct arena arena;
	struct buf texts;  /* struct str each: the messages */
	struct str source; /* the source record */
	unsigned sources;
	bool is_named; /* a message has metadata.source */
	struct buf file, unfolded;
	struct result result;    /* of --output */
	struct into_place place; /* of --in-place */
	bool is_archived;        /* a message names an archive that has the message's old content */
};

static void
take(struct stage *stage, struct record *record)
{
	struct collector *collector = (struct collector *)stage;
	struct buf scratch = BUF_INIT;
	struct message message;
	struct str text;

	if (record->kind == RECORD_MESSAGE || record->kind == RECORD_SOURCE) {
		record_settle(record, &scratch);
		text = arena_copy_padded(&collector->arena, record->line.text);
		if (record->kind == RECORD_SOURCE) {
			collector->source = text;
			collector->sources++;
		} else {
			buf_add(&collector->texts, &text, sizeof text);
			message_parse(&message, text);
			collector->is_named |= json_has(message.metadata, STR("source"));
			collector->is_archived |= message.meta[METADATA_ARCHIVED].type > JSON_NULL;
		}
	}
	buf_free(&scratch);
}

/* The format of the file that was read, if its first record shows one that is not written back; or
 * NULL. */
static const char *
other_format(struct collector *collector)
{
	struct str text = buf_str(&collector->file), line;
	struct message message;
	const char *name;

	if (document_unfold(text, &collector->unfolded))
		text = buf_str(&collector->unfolded);
	do
		line = str_trim(str_take_line(&text));
	while (line.len == 0 && text.len > 0);
	message_parse(&message, line);
	if (message.kind == RECORD_BAD)
		return NULL;
	name = likeness_name(message.value);
	if (name == NULL && message.kind == RECORD_MESSAGE)
		name = ctx_dialect.name;
	return name != NULL && session_layout_find(str_from(name)) == NULL ? name : NULL;
}

/* Sets the fault that the file is of such a format. */
static bool
refuse_format(struct collector *collector, const char *name)
{
	struct buf names = BUF_INIT;

	session_layout_add_names(&names);
	fault_set(&collector->account->run->fault, STATUS_USAGE,
	    "--into %s: looks like %s; only sessions of %.*s are written back: write another file "
	    "with --to",
	    collector->choices->into, name, STR_ARG(buf_str(&names)));
	buf_free(&names);
	return false;
}

/* Reads the file. Sets *bytes to the bytes of which the log was made, if they have not changed. */
static bool
read_file(struct collector *collector, struct json_value source, size_t *bytes)
{
	const char *path = collector->choices->into;
	struct fault *fault = &collector->account->run->fault;
	uint64_t count = json_count(json_find(source, STR("bytes")));
	struct sum sum = SUM_INIT;
	struct buf digits = BUF_INIT;
	const char *other;
	bool is_same;

	if (collector->choices->place.suffix != NULL ?
		!into_place_open(&collector->place, collector->choices, &collector->file, fault) :
		!file_read(path, INPUT_LINE_MAX, &collector->file, fault))
		return false;
	if (str_has_prefix(buf_str(&collector->file), STR(UNZSTD_MAGIC)))
		return fault_set(fault, STATUS_USAGE,
		    "%s is packed by zstd, and is not written packed: unpack it, and read that",
		    path);
	*bytes = count < collector->file.len ? (size_t)count : collector->file.len;
	sum_add(&sum, str_of(collector->file.ptr, *bytes));
	sum_write(&sum, &digits);
	is_same = count == *bytes && json_is(json_find(source, STR("sum")), buf_str(&digits)) &&
	    (count == collector->file.len || (count > 0 && collector->file.ptr[count - 1] == '\n'));
	buf_free(&digits);
	if (is_same)
		return true;
	other = other_format(collector);
	return other != NULL ?
	    refuse_format(collector, other) :
	    fault_set(fault, STATUS_LATER,
		"%s is not as it was read, or another file: read it again", path);
}

/* Whether all of the file is one document: records over several lines, or a list of them. */
static bool
is_one_document(struct collector *collector, const struct session_layout *format, size_t bytes)
{
	struct str text = buf_str(&collector->file);
	struct json_value value;

	if (bytes != text.len || !document_unfold(text, &collector->unfolded))
		return false;
	value = json_value_at(collector->unfolded.ptr);
	return !str_is_one_line(str_trim(text)) || value.type == JSON_ARRAY ||
	    session_layout_list(format, value).type == JSON_ARRAY;
}

/* Writes the new file to standard output, or as the file of --output. */
static void
put(struct collector *collector, struct buf *to)
{
	const char *path = collector->choices->output;
	struct fault *fault = &collector->account->run->fault;
	struct record record;

	buf_pad(to);
	if (collector->choices->place.suffix != NULL) {
		into_place_write(&collector->place, buf_str(&collector->file), buf_str(to));
	} else if (path == NULL) {
		record_make(&record, &(struct line){.number = 0}, buf_str(to));
		record.kind = RECORD_FOREIGN;
		record.state = RECORD_GIVEN;
		stage_emit(&collector->stage, &record);
	} else if (file_write_all(collector->result.fd, buf_str(to))) {
		result_commit(&collector->result, fault);
	} else {
		fault_set_error(fault, STATUS_IO, "cannot write '%s'", path);
	}
}

/* Whether no message is lost: in place, an archive or the old file must have those that go. */
static bool
may_lose(struct collector *collector, uint64_t gone)
{
	const char *suffix = collector->choices->place.suffix;

	return suffix == NULL || suffix[0] != '\0' || gone == 0 || collector->is_archived ||
	    fault_set(&collector->account->run->fault, STATUS_USAGE,
		"%ju messages would be gone for good: compact with --archive, or keep the old file "
		"with --in-place=SUFFIX",
		(uintmax_t)gone);
}

/* With --repair, mends the new file by the rules of its agent's loader. */
static bool
mend(struct collector *collector, const struct session_layout *format, bool is_document,
    struct buf *to)
{
	struct buf mended = BUF_INIT;
	bool is_mended = true;

	if (collector->choices->repair && format->dialect->load != NULL) {
		buf_pad(to);
		is_mended = load_mend(format->dialect, buf_str(to), is_document, &mended,
		    &collector->account->run->fault);
		buf_set(to, buf_str(&mended));
		buf_free(&mended);
	}
	return is_mended;
}

/* Writes the counts of changes for -v and the report. */
static void
say(struct collector *collector, const struct into *into)
{
	struct run *run = collector->account->run;
	const struct into_records *records = &into->records;

	run->sink.counts.written = into->entry_count;
	run->sink.counts.changed = into->counts[INTO_CHANGED];
	run->sink.counts.added = records->new;
	buf_add_fmt(&run->said,
	    "; messages: %ju as they were, %ju edited, %ju gone, %ju written anew; records of the "
	    "file: %ju as they were, %ju edited, %ju gone",
	    (uintmax_t)into->counts[INTO_SAME], (uintmax_t)into->counts[INTO_CHANGED],
	    (uintmax_t)into->counts[INTO_GONE], (uintmax_t)into->counts[INTO_ANEW],
	    (uintmax_t)records->same, (uintmax_t)records->edited, (uintmax_t)records->gone);
	if (into->unsaid > 0)
		buf_add_fmt(&run->said, "; metadata not written: %ju", (uintmax_t)into->unsaid);
	tally_add_all(&collector->account->dropped, &into->dropped);
	account_say_dropped(collector->account, into->format->dialect->name);
}

static void
write_into(struct collector *collector, const struct session_layout *format, size_t bytes)
{
	const struct choices *choices = collector->choices;
	struct str text = buf_str(&collector->file), whole = text;
	const struct str *message = (const struct str *)(const void *)collector->texts.ptr;
	bool is_document = is_one_document(collector, format, bytes);
	struct into into;
	struct buf to = BUF_INIT;
	bool is_written;

	if (is_document)
		text = buf_str(&collector->unfolded);
	if (choices->place.suffix != NULL && !into_place_is_old(&collector->place, text))
		return;
	into_init(&into, format, text, is_document ? text.len : bytes, is_document,
	    &collector->account->run->fault);
	is_written = into_read(&into, choices->into, choices->all, choices->lossy);
	for (size_t i = 0; is_written && i < collector->texts.len / sizeof *message; i++)
		into_take(&into, message[i]);
	if (is_written && into_end(&into, whole, &to) &&
	    mend(collector, format, is_document, &to) &&
	    may_lose(collector, into.counts[INTO_GONE]))
		put(collector, &to);
	say(collector, &into);
	into_free(&into);
	buf_free(&to);
}

/* Whether a file of that name exists and is empty. */
static bool
is_empty(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

/* Says why the log does not go into the file, and what to do. */
static void
refuse(struct collector *collector)
{
	struct fault *fault = &collector->account->run->fault;
	const char *path = collector->choices->into, *other = NULL;
	bool is_empty_log = collector->sources == 0 && collector->texts.len == 0;

	if (!is_empty_log && file_read(path, INPUT_LINE_MAX, &collector->file, fault))
		other = other_format(collector);
	if (other != NULL)
		refuse_format(collector, other);
	else
		fault_set(fault, STATUS_USAGE, "--into %s: %s: make it with ctx-normalize %s", path,
		    is_empty_log ? "the log is empty, as if its maker had failed" :
			collector->sources == 0 ?
				   "the log has no source record" :
			collector->sources > 1 ?
				   "the log has several source records, as of --agents" :
				   "no message of the log has metadata.source",
		    path);
}

static void
end(struct stage *stage)
{
	struct collector *collector = (struct collector *)stage;
	struct fault *fault = &collector->account->run->fault;
	struct json_value source;
	const struct session_layout *format;
	size_t bytes = 0;

	if (collector->sources == 0 && collector->texts.len == 0 &&
	    is_empty(collector->choices->into)) {
		fault_set(fault, STATUS_USAGE,
		    "--into %s: the file is empty, so that no agent's format is known: write a "
		    "session "
		    "with --to AGENT",
		    collector->choices->into);
		return;
	}
	if (collector->sources != 1 || (collector->texts.len > 0 && !collector->is_named)) {
		refuse(collector);
		return;
	}
	source = json_value_at(str_trim(collector->source).ptr);
	format = session_layout_find(json_inner(json_find(source, STR("format"))));
	if (format == NULL)
		fault_set(
		    fault, STATUS_USAGE, "--into: the log is of a format that is not written");
	else if (read_file(collector, source, &bytes))
		write_into(collector, format, bytes);
}

void
into_run(const struct choices *choices, struct account *account)
{
	struct collector collector = {
	    .stage = {.take = take, .end = end}, .choices = choices, .account = account};
	struct tombstone tombstone;

	if (choices->output != NULL)
		result_open(
		    &collector.result, choices->output, (char *[]){(char *)choices->into, NULL}, 1);
	tombstone_init(&tombstone, false);
	run_chain(account->run, (struct stage *[]){&tombstone.stage, &collector.stage, NULL});
	if (collector.place.path != NULL)
		into_place_close(&collector.place);
	tombstone_free(&tombstone);
	arena_free(&collector.arena);
	buf_free(&collector.texts);
	buf_free(&collector.file);
	buf_free(&collector.unfolded);
}
