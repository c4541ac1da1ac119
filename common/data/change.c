#include "data/change.h"

#include "base/list.h"
#include "data/message/texts.h"

static struct change *
new_change(struct session *t, enum change_kind kind, uint32_t entry, const struct change_rule *rule)
{
	LIST_ROOM(t->change, t->change_count, t->change_cap);
	t->change[t->change_count] =
	    (struct change){.rule = rule, .entry = entry, .older = NONE, .kind = kind};
	return &t->change[t->change_count++];
}

/* Adds a change of an entry. The state of the entry before goes into the change. */
static struct change *
change_entry(
    struct session *t, enum change_kind kind, uint32_t index, const struct change_rule *rule)
{
	struct change *change = new_change(t, kind, index, rule);
	struct entry *entry = &t->entry[index];

	change->raw = entry->raw;
	change->len = entry->len;
	change->older = entry->change;
	change->before = entry->tokens;
	change->least = entry->least;
	change->was_changed = entry->is_changed;
	change->was_compacted = entry->is_compacted;
	entry->change = t->change_count - 1;
	return change;
}

/* Memory for a text of len bytes, with the padding that readers of JSON need. */
static char *
new_text(struct session *t, size_t len)
{
	if (len >= UINT32_MAX)
		mem_exhausted();
	return arena_padded(&t->arena, len);
}

struct str
change_key(const struct session *t, struct str text, struct buf *buf)
{
	struct buf padded = BUF_INIT;
	bool is_new;

	if (t->name.key == NULL)
		return text;
	buf_add_str(&padded, text);
	buf_pad(&padded);
	is_new = session_key_complete(&t->name, buf_str(&padded), buf);
	buf_free(&padded);
	return is_new ? buf_str(buf) : text;
}

/* Gives the entry a new text; the bytes around the text stay. Returns the bytes of the record, with
 * its line end, but without the key that it gets. */
static uint32_t
set_text(struct session *t, struct entry *entry, struct str text)
{
	size_t len, unkeyed = entry->before + text.len + entry->after;
	struct buf keyed = BUF_INIT;
	char *raw;

	text = change_key(t, text, &keyed);
	len = entry->before + text.len + entry->after;
	raw = new_text(t, len);
	memcpy(raw, entry->raw, entry->before);
	memcpy(raw + entry->before, text.ptr, text.len);
	memcpy(
	    raw + entry->before + text.len, entry->raw + entry->len - entry->after, entry->after);
	entry->raw = raw;
	entry->len = (uint32_t)len;
	entry->tokens = entry->least = 0;
	entry->is_changed = true;
	buf_free(&keyed);
	return (uint32_t)unkeyed;
}

void
change_text(struct session *t, uint32_t index, const struct change_rule *rule, struct str text)
{
	struct change *change = change_entry(t, CHANGE_TEXT, index, rule);

	change->new_len = set_text(t, &t->entry[index], text);
}

void
change_weighed(struct session *t, uint32_t tokens)
{
	struct change *change = &t->change[t->change_count - 1];

	change->after = tokens;
	if (change->kind == CHANGE_TEXT)
		t->entry[change->entry].tokens = tokens;
}

void
change_drop(struct session *t, uint32_t index, const struct change_rule *rule)
{
	change_entry(t, CHANGE_DROP, index, rule);
	t->entry[index].is_dropped = true;
}

void
change_forget(struct session *t, uint32_t index)
{
	static const struct change_rule rule = {STR_INIT("forgotten"), STR_INIT("drop"),
	    STR_INIT("a later message forgets it"), STR_INIT("")};

	if (t->entry[index].is_forgotten && !t->entry[index].is_dropped)
		change_drop(t, index, &rule);
}

/* Puts the change into its place among the added records. */
static void
list_added(struct session *t, uint32_t number)
{
	uint32_t at = t->added_count;

	LIST_ROOM(t->added, t->added_count, t->added_cap);
	while (at > 0 && change_added(t, at - 1)->entry > t->change[number].entry)
		at--;
	memmove(t->added + at + 1, t->added + at, (t->added_count - at) * sizeof *t->added);
	t->added[at] = number;
	t->added_count++;
}

