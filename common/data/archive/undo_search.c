#include "data/archive/undo_search.h"

#include <stdlib.h>

#include "base/list.h"

/* How well a pass fits the lines that there are. */
enum fits {
	FITS_NOT,    /* it changed nothing but a budget record, and what it wrote is not there */
	FITS_LINES,  /* its lines are there */
	FITS_BUDGET, /* a budget record that it wrote is there, too */
};

struct fit {
	uint32_t item; /* the pass */
	uint32_t end;  /* the position behind what it wrote */
	enum fits how;
};

struct fit_list {
	struct fit *fit; /* the shortest first; of those, the newest first */
	uint32_t count, cap;
};

/* All passes that wrote a part of the first limit lines, and were not undone. */
static void
gather(const struct undo *undo, uint32_t limit, struct fit_list *list)
{
	struct archive_chain chain;

	archive_chain_init(&chain);
	for (uint32_t i = 0; i < limit; i++) {
		const struct undo_line *line = undo_get(undo, i);
		struct archive_key key;
		uint32_t pass;

		if (!line->is_budget)
			archive_chain_add(&chain, &line->key, line->end);
		else if (!archive_chain_add_budget(&chain, &line->key))
			continue;
		key = archive_chain_key(&chain);
		pass = archive_index_pass(undo->index, &key);
		for (; pass != NONE; pass = undo->index->item[pass].older_of) {
			if (undo->mark[pass].is_done)
				continue;
			LIST_ROOM(list->fit, list->count, list->cap);
			list->fit[list->count++] = (struct fit){.item = pass, .end = i + 1};
		}
	}
}

static enum fits
weigh(struct undo *undo, const struct fit *fit)
{
	struct undo_mark *mark = &undo->mark[fit->item];
	struct undo_pass pass;
	enum fits how = FITS_LINES;

	if (mark->fits_lines)
		return how;
	if (!undo_pass_open(&pass, undo->index, fit->item)) {
		mark->is_damaged = mark->is_done = true;
		how = FITS_NOT;
	} else if (undo_pass_is_empty(&pass)) {
		mark->is_done = true;
		how = FITS_NOT;
	} else if (undo_has_wrote(undo, &pass, fit->end)) {
		how = FITS_BUDGET;
	} else if (pass.wrote_count > 0 && !pass.has_lines) {
		how = FITS_NOT;
	}
	mark->fits_lines = how == FITS_LINES && pass.wrote_count == 0;
	undo_pass_close(&pass);
	return how;
}

/* The best of those that end where the last one of the list does, and fit; else of those before.
 * The list then ends with them. */
static const struct fit *
find_best(struct undo *undo, struct fit_list *list)
{
	const struct fit *best = NULL;

	for (uint32_t i = list->count; i-- > 0;) {
		struct fit *fit = &list->fit[i];

		if (best != NULL && fit->end < best->end)
			break;
		fit->how = weigh(undo, fit);
		if (fit->how != FITS_NOT && (best == NULL || fit->how >= best->how))
			best = fit;
	}
	return best;
}

/* Marks the others that fit as well; one that stands in the archive a second time is undone with
 * the first. */
static void
mark_others(struct undo *undo, const struct fit_list *list, const struct fit *best)
{
	const struct archive_index_item *item = undo->index->item;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct fit *fit = &list->fit[i];
		struct undo_mark *mark = &undo->mark[fit->item];

		if (fit->end != best->end)
			continue;
		if (archive_key_eq(&item[fit->item].key, &item[best->item].key))
			mark->is_done = true;
		else if (fit->how >= best->how && mark->instead == NONE)
			mark->instead = best->item;
	}
}

/* The pass to undo among those that wrote a part of the first limit lines, or NONE. Sets *end to
 * the position behind what it wrote. */
static uint32_t
choose(struct undo *undo, uint32_t limit, uint32_t *end)
{
	struct fit_list list = {.fit = NULL};
	const struct fit *best;
	uint32_t item = NONE;

	gather(undo, limit, &list);
	best = find_best(undo, &list);
	if (best != NULL) {
		item = best->item;
		*end = best->end;
		mark_others(undo, &list, best);
	}
	free(list.fit);
	return item;
}

/* The input of a pass begins with the output of the one before, so each search ends where the last
 * pass did. */
void
undo_search_run(struct undo *undo)
{
	uint32_t limit = undo->count, end = 0, item;

	while ((item = choose(undo, limit, &end)) != NONE)
		limit = undo_item(undo, item, end);
}
