#include "data/archive_pass.h"

#include "data/change.h"
#include "json/write.h"

struct pass {
	const struct session *session;
	struct output *out;
	struct map written; /* the keys of records that were written */
	struct buf edits, budgets;
	struct json_writer edit, budget;
	struct archive_chain chain; /* of the output */
	struct archive_key wrote;   /* the budget record of the output */
	bool has_budget;            /* a budget record was changed, dropped or added */
	bool has_wrote;
	bool is_open;    /* the last line of the input has no line end */
	uint64_t lines;  /* of the output */
	uint64_t before; /* of the input */
};

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

/* Writes the record that the entry was, unless an equal one was written. */
static struct archive_key
write_original(struct pass *pass, uint32_t index)
{
	struct entry original = change_original(pass->session, index);
	struct archive_key key = archive_key_of(entry_text(&original));
	struct str bytes = str_of((const char *)key.byte, ARCHIVE_KEY_BYTES);

	if (map_set(&pass->written, hash_bytes(bytes, hash_seed(HASH_ARCHIVE)), 1) == MAP_NONE)
		write_entry(pass->out, &key, ARCHIVE_RECORD, entry_text(&original));
	return key;
}

static void
put_key(struct json_writer *w, struct str name, const struct archive_key *key)
{
	struct buf hex = BUF_INIT;

	archive_key_write(key, &hex);
	json_member_string(w, name, buf_str(&hex));
	buf_free(&hex);
}

/* Puts a record that is no more there, in front of line at. */
static void
put_gone(struct pass *pass, struct json_writer *w, uint64_t at, uint32_t index)
{
	const struct entry *entry = &pass->session->entry[index];
	struct str end = str_of(entry->raw + entry->len - entry->after, entry->after);
	struct archive_key key = write_original(pass, index);

	json_open(w, '{');
	json_member_integer(w, STR("at"), (int64_t)at);
	put_key(w, STR("gone"), &key);
	if (!str_eq(end, STR("\n")))
		json_member_string(w, STR("end"), end);
	if (entry->before > 0)
		json_member_bool(w, STR("bom"), true);
	json_close(w);
}

/* Adds a line to the output. */
static void
add_line(struct pass *pass, const struct archive_key *key, struct str end)
{
	archive_chain_add(&pass->chain, key, end);
	pass->lines++;
}

static void
set_wrote(struct pass *pass, struct archive_key key)
{
	pass->wrote = key;
	pass->has_budget = pass->has_wrote = true;
}

static void
add_added(struct pass *pass, const struct change *added)
{
	struct str text = str_of(added->raw, added->len);
	struct archive_key key = archive_key_of(text);
	struct message message;

	message_parse(&message, text);
	if (message.kind == RECORD_BUDGET) {
		set_wrote(pass, key);
		return;
	}
	json_open(&pass->edit, '{');
	json_member_integer(&pass->edit, STR("at"), (int64_t)pass->lines);
	json_member_bool(&pass->edit, STR("new"), true);
	json_close(&pass->edit);
	add_line(pass, &key, STR("\n"));
}

static void
add_budget(struct pass *pass, uint32_t index)
{
	const struct session *t = pass->session;

	if (change_of(t, index) == NULL)
		return;
	pass->has_budget = true;
	put_gone(pass, &pass->budget, pass->before, index);
	if (!t->entry[index].is_dropped)
		set_wrote(pass, archive_line_key(t, index));
}

static void
add_entry(struct pass *pass, uint32_t index)
{
	const struct session *t = pass->session;
	struct archive_key key;

	if (t->entry[index].is_dropped) {
		put_gone(pass, &pass->edit, pass->lines, index);
		return;
	}
	if (change_of(t, index) != NULL) {
		key = write_original(pass, index);
		json_open(&pass->edit, '{');
		json_member_integer(&pass->edit, STR("at"), (int64_t)pass->lines);
		put_key(&pass->edit, STR("was"), &key);
		json_close(&pass->edit);
	}
	key = archive_line_key(t, index);
	add_line(pass, &key, archive_line_end(t, index));
}

/* Reads the changes in the order of the stream. A piece of a long line goes with the first one. */
static void
add_entries(struct pass *pass, bool drops_bad)
{
	const struct session *t = pass->session;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= t->count; i++) {
		while ((added = change_next_added(t, i, &next)) != NULL)
			add_added(pass, added);
		if (i == t->count || (drops_bad && t->entry[i].kind == RECORD_BAD))
			continue;
		pass->is_open = t->entry[i].after == 0;
		if (t->entry[i].is_continued)
			continue;
		if (t->entry[i].kind == RECORD_BUDGET) {
			add_budget(pass, i);
			continue;
		}
		add_entry(pass, i);
		pass->before++;
	}
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
	json_member_raw(&w, STR("edits"), buf_str(&pass->edits));
	if (pass->has_budget) {
		json_name(&w, STR("budget"));
		json_open(&w, '{');
		if (pass->has_wrote)
			put_key(&w, STR("wrote"), &pass->wrote);
		json_member_raw(&w, STR("had"), buf_str(&pass->budgets));
		json_close(&w);
	}
	if (pass->is_open)
		json_member_bool(&w, STR("open"), true);
	json_close(&w);
	key = archive_key_of(buf_str(&text));
	write_entry(pass->out, &key, ARCHIVE_PASS, buf_str(&text));
	buf_free(&text);
}

void
archive_pass_write(const struct session *t, bool drops_bad, struct output *out)
{
	struct pass pass = {.session = t, .out = out};

	if (t->change_count == 0)
		return;
	archive_chain_init(&pass.chain);
	json_writer_init(&pass.edit, &pass.edits);
	json_writer_init(&pass.budget, &pass.budgets);
	json_open(&pass.edit, '[');
	json_open(&pass.budget, '[');
	add_entries(&pass, drops_bad);
	json_close(&pass.edit);
	json_close(&pass.budget);
	for (uint32_t i = 0; i < t->list_count; i++) {
		struct archive_key key = archive_key_of(t->list[i]);

		write_entry(out, &key, ARCHIVE_LIST, t->list[i]);
	}
	write_pass(&pass);
	buf_free(&pass.edits);
	buf_free(&pass.budgets);
	map_free(&pass.written);
}
