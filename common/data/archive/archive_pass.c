#include "data/archive/archive_pass.h"

#include "base/text/utf8.h"
#include "data/change.h"
#include "data/message/metadata.h"
#include "json/write.h"

struct pass {
	struct session *session;
	struct output *out; /* NULL: nothing is written */
	bool drops_bad;
	struct map written; /* the keys of entries that were written */
	struct buf edits;
	struct json_writer edit;
	struct archive_chain chain;     /* of the output */
	char id[ARCHIVE_KEY_SHORT + 2]; /* as a JSON string */
	bool is_open;                   /* the last line of the input has no line end */
	uint64_t lines;                 /* of the output, but for budget records */
};

/* Whether the key is not yet written; it is from now on. */
static bool
is_new(struct pass *pass, const struct archive_key *key)
{
	struct str bytes = str_of((const char *)key->byte, ARCHIVE_KEY_BYTES);

	return map_set(&pass->written, hash_bytes(bytes, hash_seed(HASH_ARCHIVE)), 1) == MAP_NONE;
}

static void
write_entry(
    struct output *out, const struct archive_key *key, enum archive_kind kind, struct str text)
{
	struct buf head = BUF_INIT;

	buf_add_str(&head, STR("{\"key\":\""));
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

static void
put_key(struct json_writer *w, struct str name, const struct archive_key *key)
{
	struct buf hex = BUF_INIT;

	archive_key_write(key, &hex);
	json_member_string(w, name, buf_str(&hex));
	buf_free(&hex);
}

/* The call that the message answers, or the first one that it makes; or NULL. */
static const struct call *
call_of(struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	if (entry->call != NONE)
		return session_use(t, entry->call);
	return entry->has_calls && entry->group != NONE && t->group[entry->group].calls > 0 ?
	    session_use(t, t->group[entry->group].first_call) :
	    NULL;
}

static struct str
cut(struct str target)
{
	enum { TARGET_SHOWN = 200 };

	return target.len <= TARGET_SHOWN ? target :
					    str_of(target.ptr, utf8_floor(target, TARGET_SHOWN));
}

/* Writes whose record the message was. */
static void
write_about(struct pass *pass, uint32_t index, const struct entry *original,
    const struct archive_key *record)
{
	const struct call *call = call_of(pass->session, index);
	struct buf text = BUF_INIT;
	struct archive_key key;
	struct message message;
	struct json_writer w;

	entry_parse(original, &message);
	json_writer_init(&w, &text);
	json_open(&w, '{');
	put_key(&w, STR("record"), record);
	if (call != NULL && call->name.len > 0)
		json_member_string(&w, STR("tool"), call->name);
	if (call != NULL && call->use.target.len > 0)
		json_member_string(&w, STR("target"), cut(call->use.target));
	json_member_integer(&w, STR("turn"), pass->session->entry[index].turn);
	json_member_value(&w, STR("time"), message.meta[METADATA_TIMESTAMP]);
	json_close(&w);
	key = archive_key_of(buf_str(&text));
	if (is_new(pass, &key))
		write_entry(pass->out, &key, ARCHIVE_ABOUT, buf_str(&text));
	buf_free(&text);
}

/* Writes the record that the entry was, unless an equal one was written, and whose it was, unless
 * that was written. */
static struct archive_key
write_original(struct pass *pass, uint32_t index)
{
	struct entry original = change_original(pass->session, index);
	struct archive_key key = archive_key_of(entry_text(&original));

	if (pass->out == NULL)
		return key;
	if (is_new(pass, &key))
		write_entry(pass->out, &key, ARCHIVE_RECORD, entry_text(&original));
	if (original.kind == RECORD_MESSAGE)
		write_about(pass, index, &original, &key);
	return key;
}

/* Begins an edit of the place behind the lines of the output by now. */
static void
open_edit(struct pass *pass)
{
	json_open(&pass->edit, '{');
	json_member_integer(&pass->edit, STR("at"), (int64_t)pass->lines);
}

static void
put_edit(struct pass *pass, struct str name, const struct archive_key *key)
{
	open_edit(pass);
	put_key(&pass->edit, name, key);
	json_close(&pass->edit);
}

static void
put_true(struct pass *pass, struct str name)
{
	open_edit(pass);
	json_member_bool(&pass->edit, name, true);
	json_close(&pass->edit);
}

/* Puts a record that is no more there. */
static void
put_gone(struct pass *pass, uint32_t index)
{
	const struct entry *entry = &pass->session->entry[index];
	struct str end = str_of(entry->raw + entry->len - entry->after, entry->after);
	struct archive_key key = write_original(pass, index);

	open_edit(pass);
	put_key(&pass->edit, STR("gone"), &key);
	if (!str_eq(end, STR("\n")))
		json_member_string(&pass->edit, STR("end"), end);
	if (entry->before > 0)
		json_member_bool(&pass->edit, STR("bom"), true);
	if (entry->kind == RECORD_BUDGET)
		json_member_bool(&pass->edit, STR("budget"), true);
	json_close(&pass->edit);
}

static bool
is_budget(struct str text)
{
	struct message message;

	message_parse(&message, text);
	return message.kind == RECORD_BUDGET;
}

static void
edit_added(struct pass *pass, uint32_t number)
{
	const struct change *added = &pass->session->change[number];
	struct str text = str_of(added->raw, added->len);
	struct archive_key key = archive_key_of(text);

	if (is_budget(text)) {
		put_edit(pass, STR("wrote"), &key);
	} else {
		put_true(pass, STR("new"));
		pass->lines++;
	}
}

static void
edit_entry(struct pass *pass, uint32_t index)
{
	const struct session *t = pass->session;
	const struct entry *entry = &t->entry[index];
	bool is_changed = change_of(t, index) != NULL;
	struct archive_key key;

	if (entry->is_dropped || (is_changed && entry->kind == RECORD_BUDGET))
		put_gone(pass, index);
	if (entry->is_dropped)
		return;
	if (entry->kind == RECORD_BUDGET) {
		key = archive_line_key(t, index);
		put_edit(pass, is_changed ? STR("wrote") : STR("kept"), &key);
		return;
	}
	if (is_changed) {
		key = write_original(pass, index);
		put_edit(pass, STR("was"), &key);
	}
	pass->lines++;
}

/* Gives the message that the change made the id of the pass. */
static void
mark_message(struct pass *pass, uint32_t number, struct str text)
{
	struct metadata_member member = {METADATA_PASS, str_of(pass->id, sizeof pass->id)};
	struct buf marked = BUF_INIT;
	struct message message;
	struct json_edit edit;

	message_parse(&message, text);
	if (message.kind != RECORD_MESSAGE)
		return;
	json_edit_init(&edit, text);
	if (metadata_set(&edit, &message, &member, 1)) {
		json_edit_write(&edit, &marked);
		change_note(pass->session, number, buf_str(&marked));
	}
	json_edit_free(&edit);
	buf_free(&marked);
}

static void
mark_added(struct pass *pass, uint32_t number)
{
	const struct change *added = &pass->session->change[number];

	mark_message(pass, number, str_of(added->raw, added->len));
}

static void
mark_entry(struct pass *pass, uint32_t index)
{
	const struct entry *entry = &pass->session->entry[index];

	if (entry->change != NONE && !entry->is_dropped)
		mark_message(pass, entry->change, entry_text(entry));
}

static void
chain_added(struct pass *pass, uint32_t number)
{
	const struct change *added = &pass->session->change[number];
	struct str text = str_of(added->raw, added->len);
	struct archive_key key = archive_key_of(text);

	if (is_budget(text))
		archive_chain_add_budget(&pass->chain, &key);
	else
		archive_chain_add(&pass->chain, &key, STR("\n"));
}

static void
chain_entry(struct pass *pass, uint32_t index)
{
	const struct session *t = pass->session;
	struct archive_key key;

	if (t->entry[index].is_dropped)
		return;
	key = archive_line_key(t, index);
	if (t->entry[index].kind == RECORD_BUDGET)
		archive_chain_add_budget(&pass->chain, &key);
	else
		archive_chain_add(&pass->chain, &key, archive_line_end(t, index));
}

/* Reads the changes in the order of the stream: gives one function the numbers of the changes that
 * added a record, and the other one the entries. A piece of a long line goes with the first one. */
static void
read_stream(struct pass *pass, void (*take_added)(struct pass *pass, uint32_t number),
    void (*take_entry)(struct pass *pass, uint32_t index))
{
	const struct session *t = pass->session;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= t->count; i++) {
		while ((added = change_next_added(t, i, &next)) != NULL)
			take_added(pass, (uint32_t)(added - t->change));
		if (i == t->count || (pass->drops_bad && t->entry[i].kind == RECORD_BAD))
			continue;
		pass->is_open = t->entry[i].raw[t->entry[i].len - 1] != '\n';
		if (!t->entry[i].is_continued)
			take_entry(pass, i);
	}
}

