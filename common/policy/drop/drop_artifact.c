#include "policy/drop/drop_artifact.h"

#include "policy/digest/section.h"

/* Whether the artifact has fewer bytes and no more tokens than all that it replaces. Of doomed
 * entries, only the least weight is known. If that does not decide, all must be counted. */
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

/* The tokens of the target that are reserved for the digest: at most the worth of the dropped
 * messages plus the tokens of the earlier artifact, whose content stays. No entry that is kept for
 * its value is dropped to make this room. */
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
	summary->rules = 0;
	tokens = summary_write(summary, SUMMARY_BRIEF);
	summary->rules = SIZE_MAX;
	if (left + tokens + reserve(a) > c->options->target ||
	    !pays(a, tokens, summary->text.len) || (a->fits_from > 0 && left > a->fits_from))
		return false;
	tokens = summary_write(summary, SUMMARY_BRIEF);
	if (left + tokens <= c->options->target)
		return a->has_fit = drop_artifact_pays(a);
	a->fits_from = c->options->target > tokens ? c->options->target - tokens : 1;
	return false;
}

/* The bytes that the artifact has for names: a fifth of the target. */
static size_t
text_room(uint64_t target)
{
	enum { LEAST = 400, MOST = 4000, SHARE = 5 };
	uint64_t room = target / SHARE * SUMMARY_TOKEN_BYTES;

	return room < LEAST ? LEAST : room > MOST ? MOST : (size_t)room;
}

/* The tokens that the artifact may have: the rest of the target, or, if dropping everything does
 * not meet the target, the size that was requested; never more than its bound or the rest of the
 * budget. least is the size of a first line and rules, for which all of the rest of the budget may
 * be used. */
static uint64_t
allowed_tokens(struct drop_artifact *a, uint64_t left, uint64_t least)
{
	const struct compaction_options *options = a->compaction->options;
	uint64_t room = options->room > left ? options->room - left : 0;
	uint64_t allowed = options->target > left ? options->target - left : 0;

	if (a->bound == 0)
		return room;
	if (!a->has_fit && a->used_before > options->target && reserve(a) > allowed)
		allowed = reserve(a);
	allowed = number_least(allowed, a->bound);
	return number_least(allowed > least ? allowed : least, room);
}

/* Writes the artifact; returns whether it pays and has no more tokens than allowed. */
static bool
write_fitting(struct drop_artifact *a, uint64_t allowed)
{
	a->written = summary_write(&a->summary, SUMMARY_WHOLE);
	a->does_pay = pays(a, a->written, a->summary.text.len);
	return a->does_pay && a->written <= allowed;
}

/* Gives the remaining tokens to a digest that left something out, since its room was set in bytes.
 * over is the room that was too much, in tokens, or 0. */
static void
widen(struct drop_artifact *a, uint64_t allowed, size_t over, uint64_t over_tokens)
{
	enum { SPARE = 64 }; /* that part of the tokens stays, so that the next text fits */
	struct summary *summary = &a->summary;
	uint64_t aim = allowed - allowed / SPARE, written = a->written;
	uint32_t lines = summary->gather.lines;
	size_t room = summary->room;
	struct buf text;

	if (!summary_is_cut(summary) || a->written >= aim - aim / SPARE)
		return;
	if (over_tokens > aim)
		summary->room +=
		    (size_t)((over - room) * (aim - a->written) / (over_tokens - a->written));
	else
		summary->room = (size_t)(room * aim / a->written);
	text = summary->text;
	summary->text = (struct buf)BUF_INIT;
	if (write_fitting(a, allowed)) {
		buf_free(&text);
		return;
	}
	buf_free(&summary->text);
	summary->text = text;
	summary->room = room;
	summary->gather.lines = lines;
	summary->gather.outline.is_cut = true;
	a->written = written;
	a->does_pay = true;
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

/* Writes the least artifact, its first line and rules; returns whether it pays and is allowed. */
static bool
write_rules(struct drop_artifact *a, uint64_t allowed, size_t rules)
{
	a->summary.rules = rules;
	a->written = summary_write(&a->summary, SUMMARY_BRIEF);
	return a->written <= allowed && pays(a, a->written, a->summary.text.len);
}

/* Finds the room of rules, which is all, or as much as is allowed and pays. */
static void
find_rules(struct drop_artifact *a, uint64_t allowed)
{
	size_t least = 0, most;

	a->summary.room = 0;
	if (write_rules(a, allowed, SIZE_MAX))
		return;
	most = a->summary.text.len;
	while (most - least > 1) {
		size_t rules = least + (most - least) / 2;

		if (write_rules(a, allowed, rules))
			least = rules;
		else
			most = rules;
	}
	write_rules(a, allowed, least);
}

bool
drop_artifact_write(struct drop_artifact *a)
{
	struct compaction *c = a->compaction;
	struct summary *summary = &a->summary;
	uint64_t left = compaction_used(c) - a->replaced, over_tokens = 0, allowed;
	size_t over = 0, room;

	room = a->bound > 0 ? (size_t)a->bound * SUMMARY_TOKEN_BYTES : summary->room;
	summary->room = room;
	if (a->bound == 0)
		summary_gather(summary, GATHER_NAMES);
	else
		summary_gather(summary, a->how->has_symbols ? GATHER_SYMBOLS : GATHER_DIGEST);
	allowed = c->options->room > left ? c->options->room - left : 0;
	find_rules(a, allowed);
	allowed = allowed_tokens(a, left, a->written);
	summary->room = allowed > 0 ? room : 0;
	while (!write_fitting(a, allowed) && summary->room > 0) {
		over = summary->room;
		over_tokens = a->written;
		summary_shrink(summary, a->written, allowed);
	}
	if (a->does_pay && summary->room > 0)
		widen(a, allowed, over, over_tokens);
	return a->does_pay;
}
