#include "data/archive/restore.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/archive/undo_search.h"
#include "data/session/session_builder.h"

/* Memory for writing a record: its text, and the text of the next older record. */
struct restore_state {
	struct undo undo;
	struct buf text, older, raw;
};

/* A record that is not there in the archive is asked for by the pass, and again by the key in the
 * message that took its place. */
static void
note(struct restore *restore, const struct archive_key *key, enum restore_fault fault)
{
	uint32_t count = restore->finding_count;

	if (fault_is_set(restore->held.stage.fault) ||
	    (count > 0 && archive_key_eq(&restore->finding[count - 1].key, key)))
		return;
	LIST_ADD(restore->finding, restore->finding_count, restore->finding_cap,
	    (struct restore_finding){.key = *key, .fault = fault});
}

/* Reads the text of the line, or of the newest one under it that there is. Returns the number of
 * that line, or NONE when there is none. */
static uint32_t
read_line(struct restore *restore, struct restore_state *state, uint32_t number)
{
	const struct undo_line *line = NULL;

	for (; number != NONE; number = line->under) {
		line = &state->undo.all[number];
		if (line->entry != NONE ||
		    (line->item != NONE &&
			archive_index_load(restore->passes->index, line->item, &state->text)))
			break;
		note(restore, &line->key, line->item == NONE ? RESTORE_MISSING : RESTORE_DAMAGED);
	}
	return number;
}

/* Puts the original record in place of the message, and so on, while the records have keys. Returns
 * the last one; text is the text of the message. */
static struct str
follow(
    struct restore *restore, struct restore_state *state, struct message *message, struct str text)
{
	struct archive_key key;

	while (archive_key_of_message(message, &key)) {
		uint32_t item = archive_index_find(restore->passes->index, &key);
		struct buf swap = state->text;

		if (item == NONE) {
			note(restore, &key, RESTORE_MISSING);
			break;
		}
		if (restore->passes->index->item[item].kind != ARCHIVE_RECORD) {
			note(restore, &key, RESTORE_UNPLACED);
			break;
		}
		if (!archive_index_load(restore->passes->index, item, &state->older)) {
			note(restore, &key, RESTORE_DAMAGED);
			break;
		}
		state->text = state->older;
		state->older = swap;
		text = buf_str(&state->text);
		message_parse(message, text);
	}
	return text;
}

/* Emits a record. Before all sessions, each record gets a place of its own, so that it returns to
 * its old place. */
static void
emit(struct restore *restore, struct record *record)
{
	if (restore->is_ahead)
		record->line.place = ++restore->places;
	stage_emit(&restore->held.stage, record);
}

/* Writes a line of the stream with its pieces, as they came but for the line end. */
static void
emit_entry(struct restore *restore, const struct undo_line *line)
{
	const struct session *t = &restore->held.session;
	uint32_t i = line->entry;

	do {
		struct record record;

		held_record(&restore->held, i, &record);
		if (line->end.len < t->entry[i].after)
			record.line.raw.len -= t->entry[i].after - line->end.len;
		emit(restore, &record);
		i++;
	} while (i < t->count && t->entry[i].is_continued);
}

/* The place of the record of the stream that took the place of the line, or 0: it was dropped. */
static uint64_t
find_place(const struct restore *restore, const struct undo *undo, const struct undo_line *line)
{
	while (line->entry == NONE && line->under != NONE)
		line = &undo->all[line->under];
	return line->entry != NONE ? restore->held.session.entry[line->entry].place : 0;
}

static void
emit_text(struct restore *restore, struct restore_state *state, const struct undo_line *line,
    struct str text, const struct message *message)
{
	struct str bom = line->has_bom ? STR("\xef\xbb\xbf") : STR("");
	struct record record = {.kind = message->kind, .state = RECORD_CHANGED};

