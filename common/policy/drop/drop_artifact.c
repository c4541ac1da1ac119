#include "policy/drop/drop_artifact.h"

#include "policy/digest/section.h"

/* Whether the artifact has fewer bytes and no more tokens than all that it stands for. Of
 * doomed entries, only the least weight is known. If that does not decide, all must be counted. */
static bool
pays(struct drop_artifact *a, uint64_t tokens, size_t len)
{
	struct compaction *c = a->compaction;
	uint64_t left = compaction_used(c) - a->replaced + tokens;

	if (len + 1 < a->bytes_gone && left <= a->used_before + a->doomed_tokens)
		return true;
	c->is_unsure |= a->doomed_tokens > 0;
	return false;
}

bool
drop_artifact_pays(struct drop_artifact *a)
{
	struct summary *summary = &a->summary;
	uint64_t tokens = summary_write(summary, SUMMARY_MEASURED);

	return pays(a, tokens, summary->text.len + section_len(&summary->facts));
}

/* The tokens that the digest gets of the target: no more than what went is worth, and what the
 * artifact had before, because what that said stays. For all of them, nothing goes that is kept by
 * value. */
static uint64_t
reserve(const struct drop_artifact *a)
{
	const struct compaction *c = a->compaction;
	uint64_t gain = a->bytes_gone / DROP_HOW_GAIN, bound;

	if (c->artifact != NONE)
		gain = a->replaced +
		    (a->bytes_gone - c->session->entry[c->artifact].len) / DROP_HOW_GAIN;
	bound = a->bound;
	if (a->is_late)
		bound = number_least(bound, c->options->target / DROP_HOW_LATE);
	return gain < bound ? gain : bound;
}

bool
drop_artifact_fits(struct drop_artifact *a)
{
	struct compaction *c = a->compaction;
	struct summary *summary = &a->summary;
	uint64_t left = compaction_used(c) - a->replaced, tokens;

	if (c->doomed > 0 || left > c->options->target || c->options->drops_all)
		return false;
	tokens = summary_write(summary, SUMMARY_BRIEF);
	if (left + tokens + reserve(a) > c->options->target || !pays(a, tokens, summary->text.len))
		return false;
	return drop_artifact_pays(a);
}

/* The bytes that the artifact has for names: a fifth of the target. */
static size_t
text_room(uint64_t target)
{
	enum { LEAST = 400, MOST = 4000, SHARE = 5 };
	uint64_t room = target / SHARE * SUMMARY_TOKEN_BYTES;

	return room < LEAST ? LEAST : room > MOST ? MOST : (size_t)room;
}

/* The tokens that the artifact may have: what the budget leaves, no more than its bound, and, where
 * its first line alone meets the target, no more than the target leaves: else another run would
 * find the target missed and drop more. */
static uint64_t
allowed_tokens(struct drop_artifact *a, uint64_t left)
{
	const struct compaction_options *options = a->compaction->options;
	uint64_t allowed = options->room > left ? options->room - left : 0;

	if (a->bound > 0 && options->target >= left + summary_write(&a->summary, SUMMARY_BRIEF))
		allowed = options->target - left;
	return a->bound > 0 && allowed > a->bound ? a->bound : allowed;
}

/* Writes the artifact; returns whether it pays and has no more tokens than allowed. */
static bool
write_fitting(struct drop_artifact *a, uint64_t allowed)
{
	a->written = summary_write(&a->summary, SUMMARY_WHOLE);
	a->does_pay = pays(a, a->written, a->summary.text.len);
	return a->does_pay && a->written <= allowed;
}

/* Gives a digest that leaves something out the tokens that are left: bytes are no tokens. over is
 * the room that was too much, of so many tokens, or 0. */
static void
widen(struct drop_artifact *a, uint64_t allowed, size_t over, uint64_t over_tokens)
{
	enum { SPARE = 64 }; /* that part of the tokens stays, so that the next text fits */
	struct summary *summary = &a->summary;
	uint64_t aim = allowed - allowed / SPARE;
	size_t room = summary->room;

	if (!summary_is_cut(summary) || a->written >= aim - aim / SPARE)
		return;
	if (over_tokens > aim)
		summary->room +=
		    (size_t)((over - room) * (aim - a->written) / (over_tokens - a->written));
	else
		summary->room = (size_t)(room * aim / a->written);
	if (write_fitting(a, allowed))
		return;
	summary->room = room;
	write_fitting(a, allowed);
}

void
drop_artifact_open(struct drop_artifact *a)
{
	struct compaction *c = a->compaction;

	a->bytes_gone = a->doomed_tokens = a->replaced = 0;
	if (c->artifact != NONE) {
		a->replaced = c->session->entry[c->artifact].tokens;
		a->bytes_gone = c->session->entry[c->artifact].len;
	}
	summary_open(&a->summary, c, a->bound > 0 ? 0 : text_room(c->options->target));
}

void
drop_artifact_add(struct drop_artifact *a, uint32_t index, bool was_gone)
{
	struct compaction *c = a->compaction;

	if (c->keep[index] == KEEP_DOOMED) {
		a->doomed_tokens += compaction_least_tokens(c, index, false);
		a->bytes_gone += compaction_least_bytes(c, index);
	} else {
		a->bytes_gone += c->session->entry[index].len;
	}
	if (was_gone)
		summary_add_again(&a->summary, index);
	else
		summary_add(&a->summary, index);
}

bool
drop_artifact_write(struct drop_artifact *a)
{
	struct compaction *c = a->compaction;
	struct summary *summary = &a->summary;
	uint64_t allowed = allowed_tokens(a, compaction_used(c) - a->replaced), over_tokens = 0;
	size_t over = 0;

	if (a->bound > 0) {
		summary->room = allowed > 0 ? (size_t)a->bound * SUMMARY_TOKEN_BYTES : 0;
		summary_gather(summary, a->how->has_symbols);
	}
	while (!write_fitting(a, allowed) && summary->room > 0) {
		over = summary->room;
		over_tokens = a->written;
		summary_shrink(summary, a->written, allowed);
	}
	if (a->does_pay && summary->room > 0)
		widen(a, allowed, over, over_tokens);
	return a->does_pay;
}
