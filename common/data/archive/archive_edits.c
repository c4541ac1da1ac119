#include "data/archive/archive_edits.h"

#include "base/text/utf8.h"
#include "data/change.h"
#include "data/session/session_calls.h"

enum { TARGET_SHOWN = 200 }; /* the most bytes of a target */

/* Whether the key is not yet written; it is from now on. */
static bool
is_new(struct archive_edits *edits, const struct archive_key *key)
{
	return map_set(&edits->written, archive_key_hash(key), 1) == MAP_NONE;
}

void
archive_edits_put(
    struct output *out, const struct archive_key *key, enum archive_kind kind, struct str text)
{
	struct buf head = BUF_INIT;

	buf_add_str(&head, ARCHIVE_ENTRY);
	archive_key_write(key, &head);
	buf_add_str(&head, STR("\",\""));
	buf_add_str(&head, archive_kind_name(kind));
	buf_add_str(&head, STR("\":"));
	output_copy(out, buf_str(&head));
	if (kind == ARCHIVE_RECORD)
		output_add(out, text);
	else
		output_copy(out, text);
	output_copy(out, STR("}\n"));
	buf_free(&head);
}

/* Writes the entry that describes the record: its tool, target, turn and time. */
static void
write_about(struct archive_edits *edits, uint32_t index, const struct entry *original,
    const struct archive_key *record)
{
	uint32_t number = session_call_of(edits->session, &edits->session->entry[index]);
	const struct call *call = number != NONE ? session_use(edits->session, number) : NULL;
	struct buf text = BUF_INIT;
	struct archive_key key;
	struct message message;
	struct json_writer w;

	entry_parse(original, &message);
	json_begin(&w, &text, '{');
	archive_key_put(&w, STR("record"), record);
	if (call != NULL && call->name.len > 0)
		json_member_string(&w, STR("tool"), call->name);
	if (call != NULL && call->use.target.len > 0)
		json_member_string(&w, STR("target"), utf8_start(call->use.target, TARGET_SHOWN));
	json_member_integer(&w, STR("turn"), edits->session->entry[index].turn);
	json_member_value(&w, STR("time"), message.meta[METADATA_TIMESTAMP]);
	json_close(&w);
	key = archive_key_of(buf_str(&text));
	if (is_new(edits, &key))
		archive_edits_put(edits->out, &key, ARCHIVE_ABOUT, buf_str(&text));
	buf_free(&text);
}

/* Writes the original record of the entry and its origin, unless equal ones were written. */
static struct archive_key
write_original(struct archive_edits *edits, uint32_t index)
{
	struct entry original = change_original(edits->session, index);
	struct archive_key key = archive_key_of(entry_text(&original));

	if (edits->out == NULL)
		return key;
	if (is_new(edits, &key))
		archive_edits_put(edits->out, &key, ARCHIVE_RECORD, entry_text(&original));
	if (original.kind == RECORD_MESSAGE)
		write_about(edits, index, &original, &key);
	return key;
}

/* Begins an edit at the place after the lines of the output so far. */
static void
open_edit(struct archive_edits *edits)
{
	json_open(&edits->writer, '{');
	json_member_integer(&edits->writer, STR("at"), (int64_t)edits->lines);
}

static void
put_edit(struct archive_edits *edits, struct str name, const struct archive_key *key)
{
	open_edit(edits);
	archive_key_put(&edits->writer, name, key);
	json_close(&edits->writer);
}

static void
put_true(struct archive_edits *edits, struct str name)
{
	open_edit(edits);
	json_member_bool(&edits->writer, name, true);
	json_close(&edits->writer);
}

/* Puts a removed record. */
static void
put_gone(struct archive_edits *edits, uint32_t index)
{
	const struct entry *entry = &edits->session->entry[index];
	struct str end = str_of(entry->raw + entry->len - entry->after, entry->after);
	struct archive_key key = write_original(edits, index);

	open_edit(edits);
	archive_key_put(&edits->writer, STR("gone"), &key);
	if (!str_eq(end, STR("\n")))
		json_member_string(&edits->writer, STR("end"), end);
	if (entry->before > 0)
		json_member_bool(&edits->writer, STR("bom"), true);
	if (entry->kind == RECORD_BUDGET)
		json_member_bool(&edits->writer, STR("budget"), true);
	json_close(&edits->writer);
}

