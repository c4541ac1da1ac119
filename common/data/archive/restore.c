#include "data/archive/restore.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/archive/undo_search.h"

/* The records that are written: the text of the one at hand, and that of the next older one. */
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
	LIST_ROOM(restore->finding, restore->finding_count, restore->finding_cap);
	restore->finding[restore->finding_count++] =
	    (struct restore_finding){.key = *key, .fault = fault};
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
			archive_index_load(restore->index, line->item, &state->text)))
			break;
		note(restore, &line->key, line->item == NONE ? RESTORE_MISSING : RESTORE_DAMAGED);
	}
	return number;
}

/* Puts the record that the message was in its place, and so on, as long as messages have keys.
 * Returns the last one; text is that of the message. */
static struct str
follow(
    struct restore *restore, struct restore_state *state, struct message *message, struct str text)
{
	struct archive_key key;

	while (archive_key_of_message(message, &key)) {
		uint32_t item = archive_index_find(restore->index, &key);
		struct buf swap = state->text;

		if (item == NONE) {
			note(restore, &key, RESTORE_MISSING);
			break;
		}
		if (restore->index->item[item].kind != ARCHIVE_RECORD) {
			note(restore, &key, RESTORE_UNPLACED);
			break;
		}
		if (!archive_index_load(restore->index, item, &state->older)) {
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

/* Writes a line of the stream with its pieces, as they came but for the line end. */
static void
emit_entry(struct restore *restore, const struct undo_line *line)
{
	const struct session *t = &restore->held.session;
	uint32_t i = line->entry;

	do {
		const struct entry *entry = &t->entry[i];
		struct record record = {.kind = (enum record_kind)entry->kind,
		    .line = {.raw = str_of(entry->raw, entry->len),
			.text = entry_text(entry),
			.number = i + 1,
			.continued = entry->is_continued}};

		if (line->end.len < entry->after)
			record.line.raw.len -= entry->after - line->end.len;
		stage_emit(&restore->held.stage, &record);
		i++;
	} while (i < t->count && t->entry[i].is_continued);
}

static void
emit_text(struct restore *restore, struct restore_state *state, const struct undo_line *line,
    struct str text, const struct message *message)
{
	struct str bom = line->has_bom ? STR("\xef\xbb\xbf") : STR("");
	struct record record = {.kind = message->kind, .state = RECORD_CHANGED};

	buf_reset(&state->raw);
	buf_add_str(&state->raw, bom);
	buf_add_str(&state->raw, text);
	buf_add_str(&state->raw, line->end);
	record.line.raw = buf_str(&state->raw);
	record.line.text = str_of(state->raw.ptr + bom.len, text.len);
	stage_emit(&restore->held.stage, &record);
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
	last = follow(restore, state, &message, text);
	if (line->entry != NONE && last.ptr == text.ptr)
		emit_entry(restore, line);
	else
		emit_text(restore, state, line, last, &message);
}

/* Names the passes that are damaged, and those that fitted as well as one that was undone. */
static void
note_passes(struct restore *restore, const struct undo *undo)
{
	const struct archive_index_item *item = restore->index->item;

	for (uint32_t i = 0; i < restore->index->count; i++)
		if (undo->mark[i].is_damaged)
			note(restore, &item[i].key, RESTORE_DAMAGED);
	for (uint32_t i = 0; i < restore->index->count; i++) {
		const struct undo_mark *mark = &undo->mark[i];

		if (mark->is_done || mark->instead == NONE)
			continue;
		note(restore, &item[i].key, RESTORE_DOUBTFUL);
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
	undo_open(&state.undo, &restore->held.session, restore->index);
	undo_search_run(&state.undo);
	restore->passes = state.undo.passes;
	note_passes(restore, &state.undo);
	for (uint32_t i = 0; i < state.undo.count && !fault_is_set(stage->fault); i++)
		emit_line(restore, &state, state.undo.line[i]);
	undo_close(&state.undo);
	buf_free(&state.text);
	buf_free(&state.older);
	buf_free(&state.raw);
}

void
restore_init(struct restore *restore, const struct archive_index *index)
{
	*restore = (struct restore){.index = index};
	held_init(&restore->held, end);
}

void
restore_free(struct restore *restore)
{
	free(restore->finding);
	held_free(&restore->held);
}
