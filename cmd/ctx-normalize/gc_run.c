#include "gc_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "data/archive/archive_edits.h"
#include "dialects/gc/gc.h"
#include "into_place.h"
#include "stream/file/append.h"
#include "writer_lock.h"

struct gone {
	uint64_t count, bytes;
};

struct sweep {
	struct stage stage;
	const struct choices *choices;
	struct run *run;
	const struct dialect *dialect; /* of the file; NULL: not yet known */
	struct gc gc;
	int64_t newest; /* time of a record, ms since 1970; -1: none has one */
	size_t lines;   /* of the first pass */
	struct gone gone[GC_CAUSES];
	struct gone copies;
	uint64_t kept, changed; /* records */
	struct append append;   /* to the archive */
	struct archive_list list;
	struct json_edit edit; /* of the record that is taken */
};

/* Reads all lines of the file; or, if take is to find the dialect, until the dialect is known. */
static void
read_lines(struct sweep *sweep, void (*take)(struct sweep *sweep, const struct line *line),
    bool until_told)
{
	struct run *run = sweep->run;
	struct input in;
	struct line line;
	uint64_t size;

	input_init(&in, run->source.in.operand, 1, &run->fault);
	in.line_max = run->source.in.line_max;
	if (run->file != NULL)
		in.lent = run->file->fd;
	else if (!fault_is_set(&run->fault) && !input_is_of_files(&in, &size))
		fault_set(&run->fault, STATUS_USAGE,
		    "--gc reads %s twice, but it is not a regular file", in.operand[0]);
	while (!fault_is_set(&run->fault) && !(until_told && sweep->dialect != NULL) &&
	    input_fill(&in))
		while (!(until_told && sweep->dialect != NULL) && input_next(&in, &line))
			take(sweep, &line);
	input_free(&in);
	if (run->file != NULL && lseek(run->file->fd, 0, SEEK_SET) != 0)
		fault_set_error(&run->fault, STATUS_IO, "cannot read '%s' again", run->file->path);
}

static void
tell(struct sweep *sweep, const struct line *line)
{
	struct message message;

	if (line->more || line->continued)
		return;
	message_parse(&message, line->text);
	if (message.kind != RECORD_BAD && message.kind != RECORD_BLANK)
		sweep->dialect = dialect_detect(message.value);
}

static void
learn(struct sweep *sweep, const struct line *line)
{
	if (sweep->run->file != NULL) {
		int64_t time = into_place_time(line->text);

		sweep->newest = time > sweep->newest ? time : sweep->newest;
	}
	sweep->lines = line->number;
	gc_take(&sweep->gc, line);
}

/* The form of the file's dialect; or NULL, with the fault set. */
static const struct gc_form *
find_form(struct sweep *sweep)
{
	struct fault *fault = &sweep->run->fault;
	const char *path = sweep->run->source.in.operand[0];
	const struct gc_form *form;

	if (choices_is_told(sweep->choices))
		sweep->dialect = sweep->choices->reader;
	else
		read_lines(sweep, tell, true);
	form = sweep->dialect != NULL ? gc_form_of(sweep->dialect) : NULL;
	if (form == NULL && !fault_is_set(fault))
		fault_set(fault, STATUS_USAGE, "--gc: %s is a file of %s, expected one of %s", path,
		    sweep->dialect != NULL ? sweep->dialect->name : "another format",
		    GC_FORM_NAMES);
	return form;
}

static void
archive(struct sweep *sweep, struct str text)
{
	struct archive_key key;

	if (sweep->run->options->archive == NULL)
		return;
	key = archive_key_of(text);
	archive_edits_put(&sweep->append.out, &key, ARCHIVE_RECORD, text);
	output_flush(&sweep->append.out);
	archive_list_add(&sweep->list, &key);
}

static void
note(struct gone *gone, uint64_t bytes)
{
	gone->count++;
	gone->bytes += bytes;
}

/* The second pass. */
static void
take(struct stage *stage, struct record *record)
{
	struct sweep *sweep = (struct sweep *)stage;
	bool is_record = record->kind != RECORD_BAD && record->kind != RECORD_BLANK;
	enum gc_cause cause = gc_cause_of(&sweep->gc, record->line.number);
	struct message read;
	uint64_t copies = 0;

	if (is_record && record->line.number > sweep->lines) {
		fault_set(&sweep->run->fault, STATUS_LATER, "%s has grown meanwhile; try again",
		    record->line.file);
		return;
	}
	if (is_record && cause != GC_STAYS) {
		gc_drop(&sweep->gc, record->line.number, record_message(record, &read)->value);
		archive(sweep, record->line.text);
		note(&sweep->gone[cause], record->line.raw.len);
		return;
	}
	json_edit_init(&sweep->edit, record->line.text);
	if (is_record)
		gc_edit(&sweep->gc, record->line.number, record_message(record, &read)->value,
		    &sweep->edit, &copies);
	if (sweep->edit.count > 0) {
		record->edit = &sweep->edit;
		record->state = RECORD_CHANGED;
		sweep->changed++;
	}
	sweep->kept += is_record;
	if (copies > 0) {
		archive(sweep, record->line.text);
		note(&sweep->copies, copies);
	}
	stage_emit(stage, record);
	json_edit_free(&sweep->edit);
}

