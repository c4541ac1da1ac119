#include "policy/drop/drop_how.h"

#include "policy/compact/transform.h"

enum {
	DIGEST_SHARE = 2,  /* the digest has at most one part in so many of the target */
	TOLD_SHARE = 5,    /* symbols, and a digest beside the text of a command */
	FLOOR_SHARE = 10,  /* before a budget is refused, it has that part of the target */
	DIGEST_LEAST = 64, /* tokens below which a list of files is more useful than a digest */
};

const struct change_rule *
drop_how_told(const struct drop_how *how, const struct change *change)
{
	if (change->rule == how->added)
		return how->told;
	return change->rule == how->updated ? how->told_again : NULL;
}

const struct drop_how *
drop_how_of(const struct transform *const *pipeline)
{
	const struct drop_how *how = NULL;

	for (; *pipeline != NULL && (how == NULL || !how->by_value); pipeline++)
		if ((*pipeline)->drop != NULL)
			how = (*pipeline)->drop;
	return how;
}

uint64_t
drop_how_bound(const struct compaction *c)
{
	const struct drop_how *how = drop_how_of(c->options->pipeline);
	bool is_told = c->options->leaves_room || (how != NULL && how->has_symbols);
	uint64_t bound = c->options->target / (is_told ? TOLD_SHARE : DIGEST_SHARE);

	if (how == NULL || !how->by_value)
		return 0;
	if (how->has_symbols && c->options->summary_is_given)
		bound = number_least(c->options->summary_tokens, c->options->target);
	else if (!how->has_symbols && (is_told || c->options->summary_is_given))
		bound = number_least(c->options->summary_tokens, bound);
	if (bound < DIGEST_LEAST)
		return 0;
	return c->options->leaves_room ? bound + bound / 2 : bound;
}

uint64_t
drop_how_reserve(const struct compaction *c)
{
	return number_least(drop_how_bound(c) / 2, c->options->target / FLOOR_SHARE);
}

uint64_t
drop_how_wants(const struct compaction *c)
{
	uint64_t bytes = 0, least = drop_how_reserve(c), wants;

	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] <= KEEP_NOT)
			bytes += c->session->entry[i].len;
	wants = number_least(drop_how_bound(c), c->options->target / DROP_HOW_LATE);
	wants = number_least(wants, bytes / DROP_HOW_GAIN);
	return wants > least ? wants : least;
}
