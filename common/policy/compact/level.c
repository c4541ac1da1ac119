#include "policy/compact/level.h"

#include "base/number.h"
#include "policy/drop/drop_how.h"
#include "policy/text/cut.h"

/* The tokens saved when a result of the newest group has at most that many. A failure keeps as many
 * as any failure keeps. */
static uint64_t
saved_of_newest(const struct edit_walk *walk, uint32_t index, uint64_t most)
{
	const struct compaction *c = walk->compaction;
	const struct entry *entry = &c->session->entry[index];

	if (entry->role != ROLE_TOOL || entry->is_compacted ||
	    !edit_rows_may_touch(walk->edit, c, index) ||
	    session_head_index(c->session, index) != c->newest)
		return 0;
	if (keep_is_failure(c->session, index) && most < c->options->error_tokens)
		most = c->options->error_tokens;
	return entry->tokens > most ? entry->tokens - most : 0;
}

uint64_t
level_find_newest(const struct edit_walk *walk)
{
	enum { SHARE = 8, LEAST = 64 };
	struct compaction *c = walk->compaction;
	const struct session *t = c->session;
	uint64_t room = c->options->room, share = room / SHARE, tokens = 0;
	uint64_t used = compaction_used(c), wanted = used + drop_how_wants(c) - drop_how_reserve(c);

	for (uint32_t i = 0; i < t->count; i++)
		if (session_head_index(t, i) == c->newest)
			tokens += t->entry[i].tokens;
	if (tokens <= share || used > room || wanted <= room)
		return UINT64_MAX;
	return edit_rows_level(walk, t->count, LEAST, UINT32_MAX,
	    number_least(wanted - room, tokens - share), saved_of_newest);
}

bool
level_is_newest_over(const struct edit_walk *walk, uint32_t index)
{
	return saved_of_newest(walk, index, walk->level) > 0;
}

void
level_cut_newest(const struct edit_walk *walk, uint32_t index)
{
	struct compaction *c = walk->compaction;

	cut_content(c->session, index, walk->edit->rule,
	    c->session->entry[index].tokens - saved_of_newest(walk, index, walk->level),
	    c->estimator);
}

/* The tokens saved when the message has at most that many. */
static uint64_t
saved_of_request(const struct edit_walk *walk, uint32_t index, uint64_t most)
{
	const struct compaction *c = walk->compaction;
	uint32_t tokens = c->session->entry[index].tokens;

	return edit_rows_may_touch(walk->edit, c, index) && tokens > most ? tokens - most : 0;
}

uint64_t
level_find_request(const struct edit_walk *walk)
{
	enum { SHARE = 8, LEAST = 32 };
	struct compaction *c = walk->compaction;
	bool is_early = walk->edit->when == EDIT_REQUESTS;
	uint64_t room = c->options->room, limit = is_early ? room / 2 : room;
	uint64_t least = is_early ? number_least(room / SHARE, c->options->error_tokens) : LEAST;

	if (!c->cuts_requests || compaction_used(c) <= limit)
		return UINT64_MAX;
	return edit_rows_level(walk, c->session->count, least, UINT32_MAX,
	    compaction_used(c) - limit, saved_of_request);
}

bool
level_is_request_over(const struct edit_walk *walk, uint32_t index)
{
	return walk->compaction->session->entry[index].tokens > walk->level;
}

void
level_cut_request(const struct edit_walk *walk, uint32_t index)
{
	const struct compaction *c = walk->compaction;

	cut_content_again(c->session, index, walk->edit->rule, walk->level, c->estimator);
}