static void
say_one(struct sweep *sweep, const char *name, const struct gone *gone)
{
	struct run *run = sweep->run;

	if (gone->count == 0)
		return;
	buf_add_fmt(&run->said, "; %s: %ju gone, %ju bytes", name, (uintmax_t)gone->count,
	    (uintmax_t)gone->bytes);
	json_member_open(&run->members, str_from(name), '{');
	json_member_integer(&run->members, STR("records"), (int64_t)gone->count);
	json_member_integer(&run->members, STR("bytes"), (int64_t)gone->bytes);
	json_close(&run->members);
}

/* Writes how much was taken out, for -v and the report. */
static void
say(struct sweep *sweep)
{
	struct run *run = sweep->run;

	run->has_no_messages = true;
	buf_add_fmt(&run->said, " in, %ju out, %ju changed", (uintmax_t)sweep->kept,
	    (uintmax_t)sweep->changed);
	json_member_open(&run->members, STR("gone"), '{');
	for (enum gc_cause cause = GC_BRANCH; cause < GC_CAUSES; cause++)
		say_one(sweep, gc_cause_name(&sweep->gc, cause), &sweep->gone[cause]);
	say_one(sweep, "copies of results", &sweep->copies);
	json_close(&run->members);
	if (sweep->gc.missed > 0)
		diag_warn("records with messages that %s does not load: %ju%s; ctx-normalize "
			  "--check --from %s %s says why",
		    sweep->dialect->name, (uintmax_t)sweep->gc.missed,
		    sweep->dialect->load->chain != NULL ? ", so the conversation stays whole" : "",
		    sweep->dialect->name, run->source.in.operand[0]);
}

/* Ends the archive, which lists all records that were taken out. */
static void
end_archive(struct sweep *sweep)
{
	struct archive_key key;

	if (sweep->list.text.len > 0) {
		key = archive_list_key(&sweep->list);
		buf_add_char(&sweep->list.text, ']');
		archive_edits_put(
		    &sweep->append.out, &key, ARCHIVE_LIST, buf_str(&sweep->list.text));
		buf_add_str(&sweep->run->said, STR("; in the archive: "));
		archive_key_write(&key, &sweep->run->said);
	}
	append_close(&sweep->append);
	archive_list_free(&sweep->list);
}

static void
write_swept(struct sweep *sweep)
{
	struct run *run = sweep->run;

	if (fault_is_set(&run->fault) ||
	    (run->options->archive != NULL &&
		!append_open(&sweep->append, run->options->archive, &run->fault)))
		return;
	run_chain(run, (struct stage *[]){&sweep->stage, NULL});
	say(sweep);
	if (run->options->archive != NULL)
		end_archive(sweep);
}

/* Locks the session of a file that is replaced, so that Codex does not open it. Returns the lock,
 * or -1. */
static int
take_lock(struct run *run)
{
	char *path = strdup(run->source.in.operand[0]);
	const char *name, *folder = file_split(path, &name);
	int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), lock = -1;

	if (directory >= 0) {
		writer_lock_take(directory, name, &lock, &run->fault);
		close(directory);
	}
	free(path);
	return lock;
}

void
gc_run(const struct choices *choices, struct account *account)
{
	struct run *run = account->run;
	struct sweep sweep = {.stage = {.take = take, .end = stage_pass_end},
	    .choices = choices,
	    .run = run,
	    .newest = -1};
	int lock = run->file != NULL && !fault_is_set(&run->fault) ? take_lock(run) : -1;
	const struct gc_form *form = fault_is_set(&run->fault) ? NULL : find_form(&sweep);

	run->source.values.is_used = false;
	run->source.any_dialect = true;
	if (form != NULL) {
		gc_init(&sweep.gc, form, &run->fault);
		read_lines(&sweep, learn, false);
		gc_end(&sweep.gc);
		if (!fault_is_set(&run->fault) &&
		    into_place_may_write(sweep.newest, run->options->in_place.min_age, &run->fault))
			write_swept(&sweep);
		gc_free(&sweep.gc);
	}
	if (lock >= 0)
		close(lock);
}