/* Sets the id to the first digits of the hash of the edits, as a JSON string. */
static void
set_id(struct pass *pass)
{
	struct archive_key key = archive_key_of(buf_str(&pass->edits));
	struct buf hex = BUF_INIT;

	archive_key_write(&key, &hex);
	pass->id[0] = pass->id[sizeof pass->id - 1] = '"';
	memcpy(pass->id + 1, hex.ptr, ARCHIVE_KEY_SHORT);
	buf_free(&hex);
}

/* The edits as JSON, and the id of the pass. */
static void
write_edits(struct pass *pass)
{
	json_writer_init(&pass->edit, &pass->edits);
	json_open(&pass->edit, '[');
	read_stream(pass, edit_added, edit_entry);
	if (pass->is_open)
		put_true(pass, STR("open"));
	json_close(&pass->edit);
	set_id(pass);
}

static void
write_pass(struct pass *pass)
{
	struct archive_key key = archive_chain_key(&pass->chain);
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_writer_init(&w, &text);
	json_open(&w, '{');
	put_key(&w, STR("stream"), &key);
	json_member_raw(&w, STR("id"), str_of(pass->id, sizeof pass->id));
	json_member_raw(&w, STR("edits"), buf_str(&pass->edits));
	json_close(&w);
	key = archive_key_of(buf_str(&text));
	write_entry(pass->out, &key, ARCHIVE_PASS, buf_str(&text));
	buf_free(&text);
}

static void
mark(struct pass *pass)
{
	write_edits(pass);
	read_stream(pass, mark_added, mark_entry);
}

void
archive_pass_mark(struct session *t, bool drops_bad)
{
	struct pass pass = {.session = t, .drops_bad = drops_bad};

	mark(&pass);
	buf_free(&pass.edits);
}

void
archive_pass_write(struct session *t, bool drops_bad, struct output *out)
{
	struct pass pass = {.session = t, .out = out, .drops_bad = drops_bad};

	if (t->change_count == 0)
		return;
	mark(&pass);
	archive_chain_init(&pass.chain);
	read_stream(&pass, chain_added, chain_entry);
	for (uint32_t i = 0; i < t->list_count; i++) {
		struct archive_key key = archive_key_of(t->list[i]);

		write_entry(out, &key, ARCHIVE_LIST, t->list[i]);
	}
	write_pass(&pass);
	buf_free(&pass.edits);
	map_free(&pass.written);
}
