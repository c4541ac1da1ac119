#include "policy/framing.h"

#include "data/change.h"
#include "policy/digest/wrapper.h"

static bool
is_message(const struct entry *entry)
{
	return entry_is_in_thread(entry) && entry->role != ROLE_OTHER && !entry->is_artifact;
}

bool
framing_is_user(const struct entry *entry)
{
	return is_message(entry) && entry->is_request && entry->role == ROLE_USER;
}

static bool
is_answer(const struct entry *entry)
{
	return is_message(entry) && entry->role == ROLE_ASSISTANT && !entry->is_error;
}

static bool
is_in(struct session *t, const struct entry *entry, struct str section)
{
	return str_eq(session_section(t, entry), section);
}

static bool
has_messages(struct session *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (is_message(&t->entry[i]) && is_in(t, &t->entry[i], STR("messages")))
			return true;
	return false;
}

/* Whether the framing may be sought in the entry. */
static bool
is_sought_in(struct session *t, const struct framing *framing, const struct entry *entry)
{
	return is_message(entry) && (!framing->in_messages || is_in(t, entry, STR("messages")));
}

/* Whether the user's message is short and asks for nothing: a command to the client. */
static bool
is_aside(const struct session *t, uint32_t index)
{
	enum { MOST = 1000 }; /* bytes of the record */
	struct buf text = BUF_INIT;
	bool is = t->entry[index].len <= MOST && !wrapper_asks(change_base_text(t, index, &text));

	buf_free(&text);
	return is;
}

/* *asks: whether a message of the framing does; when it is true before, any does. */
static struct framing
find(struct session *t, uint64_t most, bool *asks)
{
	struct framing framing = {NONE, NONE, 0, has_messages(t)};

	for (uint32_t i = 0; i < t->count && framing.count < most; i++) {
		const struct entry *entry = &t->entry[i];

		if (framing.count > 0 && *asks && is_answer(entry) &&
		    (is_sought_in(t, &framing, entry) || is_in(t, entry, STR("buffer"))))
			break;
		if (!is_sought_in(t, &framing, entry) || !framing_is_user(entry))
			continue;
		*asks = *asks || !is_aside(t, i);
		if (framing.count++ == 0)
			framing.first = i;
		framing.last = i;
	}
	return framing;
}

uint32_t
framing_begin(const struct session *t)
{
	uint32_t i = 0;

	while (i < t->count &&
	    (t->entry[i].kind != RECORD_MESSAGE || role_is_system(t->entry[i].role)))
		i++;
	return i;
}

struct framing
framing_find(struct session *t, uint64_t most)
{
	bool asks = false;
	struct framing framing = find(t, most, &asks);

	if (asks)
		return framing;
	asks = true;
	return find(t, most, &asks);
}

bool
framing_has(struct session *t, const struct framing *framing, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	return framing->count > 0 && index >= framing->first && index <= framing->last &&
	    framing_is_user(entry) && is_sought_in(t, framing, entry);
}