	restore->has_restored = true;
	buf_set(&state->raw, bom);
	buf_add_str(&state->raw, text);
	buf_add_str(&state->raw, line->end);
	buf_pad(&state->raw);
	record.line.raw = buf_str(&state->raw);
	record.line.text = str_of(state->raw.ptr + bom.len, text.len);
	record.line.place = find_place(restore, &state->undo, line);
	emit(restore, &record);
}

static void
emit_line(struct restore *restore, struct restore_state *state, uint32_t number)
{
	const struct undo_line *line;
	struct message message = {.kind = RECORD_BAD};
	struct str text, last;

	number = read_line(restore, state, number);
	if (number == NONE)
		return;
	line = &state->undo.all[number];
	text = line->entry == NONE ? buf_str(&state->text) :
				     entry_text(&restore->held.session.entry[line->entry]);
	if (line->entry == NONE || restore->held.session.entry[line->entry].kind == RECORD_MESSAGE)
		message_parse(&message, text);
	last = restore->is_ahead ? text : follow(restore, state, &message, text);
	if (line->entry != NONE && last.ptr == text.ptr)
		emit_entry(restore, line);
	else
		emit_text(restore, state, line, last, &message);
}

static int
compare_items(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Names the passes that are damaged, and those that fitted as well as one that was undone. */
static void
note_passes(struct restore *restore)
{
	const struct archive_index_item *item = restore->passes->index->item;
	uint32_t count = restore->noted_end - restore->noted;
	uint32_t *noted;

	if (count == 0) /* an archive without passes is in no list */
		return;
	noted = restore->passes->noted + restore->noted;
	qsort(noted, count, sizeof *noted, compare_items);
	for (uint32_t i = 0; i < count; i++)
		if (restore->passes->mark[noted[i]].is_damaged)
			note(restore, &item[noted[i]].key, RESTORE_DAMAGED);
	for (uint32_t i = 0; i < count; i++) {
		const struct candidate_mark *mark = &restore->passes->mark[noted[i]];

		if (mark->is_done || mark->instead == NONE)
			continue;
		note(restore, &item[noted[i]].key, RESTORE_DOUBTFUL);
		if (!fault_is_set(restore->held.stage.fault))
			restore->finding[restore->finding_count - 1].other =
			    item[mark->instead].key;
	}
}

static void
end(struct stage *stage)
{
	struct restore *restore = (struct restore *)stage;
	struct restore_state state = {.text = BUF_INIT};

	session_end(&restore->held.session);
	undo_open(&state.undo, &restore->held.session, restore->passes);
	if (restore->is_ahead)
		state.undo.whole = &restore->whole;
	restore->noted = restore->passes->noted_count;
	undo_search_run(&state.undo);
	restore->noted_end = restore->passes->noted_count;
	restore->undone = state.undo.undone;
	if (!restore->is_ahead)
		note_passes(restore);
	for (uint32_t i = 0; i < state.undo.count && !fault_is_set(stage->fault); i++)
		emit_line(restore, &state, state.undo.line[i]);
	undo_close(&state.undo);
	buf_free(&state.text);
	buf_free(&state.older);
	buf_free(&state.raw);
}

/* Takes a record that the stage before all sessions may have restored. */
static void
take(struct stage *stage, struct record *record)
{
	struct session *t = &((struct restore *)stage)->held.session;
	bool is_changed = record->state == RECORD_CHANGED;

	held_take(stage, record);
	t->entry[t->count - 1].is_changed = is_changed;
}

void
restore_init(struct restore *restore, struct candidates *passes)
{
	*restore = (struct restore){.passes = passes};
	held_init(&restore->held, end);
	restore->held.stage.take = take;
}

void
restore_init_ahead(struct restore *restore, struct candidates *passes,
    const struct session_key *key, bool is_sorted)
{
	restore_init(restore, passes);
	restore->is_ahead = true;
	restore->whole = (struct undo_whole){key, is_sorted};
}

void
restore_end_ahead(struct restore *restore)
{
	note_passes(restore);
}

void
restore_free(struct restore *restore)
{
	free(restore->finding);
	held_free(&restore->held);
}
