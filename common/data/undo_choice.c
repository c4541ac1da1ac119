#include "data/undo_choice.h"

#include <stdlib.h>

#include "base/list.h"

/* How well a pass fits the lines that there are. FITS_END is added to one of the others. */
enum {
	FITS_NOT = 0,
	FITS_END = 1,    /* nothing speaks against it at the end of the stream */
	FITS_LINES = 2,  /* the budget record that it wrote is not there */
	FITS_PLAIN = 4,  /* it wrote none, or another one may have taken its place */
	FITS_BUDGET = 6, /* it is there */
};

struct fit {
	uint32_t item; /* the pass */
	uint32_t end;  /* the position behind what it wrote */
	unsigned how;
};

struct fits {
	struct fit *fit; /* the shortest first; of those, the newest first */
	uint32_t count, cap;
};

/* All passes that wrote a part of the first limit lines, and were not undone. */
static void
gather(const struct undo *undo, uint32_t limit, struct fits *fits)
{
	struct archive_chain chain;

	archive_chain_init(&chain);
	for (uint32_t i = 0; i < limit; i++) {
		const struct undo_line *line = undo_get(undo, i);
		struct archive_key key;
		uint32_t pass;

		if (line->is_budget)
			continue;
		archive_chain_add(&chain, &line->key, line->end);
		key = archive_chain_key(&chain);
		pass = archive_index_pass(undo->index, &key);
		for (; pass != NONE; pass = undo->index->item[pass].older_pass) {
			if (undo->mark[pass].is_done)
				continue;
			LIST_ROOM(fits->fit, fits->count, fits->cap);
			fits->fit[fits->count++] = (struct fit){.item = pass, .end = i + 1};
		}
	}
}

/* Whether the budget record that the pass wrote is among its lines or right behind them; *end is
 * then the position behind all of them. */
static bool
find_wrote(const struct undo *undo, const struct undo_pass *pass, uint32_t *end)
{
	bool found = false;
	uint32_t i = 0;

	for (; i < undo->count && (i < *end || undo_is_wrote(pass, undo_get(undo, i))); i++)
		found = found || undo_is_wrote(pass, undo_get(undo, i));
	*end = i;
	return found;
}

static bool
has_budget(const struct undo *undo)
{
	for (uint32_t i = 0; i < undo->count; i++)
		if (undo_get(undo, i)->is_budget)
			return true;
	return false;
}

/* Whether the stream ends there, and has a line end where the pass had none, or the reverse. */
static bool
is_other_end(const struct undo *undo, const struct undo_pass *pass, uint32_t end)
{
	return end == undo->count && pass->is_open != (undo_get(undo, end - 1)->end.len == 0);
}

static unsigned
weigh(const struct undo *undo, const struct undo_pass *pass, uint32_t end)
{
	bool found = find_wrote(undo, pass, &end);
	unsigned how;

	if (!found && !undo_pass_has_edits(pass))
		return FITS_NOT;
	if (found)
		how = FITS_BUDGET;
	else
		how = pass->has_wrote && !has_budget(undo) ? FITS_LINES : FITS_PLAIN;
	return is_other_end(undo, pass, end) ? how : how + FITS_END;
}

static void
read_fit(struct undo *undo, struct fit *fit)
{
	struct undo_pass pass;

	if (undo_pass_open(&pass, undo->index, fit->item))
		fit->how = weigh(undo, &pass, fit->end);
	else
		undo->mark[fit->item].is_damaged = undo->mark[fit->item].is_done = true;
	undo_pass_close(&pass);
}

/* Those that are shorter than the best one are only looked at once: there may be as many as there
 * were compactions. */
static const struct fit *
find_best(struct undo *undo, struct fits *fits)
{
	const struct fit *best = NULL;

	for (uint32_t i = fits->count; i-- > 0;) {
		struct fit *fit = &fits->fit[i];
		struct undo_mark *mark = &undo->mark[fit->item];
		bool is_short = best != NULL && fit->end < best->end;

		if (is_short && mark->is_weighed && fit->item != undo->preferred)
			continue;
		mark->is_weighed = is_short;
		read_fit(undo, fit);
		if (fit->how == FITS_NOT)
			continue;
		if (fit->item == undo->preferred)
			return fit;
		if (best == NULL || (!is_short && fit->how >= best->how))
			best = fit;
	}
	return best;
}

/* The pass to undo among those that wrote a part of the first limit lines, or NONE. Sets *end to
 * the position behind what it wrote. */
static uint32_t
choose(struct undo *undo, uint32_t limit, uint32_t *end)
{
	struct fits fits = {.fit = NULL};
	const struct fit *best;
	uint32_t item = NONE;

	gather(undo, limit, &fits);
	best = find_best(undo, &fits);
	if (best != NULL) {
		item = best->item;
		*end = best->end;
		for (uint32_t i = 0; i < fits.count; i++)
			if (fits.fit[i].how >= best->how &&
			    undo->mark[fits.fit[i].item].instead == NONE)
				undo->mark[fits.fit[i].item].instead = item;
	}
	free(fits.fit);
	return item;
}

/* The input of a pass begins with the output of the one before, so each search ends where the last
 * pass did. */
void
undo_choice_run(struct undo *undo)
{
	uint32_t limit = undo->count, end = 0, item;

	while ((item = choose(undo, limit, &end)) != NONE)
		limit = undo_item(undo, item, end);
}
