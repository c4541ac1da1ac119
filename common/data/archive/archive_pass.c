#include "data/archive/archive_pass.h"

#include "data/archive/archive_edits.h"
#include "data/change.h"
#include "data/message/metadata.h"

/* Writes the id of the pass to the message that the change made. */
static void
mark_message(struct archive_edits *edits, uint32_t number, struct str text)
{
	struct metadata_member member = {METADATA_PASS, str_of(edits->id, sizeof edits->id)};
	struct buf marked = BUF_INIT;
	struct message message;
	struct json_edit edit;

	message_parse(&message, text);
	if (message.kind != RECORD_MESSAGE)
		return;
	json_edit_init(&edit, text);
	if (metadata_set(&edit, &message, &member, 1)) {
		json_edit_write(&edit, &marked);
		change_note(edits->session, number, buf_str(&marked));
	}
	json_edit_free(&edit);
	buf_free(&marked);
}

static void
mark_added(struct archive_edits *edits, uint32_t number)
{
	const struct change *added = &edits->session->change[number];

	mark_message(edits, number, str_of(added->raw, added->len));
}

static void
mark_entry(struct archive_edits *edits, uint32_t index)
{
	const struct entry *entry = &edits->session->entry[index];

	if (entry->change != NONE && !entry->is_dropped)
		mark_message(edits, entry->change, entry_text(entry));
}

/* Reads the changes in the order of the stream: gives one function the numbers of the changes that
 * added a record, and the other one the entries. A piece of a long line goes with the first one. */
static void
read_stream(struct archive_edits *edits,
    void (*take_added)(struct archive_edits *edits, uint32_t number),
    void (*take_entry)(struct archive_edits *edits, uint32_t index))
{
	const struct session *t = edits->session;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= t->count; i++) {
		while ((added = change_next_added(t, i, &next)) != NULL)
			take_added(edits, (uint32_t)(added - t->change));
		if (i == t->count || (edits->drops_bad && t->entry[i].kind == RECORD_BAD))
			continue;
		edits->is_open = t->entry[i].raw[t->entry[i].len - 1] != '\n';
		if (!t->entry[i].is_continued)
			take_entry(edits, i);
	}
}

static void
mark(struct archive_edits *edits)
{
	archive_edits_begin(edits);
	read_stream(edits, archive_edits_add, archive_edits_read);
	archive_edits_end(edits);
	read_stream(edits, mark_added, mark_entry);
}

void
archive_pass_mark(struct session *t, bool drops_bad)
{
	struct archive_edits edits = {.session = t, .drops_bad = drops_bad};

	mark(&edits);
	buf_free(&edits.text);
}

void
archive_pass_write(struct archive_pass *pass, bool drops_bad, struct output *out)
{
	struct session *t = pass->session;
	struct archive_edits edits = {.session = t, .out = out, .drops_bad = drops_bad};

	if (t->change_count == 0)
		return;
	mark(&edits);
	archive_chain_init(&edits.chain);
	read_stream(&edits, archive_edits_chain_added, archive_edits_chain_entry);
	for (uint32_t i = 0; i < t->list_count; i++) {
		struct archive_key key = archive_key_of(t->list[i]);

		archive_edits_put(out, &key, ARCHIVE_LIST, t->list[i]);
	}
	if (!pass->is_of_many)
		buf_add_str(&edits.sessions, STR("[]"));
	pass->key = archive_edits_write(&edits, out);
	buf_free(&edits.text);
	buf_free(&edits.sessions);
	map_free(&edits.written);
}
