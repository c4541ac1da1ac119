#include "policy/budget/weigh.h"

uint32_t
weigh_entry(struct session *t, uint32_t index, struct estimator *estimator)
{
	if (t->entry[index].tokens == 0)
		estimate_entry(estimator, &t->entry[index]);
	return t->entry[index].tokens;
}

uint64_t
weigh_unit(struct session *t, uint32_t index, struct estimator *estimator)
{
	uint64_t tokens = 0;

	for (uint32_t at = 0, i; (i = session_unit_member(t, index, &at)) != NONE;)
		tokens += weigh_entry(t, i, estimator);
	return tokens;
}

bool
weigh_reaches(struct session *t, uint32_t index, const struct message *message, uint64_t tokens,
    struct estimator *estimator)
{
	struct entry *entry = &t->entry[index];

	if (entry->tokens != 0)
		return entry->tokens >= tokens;
	if (entry->least >= tokens)
		return true;
	if (!estimate_reaches(estimator, message, tokens))
		return false;
	entry->least = tokens < UINT32_MAX ? (uint32_t)tokens : UINT32_MAX;
	return true;
}

void
weigh_note(
    struct session *t, uint32_t index, const struct message *message, struct estimator *estimator)
{
	enum { REPLACEMENT = 64 };
	struct entry *entry = &t->entry[index];

	if (entry->least < REPLACEMENT && !entry->outside &&
	    estimate_surely_reaches(estimator, message, REPLACEMENT))
		entry->least = REPLACEMENT;
}

uint32_t
weigh_original(const struct session *t, uint32_t index, struct estimator *estimator)
{
	struct entry entry = change_original(t, index);

	if (entry.tokens == 0)
		estimate_entry(estimator, &entry);
	return entry.tokens;
}

uint32_t
weigh_least(const struct estimator *estimator, uint32_t calls)
{
	if (estimator->kind == ESTIMATOR_BYTES4)
		calls = 0;
	return TOKENS_PER_MESSAGE + calls * TOKENS_PER_CALL;
}

bool
weigh_saves_bytes(const struct session *t, uint32_t mark, uint32_t but, uint64_t more)
{
	uint64_t before = 0, after = more;

	for (uint32_t i = mark; i < t->change_count; i++) {
		before += t->change[i].kind == CHANGE_ADD ? 0 : t->change[i].len;
		after += i == but ? 0 : t->change[i].new_len;
	}
	return after < before;
}

static uint32_t
weigh_added(const struct change *change, struct estimator *estimator)
{
	struct message message;
	uint64_t tokens;

	message_reread(&message, str_of(change->raw, change->len));
	tokens = estimate_message(estimator, &message);
	return tokens < UINT32_MAX ? (uint32_t)tokens : UINT32_MAX;
}

/* Weighs the records that are new since the mark; returns the sum of their tokens. */
static uint64_t
weigh_new(struct session *t, uint32_t mark, struct estimator *estimator)
{
	uint64_t sum = 0;

	for (uint32_t i = mark; i < t->change_count; i++) {
		struct change *change = &t->change[i];

		if (change->kind == CHANGE_TEXT)
			change->after = weigh_entry(t, change->entry, estimator);
		else if (change->kind == CHANGE_ADD && change->after == 0)
			change->after = weigh_added(change, estimator);
		sum += change->after;
	}
	return sum;
}

/* The tokens that the record had before the change, at most tokens: counting stops there. */
static uint64_t
had_up_to(const struct session *t, const struct change *change, uint64_t tokens,
    struct estimator *estimator)
{
	struct entry entry = t->entry[change->entry];
	struct message message;

	if (change->before != 0 || entry.outside)
		return change->before < tokens ? change->before : tokens;
	if (change->least >= tokens)
		return tokens;
	entry.raw = change->raw;
	entry.len = change->len;
	entry_parse_texts(&entry, &message);
	if (estimate_reaches(estimator, &message, tokens))
		return tokens;
	return estimate_message(estimator, &message);
}

/* The tokens that the records before the changes are known to have had. */
static uint64_t
known_tokens(const struct session *t, uint32_t mark)
{
	uint64_t sum = 0;

	for (uint32_t i = mark; i < t->change_count; i++)
		if (t->change[i].kind != CHANGE_ADD)
			sum += t->change[i].before != 0 ? t->change[i].before : t->change[i].least;
	return sum;
}

/* Whether the records before the changes had at least that many tokens. */
static bool
had_tokens(const struct session *t, uint32_t mark, uint64_t tokens, struct estimator *estimator)
{
	if (known_tokens(t, mark) >= tokens)
		return true;
	for (uint32_t i = mark; i < t->change_count && tokens > 0; i++)
		if (t->change[i].kind != CHANGE_ADD)
			tokens -= had_up_to(t, &t->change[i], tokens, estimator);
	return tokens == 0;
}

/* The most tokens of a vocabulary that the new records since the mark can have: their bytes. A
 * token has at least one byte, and the tokens counted beside the texts are fewer than the bytes of
 * JSON around them. But parts may hold media, which have more tokens than bytes. */
static uint64_t
most_new(const struct session *t, uint32_t mark)
{
	uint64_t sum = 0;

	for (uint32_t i = mark; i < t->change_count; i++) {
		const struct change *change = &t->change[i];

		if (change->kind == CHANGE_DROP)
			continue;
		if (change->kind == CHANGE_ADD || !t->entry[change->entry].is_text)
			return UINT64_MAX;
		sum += change->new_len;
	}
	return sum;
}

bool
weigh_exceeds(struct session *t, uint64_t tokens, struct estimator *estimator)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->count && sum <= tokens; i++)
		if (entry_is_in_thread(&t->entry[i]))
			sum += t->entry[i].tokens != 0 ? t->entry[i].tokens :
							 weigh_least(estimator, 0);
	if (sum > tokens)
		return true;
	sum = 0;
	for (uint32_t i = t->count; i-- > 0 && sum <= tokens;)
		sum += weigh_entry(t, i, estimator);
	return sum > tokens;
}

bool
weigh_settle(struct session *t, uint32_t mark, struct estimator *estimator)
{
	return weigh_settle_most(t, mark, most_new(t, mark), estimator);
}

bool
weigh_settle_most(struct session *t, uint32_t mark, uint64_t most, struct estimator *estimator)
{
	bool is_bounded = estimator->counter != NULL && !t->counts_changes;

	if (weigh_saves_bytes(t, mark, NONE, 0) &&
	    ((is_bounded && known_tokens(t, mark) >= most) ||
		had_tokens(t, mark, weigh_new(t, mark, estimator), estimator)))
		return true;
	change_undo(t, mark);
	return false;
}
