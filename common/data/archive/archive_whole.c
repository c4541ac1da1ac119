#include "data/archive/archive_whole.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/archive/archive_edits.h"
#include "data/change.h"

/* The place of a record among the records of several sessions, as in face/sessions/sessions.h: an
 * added record comes directly after the record of its session that it follows. */
struct place {
	uint64_t place;
	uint32_t order;  /* of the records at one place, all of one session */
	uint32_t number; /* of an entry, or of a change that added a record */
	bool is_added;
	struct session *session;
};

struct place_list {
	struct place *place;
	uint32_t count, cap;
	uint64_t end; /* the last place */
	bool is_open; /* its line has no line end */
};

struct archive_whole {
	/* Of the stream by now; the edits are those since the last pass that was written. */
	struct archive_edits edits;
	bool is_changed; /* there are such edits */
};

static void
add_place(struct place_list *list, struct place place)
{
	LIST_ROOM(list->place, list->count, list->cap);
	place.order = list->count;
	list->place[list->count++] = place;
}

/* Adds the records of a session, in its order. */
static void
add_places(struct place_list *list, struct session *t, bool drops_bad)
{
	uint64_t anchor = t->count > 0 ? t->entry[0].place : 0;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= t->count; i++) {
		const struct entry *entry = &t->entry[i];

		while ((added = change_next_added(t, i, &next)) != NULL)
			add_place(list,
			    (struct place){.place = anchor,
				.number = (uint32_t)(added - t->change),
				.is_added = true,
				.session = t});
		if (i == t->count)
			break;
		if (!entry->is_dropped)
			anchor = entry->place;
		if (drops_bad && entry->kind == RECORD_BAD)
			continue;
		if (entry->place > list->end) {
			list->end = entry->place;
			list->is_open = entry->raw[entry->len - 1] != '\n';
		}
		if (!entry->is_continued)
			add_place(
			    list, (struct place){.place = entry->place, .number = i, .session = t});
	}
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Reads the records in the order of the stream. */
static void
read_places(struct archive_edits *edits, const struct place_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct place *place = &list->place[i];

		edits->session = place->session;
		if (place->is_added) {
			archive_edits_add(edits, place->number);
			archive_edits_chain_added(edits, place->number);
		} else {
			archive_edits_read(edits, place->number);
			archive_edits_chain_entry(edits, place->number);
		}
	}
}

static void
begin_whole(struct archive_whole *whole)
{
	buf_reset(&whole->edits.text);
	buf_reset(&whole->edits.sessions);
	archive_edits_begin(&whole->edits);
	whole->is_changed = false;
}

struct archive_whole *
archive_whole_open(bool drops_bad)
{
	struct archive_whole *whole = mem_alloc(1, sizeof *whole);

	*whole = (struct archive_whole){.edits = {.drops_bad = drops_bad}};
	archive_chain_init(&whole->edits.chain);
	begin_whole(whole);
	return whole;
}

void
archive_whole_add(struct archive_whole *whole, const struct archive_pass *session, uint32_t count)
{
	struct place_list list = {.place = NULL};

	for (uint32_t i = 0; i < count; i++) {
		add_places(&list, session[i].session, whole->edits.drops_bad);
		if (session[i].session->change_count > 0) {
			struct buf *keys = &whole->edits.sessions;

			whole->is_changed = true;
			buf_add_str(keys, keys->len > 0 ? STR(",\"") : STR("[\""));
			archive_key_write(&session[i].key, keys);
			buf_add_char(keys, '"');
		}
	}
	if (list.count == 0)
		return;
	qsort(list.place, list.count, sizeof *list.place, compare_places);
	whole->edits.is_open = list.is_open;
	read_places(&whole->edits, &list);
	free(list.place);
}

bool
archive_whole_is_long(const struct archive_whole *whole)
{
	return whole->edits.text.len > ARCHIVE_WHOLE_LONG;
}

bool
archive_whole_is_changed(const struct archive_whole *whole)
{
	return whole->is_changed;
}

void
archive_whole_write(struct archive_whole *whole, struct output *out)
{
	buf_add_char(&whole->edits.sessions, ']');
	archive_edits_end(&whole->edits);
	archive_edits_write(&whole->edits, out);
	begin_whole(whole);
}

void
archive_whole_close(struct archive_whole *whole)
{
	if (whole == NULL)
		return;
	buf_free(&whole->edits.text);
	buf_free(&whole->edits.sessions);
	free(whole);
}
