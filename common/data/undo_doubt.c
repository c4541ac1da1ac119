#include "data/undo_doubt.h"

#include "data/undo_choice.h"

/* Whether undoing the one pass plainly gives what undoing the other one gave. */
static bool
is_part(const struct undo *undo, uint32_t item, uint32_t whole)
{
	struct undo_pass a, b;
	bool is = undo_pass_open(&a, undo->index, item);

	is = undo_pass_open(&b, undo->index, whole) && is && undo_pass_is_part(&a, &b);
	undo_pass_close(&a);
	undo_pass_close(&b);
	return is;
}

/* The line end that is written: an unended line gets one when another line follows. */
static struct str
written_end(const struct undo *undo, uint32_t i)
{
	struct str end = undo_get(undo, i)->end;

	return end.len == 0 && i + 1 < undo->count ? STR("\n") : end;
}

static bool
is_same_line(const struct undo *a, const struct undo *b, uint32_t i)
{
	const struct undo_line *one = undo_get(a, i), *two = undo_get(b, i);

	return archive_key_eq(&one->key, &two->key) && one->has_bom == two->has_bom &&
	    str_eq(written_end(a, i), written_end(b, i));
}

static bool
is_same(const struct undo *a, const struct undo *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!is_same_line(a, b, i))
			return false;
	return true;
}

/* Whether the stream is the same when the pass is undone where it fits. */
static bool
is_same_with(const struct undo *undo, uint32_t item)
{
	struct undo other;
	bool is;

	undo_open(&other, undo->session, undo->index);
	other.preferred = item;
	undo_choice_run(&other);
	is = is_same(undo, &other);
	undo_close(&other);
	return is;
}

bool
undo_doubt_find(const struct undo *undo, uint32_t from, struct undo_doubt *doubt)
{
	for (uint32_t i = from; i < undo->index->count; i++) {
		const struct undo_mark *mark = &undo->mark[i];

		if (mark->is_done || mark->instead == NONE || is_part(undo, i, mark->instead) ||
		    is_same_with(undo, i))
			continue;
		*doubt = (struct undo_doubt){.item = mark->instead, .other = i};
		return true;
	}
	return false;
}