static void
set_added(struct session *t, struct change *change, struct str text)
{
	struct buf keyed = BUF_INIT;
	char *raw;

	change->new_len = (uint32_t)text.len + 1;
	text = change_key(t, text, &keyed);
	raw = new_text(t, text.len);
	memcpy(raw, text.ptr, text.len);
	change->raw = raw;
	change->len = (uint32_t)text.len;
	buf_free(&keyed);
}

void
change_add(struct session *t, uint32_t index, const struct change_rule *rule, struct str text)
{
	struct change *change = new_change(t, CHANGE_ADD, index, rule);

	list_added(t, t->change_count - 1);
	set_added(t, change, text);
}

void
change_again(struct session *t, uint32_t number, const struct change_rule *rule, struct str text)
{
	struct change *change = &t->change[number];

	change->rule = rule;
	change->after = 0;
	if (change->kind == CHANGE_ADD) {
		set_added(t, change, text);
	} else {
		change->new_len = set_text(t, &t->entry[change->entry], text);
	}
}

void
change_note(struct session *t, uint32_t number, struct str text)
{
	struct change before = t->change[number];
	uint32_t tokens = 0, least = 0;

	if (before.kind != CHANGE_ADD) {
		tokens = t->entry[before.entry].tokens;
		least = t->entry[before.entry].least;
	}
	change_again(t, number, before.rule, text);
	t->change[number].new_len = before.new_len;
	t->change[number].after = before.after;
	if (before.kind != CHANGE_ADD) {
		t->entry[before.entry].tokens = tokens;
		t->entry[before.entry].least = least;
	}
}

void
change_undo(struct session *t, uint32_t mark)
{
	while (t->change_count > mark) {
		const struct change *change = &t->change[--t->change_count];
		struct entry *entry;

		if (change->kind == CHANGE_ADD) {
			uint32_t at = --t->added_count;

			while (t->added[at] != t->change_count)
				at--;
			memmove(t->added + at, t->added + at + 1,
			    (t->added_count - at) * sizeof *t->added);
			continue;
		}
		entry = &t->entry[change->entry];
		entry->raw = change->raw;
		entry->len = change->len;
		entry->change = change->older;
		entry->tokens = change->before;
		entry->least = change->least;
		entry->is_changed = change->was_changed;
		entry->is_compacted = change->was_compacted;
		if (change->kind == CHANGE_DROP)
			entry->is_dropped = false;
	}
}

/* The entry before its changes; with to_base, before those that are newer than a base. */
static struct entry
step_back(const struct session *t, uint32_t index, bool to_base)
{
	struct entry entry = t->entry[index];

	for (uint32_t i = entry.change; i != NONE; i = t->change[i].older) {
		if (to_base && t->change[i].is_base)
			break;
		entry.raw = t->change[i].raw;
		entry.len = t->change[i].len;
		entry.tokens = t->change[i].before;
		entry.least = t->change[i].least;
	}
	return entry;
}

struct entry
change_original(const struct session *t, uint32_t index)
{
	return step_back(t, index, false);
}

bool
change_came_compacted(const struct session *t, uint32_t index)
{
	const struct change *change = change_of(t, index);

	if (change == NULL)
		return t->entry[index].is_compacted;
	while (change->older != NONE)
		change = &t->change[change->older];
	return change->was_compacted;
}

struct entry
change_base(const struct session *t, uint32_t index)
{
	return step_back(t, index, true);
}

struct str
change_base_text(const struct session *t, uint32_t index, struct buf *buf)
{
	struct entry entry = change_base(t, index);
	struct message message;

	entry_parse_texts(&entry, &message);
	message_read_output(&message, buf);
	return str_trim(buf_str(buf));
}