/* The key of the record that an added change has written. Returns whether that is a budget
 * record. */
static bool
read_added(const struct archive_edits *edits, uint32_t number, struct archive_key *key)
{
	const struct change *added = &edits->session->change[number];
	struct str text = str_of(added->raw, added->len);
	struct message message;

	*key = archive_key_of(text);
	message_parse(&message, text);
	return message.kind == RECORD_BUDGET;
}

void
archive_edits_add(struct archive_edits *edits, uint32_t number)
{
	struct archive_key key;

	if (read_added(edits, number, &key)) {
		put_edit(edits, STR("wrote"), &key);
	} else {
		put_true(edits, STR("new"));
		edits->lines++;
	}
}

void
archive_edits_read(struct archive_edits *edits, uint32_t index)
{
	const struct session *t = edits->session;
	const struct entry *entry = &t->entry[index];
	bool is_changed = change_of(t, index) != NULL;
	struct archive_key key;

	if (entry->is_dropped || (is_changed && entry->kind == RECORD_BUDGET))
		put_gone(edits, index);
	if (entry->is_dropped)
		return;
	if (entry->kind == RECORD_BUDGET) {
		key = archive_line_key(t, index);
		put_edit(edits, is_changed ? STR("wrote") : STR("kept"), &key);
		return;
	}
	if (is_changed) {
		key = write_original(edits, index);
		put_edit(edits, STR("was"), &key);
	}
	edits->lines++;
}

void
archive_edits_chain_added(struct archive_edits *edits, uint32_t number)
{
	struct archive_key key;

	if (read_added(edits, number, &key))
		archive_chain_add_budget(&edits->chain, &key);
	else
		archive_chain_add(&edits->chain, &key, STR("\n"));
}

void
archive_edits_chain_entry(struct archive_edits *edits, uint32_t index)
{
	const struct session *t = edits->session;
	struct archive_key key;

	if (t->entry[index].is_dropped)
		return;
	key = archive_line_key(t, index);
	if (t->entry[index].kind == RECORD_BUDGET)
		archive_chain_add_budget(&edits->chain, &key);
	else
		archive_chain_add(&edits->chain, &key, archive_line_end(t, index));
}

/* Sets the id to the first digits of the hash of the edits, as a JSON string. */
static void
set_id(struct archive_edits *edits)
{
	struct archive_key key = archive_key_of(buf_str(&edits->text));
	struct buf hex = BUF_INIT;

	archive_key_write(&key, &hex);
	edits->id[0] = edits->id[sizeof edits->id - 1] = '"';
	memcpy(edits->id + 1, hex.ptr, ARCHIVE_KEY_SHORT);
	buf_free(&hex);
}

void
archive_edits_begin(struct archive_edits *edits)
{
	json_begin(&edits->writer, &edits->text, '[');
}

void
archive_edits_end(struct archive_edits *edits)
{
	if (edits->is_open)
		put_true(edits, STR("open"));
	json_close(&edits->writer);
	set_id(edits);
}

struct archive_key
archive_edits_write(const struct archive_edits *edits, struct output *out)
{
	struct archive_key key = archive_chain_key(&edits->chain);
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &text, '{');
	archive_key_put(&w, STR("stream"), &key);
	json_member_raw(&w, STR("id"), str_of(edits->id, sizeof edits->id));
	json_member_raw(&w, STR("edits"), buf_str(&edits->text));
	if (edits->sessions.len > 0)
		json_member_raw(&w, STR("sessions"), buf_str(&edits->sessions));
	json_close(&w);
	key = archive_key_of(buf_str(&text));
	archive_edits_put(out, &key, ARCHIVE_PASS, buf_str(&text));
	buf_free(&text);
	return key;
}
