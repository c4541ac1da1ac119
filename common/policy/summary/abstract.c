#include "policy/summary/abstract.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "policy/drop/drop_how.h"

enum {
	TEXT_LEAST = 32,      /* tokens below which a text is of little use */
	FACTS_SHARE = 3,      /* the facts beside the text get one part in so many */
	TEXT_TOKENS_MORE = 8, /* that the indent of a text may cost, at least */
	SYMBOL_LEAST = 4,     /* tokens below which a symbol is of little use */
	SYMBOL_INDENTS = 2    /* of symbols, that may cost a token */
};

/* The change that made the artifact of this pass; NONE: there is no place for a text. */
static uint32_t
find_change(const struct session *t, const struct drop_how *how)
{
	for (uint32_t i = t->change_count; i-- > 0;) {
		const struct change *change = &t->change[i];

		if (drop_how_told(how, change) != NULL &&
		    (change->kind == CHANGE_ADD || t->entry[change->entry].change == i))
			return i;
	}
	return NONE;
}

/* Notes the dropped entries, in the order of the log. */
static void
find_entries(struct abstract *s)
{
	const struct session *t = s->compaction->session;
	uint32_t count = 0;

	s->entry = mem_alloc((size_t)t->count + 1, sizeof *s->entry);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].is_dropped && t->entry[i].kind == RECORD_MESSAGE)
			s->entry[count++] = i;
	s->request = (struct brief){.session = t, .entry = s->entry, .count = count};
	s->request.has_earlier = s->compaction->artifact != NONE && !s->has_symbols;
	if (s->request.has_earlier)
		s->request.earlier = change_original(t, s->compaction->artifact);
}

/* The facts are merged in the order in which the messages went. */
static void
open_summary(struct abstract *s, uint64_t bound)
{
	struct compaction *c = s->compaction;
	size_t room = (size_t)(bound / FACTS_SHARE * SUMMARY_TOKEN_BYTES);

	summary_reopen(&s->summary, c, room);
	for (uint32_t i = 0; i < c->session->change_count; i++)
		if (c->session->change[i].kind == CHANGE_DROP)
			summary_add_again(&s->summary, c->session->change[i].entry);
	if (s->has_symbols)
		summary_tell_symbols(&s->summary, STR(""), room);
	else
		summary_gather(&s->summary, GATHER_DIGEST);
}

/* The tokens that the artifact replaces, as in the input; counting stops at most. */
static uint64_t
replaced_tokens(struct abstract *s, uint64_t most)
{
	struct compaction *c = s->compaction;
	uint64_t sum = 0;

	if (c->artifact != NONE)
		sum = weigh_original(c->session, c->artifact, c->estimator);
	for (uint32_t i = 0; i < s->request.count && sum < most; i++)
		sum += weigh_original(c->session, s->entry[i], c->estimator);
	return sum;
}

/* Makes the facts small enough to leave two thirds of the room. Sets the tokens that they take. A
 * text that takes less leaves the rest to them, up to the room of a digest. */
static void
make_room(struct abstract *s)
{
	uint64_t share = s->allowed / FACTS_SHARE;

	share -= number_least(share, TEXT_TOKENS_MORE);
	for (;;) {
		s->least = summary_write(&s->summary, SUMMARY_BRIEF);
		if (s->least <= share || s->summary.room == 0)
			return;
		summary_shrink(&s->summary, s->least, share);
	}
}

/* The fewest tokens of a useful text, and those that its indent may cost. */
static uint64_t
least_text(const struct abstract *s, uint64_t *more)
{
	uint64_t symbols = s->has_symbols ? s->request.count : 0;

	*more = TEXT_TOKENS_MORE + symbols / SYMBOL_INDENTS;
	return symbols * SYMBOL_LEAST > TEXT_LEAST ? symbols * SYMBOL_LEAST : TEXT_LEAST;
}

enum abstract_answer
abstract_open(struct abstract *s, struct compaction *c)
{
	const struct drop_how *how = drop_how_of(c->options->pipeline);
	uint64_t bound = drop_how_bound(c), left, now, replaced, least, more;

	*s = (struct abstract){.compaction = c, .change = find_change(c->session, how)};
	if (s->change == NONE)
		return ABSTRACT_NOTHING;
	s->has_symbols = how->has_symbols;
	find_entries(s);
	if (s->request.count == 0)
		return ABSTRACT_NOTHING;
	open_summary(s, bound);
	now = c->session->change[s->change].after;
	left = compaction_used(c) - now;
	s->allowed = c->options->target > left ? c->options->target - left : 0;
	s->allowed = number_least(s->allowed > now ? s->allowed : now, bound);
	make_room(s);
	replaced = replaced_tokens(s, s->allowed);
	s->allowed = number_least(s->allowed, replaced);
	least = least_text(s, &more);
	if (s->allowed < s->least + more)
		return ABSTRACT_NO_ROOM;
	s->request.tokens = number_least(s->allowed - s->least - more, bound - bound / FACTS_SHARE);
	return s->request.tokens < least ? ABSTRACT_NO_ROOM : ABSTRACT_READY;
}

static uint64_t
count_record(struct abstract *s, struct str text)
{
	struct buf record = BUF_INIT;
	struct message message;
	uint64_t tokens;

	message_say(&message, text, &record);
	tokens = estimate_message(s->compaction->estimator, &message);
	buf_free(&record);
	return tokens;
}

uint64_t
abstract_count(struct abstract *s, struct str text)
{
	return count_record(s, text) - count_record(s, STR(""));
}

bool
abstract_put(struct abstract *s, struct str text)
{
	struct compaction *c = s->compaction;
	struct summary *summary = &s->summary;
	uint64_t most = drop_how_bound(c) / FACTS_SHARE * (FACTS_SHARE - 1), left = s->allowed,
		 tokens;
	size_t room;

	left -= number_least(left, abstract_count(s, text));
	room = (size_t)number_least(left, most) * SUMMARY_TOKEN_BYTES;
	if (s->has_symbols)
		summary_tell_symbols(summary, text, room);
	else
		summary_tell(summary, text, room);
	for (;;) {
		tokens = summary_write(summary, SUMMARY_WHOLE);
		if (tokens <= s->allowed &&
		    weigh_saves_bytes(c->session, 0, s->change, summary->text.len + 1))
			break;
		if (summary->room == 0)
			return false;
		summary_shrink(summary, tokens, s->allowed);
	}
	if (tokens >= replaced_tokens(s, tokens + 1))
		return false;
	compaction_change_again(c, s->change,
	    drop_how_told(drop_how_of(c->options->pipeline), &c->session->change[s->change]),
	    buf_str(&summary->text), tokens);
	return true;
}

void
abstract_close(struct abstract *s)
{
	if (s->request.count > 0)
		summary_close(&s->summary);
	free(s->entry);
}
