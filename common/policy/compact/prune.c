/*
 * prune: long things get short, oldest first, until the target is met. Passing tests and lines that
 * repeat an edit are condensed in results (policy/summary/condense.h). Long results, and long
 * strings in the arguments of calls, keep head and tail. Thinking older than one turn and inline
 * media become placeholders. Error text of unresolved groups is cut. If that is not enough, long
 * results become placeholders; after summarize or symbolize, where there is room for a digest,
 * which says more of what went. Earlier executions come first, then the current one.
 *
 * Before a budget is refused, the same is done to all entries that need not stay byte for byte. The
 * default recency window comes last; and with best effort, what the user asked:
 *
 *     requests before the transforms: what the user asked keeps head and tail, the longest first,
 *              until what stays byte for byte takes at most half of the budget
 *     floor    before the transforms, if the entries that cannot be dropped exceed the budget: long
 *              texts keep head and tail
 *     rest     after the transforms, if the entries that are left exceed the budget: first as in
 *              floor; then, oldest first, arguments and recent results are cut to as much as there
 *              is room for, and results for which there is none become placeholders; what was
 *              asked is cut again
 */

#include "policy/compact/prune.h"

#include "base/bounded.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "policy/compact/drop.h"
#include "policy/compact/shorten_entry.h"
#include "policy/compact/transform.h"
#include "policy/text/cut.h"
#include "policy/digest/line_class.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

enum { SHORTENED, REMOVED, ERRORS, RECENT, REQUEST, PASSED, REPEATED };

enum {
	ARGUMENTS_LEAST = 200, /* longer strings in arguments, in bytes, are cut to fit */
	SHOWN = 80             /* bytes of a line in the place of a result that is removed */
};

#define REMOVED_START "[old result removed"

static const struct change_rule rules[] = {
    [SHORTENED] = {STR_INIT("shortened"), STR_INIT("prune"), STR_INIT("long"), STR_INIT("")},
    [REMOVED] = {STR_INIT("removed"), STR_INIT("prune"), STR_INIT("long result"),
	STR_INIT(REMOVED_START "]")},
    [ERRORS] = {STR_INIT("errors"), STR_INIT("prune"), STR_INIT("long error text"), STR_INIT("")},
    /* The shortest placeholder of all: it may take the place of each other one. */
    [RECENT] = {STR_INIT("recent"), STR_INIT("prune"), STR_INIT("more than the window holds"),
	STR_INIT("[result removed]")},
    [REQUEST] = {STR_INIT("request"), STR_INIT("prune"),
	STR_INIT("what the user asked, nothing else was left"), STR_INIT("")},
    [PASSED] = {STR_INIT("passed"), STR_INIT("prune"), STR_INIT("passing tests"), STR_INIT("")},
    [REPEATED] = {STR_INIT("repeated"), STR_INIT("prune"), STR_INIT("repeats the edit"),
	STR_INIT("")},
};

static bool
is_open_failure(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return compaction_is_failure(c, index) && entry->is_error && !entry->is_compacted;
}

/* About the bytes over which a text is long. */
static uint64_t
long_bytes(const struct compaction *c)
{
	enum { TOKEN_BYTES = 4 };

	return c->options->prune_in_tokens ? bounded_multiply(c->options->prune_over, TOKEN_BYTES) :
					     c->options->prune_over;
}

/* Condenses the lines of a result that say little. */
static void
condense(struct compaction *c, uint32_t index)
{
	static const struct change_rule *const rule[] = {
	    [CONDENSE_TESTS] = &rules[PASSED], [CONDENSE_EDIT] = &rules[REPEATED]};
	const struct session *t = c->session;
	const struct entry *entry = &t->entry[index];
	struct shorten how = {.over = SIZE_MAX, .texts = true};
	enum condense_kind kind;

	if (entry->role != ROLE_TOOL || entry->call == NONE)
		return;
	kind = condense_kind_of(&t->call[entry->call]);
	if (kind != CONDENSE_NOTHING)
		shorten_entry(c, index, how, rule[kind]);
}

/* Whether this run has condensed the result, and done nothing else to it. */
static bool
is_condensed(const struct session *t, uint32_t index)
{
	const struct change *change = change_of(t, index);

	return change != NULL &&
	    (change->rule == &rules[PASSED] || change->rule == &rules[REPEATED]);
}

static void
condense_all(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_is_done(c); i++)
		if (compaction_is_in(c, i, current) && compaction_may_change(c, i) &&
		    !compaction_is_failure(c, i))
			condense(c, i);
}

/* An error is condensed if that makes it short enough, and cut otherwise. */
static void
shorten_failure(struct compaction *c, uint32_t index)
{
	uint32_t mark = change_mark(c->session);
	uint64_t most = c->options->error_tokens;

	if (weigh_entry(c->session, index, c->estimator) <= most)
		return;
	condense(c, index);
	if (weigh_entry(c->session, index, c->estimator) <= most)
		return;
	compaction_undo(c, mark);
	cut_content(c->session, index, &rules[ERRORS], most, c->estimator);
}

/* About the tokens that cutting the texts of an entry to so many bytes saves. */
static uint64_t
saved_by_cut(const struct compaction *c, uint32_t index, bool current, uint64_t keep)
{
	/* Tokens of the line between head and tail, and bytes of the record around the text. */
	enum { MARK = 12, FRAME = 96 };
	const struct entry *entry = &c->session->entry[index];
	uint64_t len = entry->len > 2 * FRAME ? entry->len - FRAME : entry->len / 2 + 1;
	uint64_t cut = MARK + entry->tokens * keep / len;

	return entry->len > c->options->prune_over && cut < entry->tokens &&
		compaction_may_change(c, index) && compaction_is_in(c, index, current) ?
	    entry->tokens - cut :
	    0;
}

/* The bytes to which long texts are cut. Where cutting the oldest ones is enough, these keep as
 * much as the target has room for. Else, or when every transform is to run, 0: half of what is
 * long. */
static size_t
find_keep(struct compaction *c, bool current)
{
	enum { SPARE = 16 }; /* that part of the target, since bytes are no tokens */
	uint64_t keep = c->options->prune_over / 2, above = keep, over = 0, saved = 0;
	uint64_t target = c->options->target - c->options->target / SPARE;
	uint32_t end = 0;

	if (c->options->force || c->options->prune_in_tokens || c->doomed > 0 ||
	    compaction_used(c) <= target)
		return 0;
	over = compaction_used(c) - target;
	for (; end < c->session->count && saved < over; end++) {
		saved += saved_by_cut(c, end, current, keep);
		if (c->session->entry[end].len > above)
			above = c->session->entry[end].len;
	}
	while (saved >= over && keep + 1 < above) {
		uint64_t middle = keep + (above - keep) / 2, by_middle = 0;

		for (uint32_t i = 0; i < end; i++)
			by_middle += saved_by_cut(c, i, current, middle);
		if (by_middle >= over)
			keep = middle;
		else
			above = middle;
	}
	return saved >= over ? keep : 0;
}

static void
shorten_all(struct compaction *c, bool current)
{
	size_t keep = find_keep(c, current);
	struct session *t = c->session;

	for (uint32_t i = 0; i < t->count && !compaction_is_done(c); i++) {
		if (c->keep[i] > KEEP_UNRESOLVED || !compaction_is_in(c, i, current))
			continue;
		if (is_open_failure(c, i)) {
			shorten_failure(c, i);
		} else if ((compaction_may_change(c, i) && !t->entry[i].is_summary) ||
		    is_condensed(t, i)) {
			struct shorten how = shorten_entry_how(c, i);

			how.keep = keep;
			shorten_entry(c, i, how, &rules[SHORTENED]);
		}
	}
}

/* Whether the artifact of a later transform tells of what went, better than placeholders do. */
static bool
has_digest(const struct compaction *c)
{
	return drop_keeps_by_value(c) && drop_bound(c) > 0;
}

/* The line of the result that says most (policy/digest/line_class.h), or "". */
static struct str
find_telling(const struct session *t, uint32_t index, struct str text)
{
	const struct entry *entry = &t->entry[index];
	bool is_output = entry->call != NONE && t->call[entry->call].use.op == TOOL_SHELL;
	enum line_class best = LINE_NOISE;
	struct str telling = STR("");

	while (text.len > 0 && best < LINE_ERROR) {
		struct str line = line_class_bare(str_take_line(&text));
		enum line_class class = line_class_of(line, is_output);

		if (class > best) {
			best = class;
			telling = line;
		}
	}
	return telling;
}

/* Puts a placeholder in the place of the result, with the line of it that says most, or without
 * one if that is too much. */
static void
remove_result(struct compaction *c, uint32_t index)
{
	struct entry original = change_base(c->session, index);
	struct buf content = BUF_INIT, text = BUF_INIT;
	struct message message;
	struct str telling;

	entry_parse(&original, &message);
	message_read_text(&message, &content);
	telling = find_telling(c->session, index, buf_str(&content));
	buf_add_str(&text, STR(REMOVED_START));
	if (telling.len > 0) {
		buf_add_str(&text, STR(": "));
		text_add_visible(&text,
		    str_of(telling.ptr,
			telling.len > SHOWN ? utf8_floor(telling, SHOWN) : telling.len));
		buf_add_str(&text, telling.len > SHOWN ? STR(" …") : STR(""));
	}
	buf_add_char(&text, ']');
	if (!rewrite_content(c->session, index, &rules[REMOVED], buf_str(&text), c->estimator))
		rewrite_content(
		    c->session, index, &rules[REMOVED], rules[REMOVED].placeholder, c->estimator);
	buf_free(&content);
	buf_free(&text);
}

/* Whether a text of the entry is longer than prune leaves it. */
static bool
is_long(const struct compaction *c, const struct entry *entry)
{
	uint64_t over = c->options->prune_over;
	struct buf text = BUF_INIT;
	struct message message;
	bool is;

	if (entry->len <= over)
		return false;
	entry_parse(entry, &message);
	if (message_text_len(&message) <= over)
		return false;
	if (!c->options->prune_in_tokens)
		return true;
	message_read_text(&message, &text);
	is = estimate_text(c->estimator, buf_str(&text)) > over;
	buf_free(&text);
	return is;
}

/* Whether a result is long, or was before it was cut. */
static bool
is_long_result(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	if (entry->role != ROLE_TOOL || entry->is_dropped || recall_is_result(c->session, index))
		return false;
	if (entry->is_compacted && cut_is_in(entry_text(entry)))
		return true;
	if (entry->is_compacted && !condense_is_in(entry_text(entry)))
		return false;
	return is_long(c, entry);
}

static void
remove_all(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_fits(c); i++)
		if ((c->keep[i] == KEEP_NOT || c->keep[i] == KEEP_SIBLING) &&
		    !compaction_is_failure(c, i) && compaction_is_in(c, i, current) &&
		    is_long_result(c, i))
			remove_result(c, i);
}

/* Shortens an entry that keeps a goal from being reached; a result becomes a placeholder if that is
 * not enough. */
static void
reach_by(struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];
	uint32_t mark = change_mark(c->session);

	shorten_entry(c, index, shorten_entry_how(c, index), &rules[SHORTENED]);
	compaction_settle_goals(c, index, mark);
	if (entry->role != ROLE_TOOL || !compaction_is_wanted(c, index))
		return;
	mark = change_mark(c->session);
	rewrite_content(
	    c->session, index, &rules[REMOVED], rules[REMOVED].placeholder, c->estimator);
	compaction_settle_goals(c, index, mark);
}

static void
reach_goals(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count; i++)
		if (compaction_is_wanted(c, i) && compaction_may_change(c, i) &&
		    compaction_is_in(c, i, current))
			reach_by(c, i);
}

static void
run(struct compaction *c)
{
	bool removes = !has_digest(c);

	condense_all(c, false);
	condense_all(c, true);
	shorten_all(c, false);
	if (removes)
		remove_all(c, false);
	shorten_all(c, true);
	if (removes)
		remove_all(c, true);
	goals_measure(&c->goals);
	reach_goals(c, false);
	reach_goals(c, true);
}

/* A result keeps head and tail, and so do the strings in the arguments of a call. */
static void
halve(struct compaction *c, uint32_t index, uint64_t over)
{
	const struct entry *entry = &c->session->entry[index];
	struct shorten how = shorten_entry_how(c, index);

	(void)over;
	how.thinking = false;
	if (entry->is_compacted)
		return;
	if (keep_is_failure(c->session, index))
		cut_content(
		    c->session, index, &rules[RECENT], c->options->error_tokens, c->estimator);
	else
		shorten_entry(c, index, how, &rules[RECENT]);
}

/* Cuts the strings in arguments to half as much, and again, until the entry has no more than that
 * many tokens or the strings are short. */
static void
fit_arguments(struct compaction *c, uint32_t index, uint64_t tokens)
{
	struct shorten how = shorten_entry_how(c, index);

	how.thinking = how.thinking && c->keep[index] <= KEEP_NOT;
	how.over = long_bytes(c);
	how.in_tokens = NULL;
	do {
		how.over = how.over / 2 > ARGUMENTS_LEAST ? how.over / 2 : ARGUMENTS_LEAST;
		shorten_entry(c, index, how, &rules[RECENT]);
	} while (
	    how.over > ARGUMENTS_LEAST && weigh_entry(c->session, index, c->estimator) > tokens);
}

/* Fits an entry into a budget that is exceeded by over tokens. A recent result keeps as much as
 * there is room for; another result becomes a placeholder. Strings in arguments keep head and tail.
 * A result that an earlier compaction cut becomes a placeholder too. */
static void
fit(struct compaction *c, uint32_t index, uint64_t over)
{
	enum { LEAST = 32 };
	struct session *t = c->session;
	const struct entry *entry = &t->entry[index];

	if (keep_is_failure(t, index) ||
	    (entry->is_compacted && change_of(t, index) == NULL &&
		!(entry->role == ROLE_TOOL &&
		    (cut_is_in(entry_text(entry)) || condense_is_in(entry_text(entry))))))
		return;
	if (entry->has_calls && long_bytes(c) > ARGUMENTS_LEAST)
		fit_arguments(c, index, entry->tokens > over ? entry->tokens - over : 0);
	if (entry->role != ROLE_TOOL ||
	    (c->keep[index] == KEEP_RECENT && entry->tokens > over + LEAST &&
		cut_content(t, index, &rules[RECENT], entry->tokens - over, c->estimator)))
		return;
	rewrite_content(t, index, &rules[RECENT], rules[RECENT].placeholder, c->estimator);
}

/* Cuts a recent result that leaves the digest no room. */
static void
trim(struct compaction *c, uint32_t index, uint64_t over)
{
	enum { LEAST = 64 };
	const struct entry *entry = &c->session->entry[index];

	if (entry->role == ROLE_TOOL && entry->tokens > over + LEAST &&
	    !keep_is_failure(c->session, index))
		cut_content(c->session, index, &rules[RECENT], entry->tokens - over, c->estimator);
}

/* Does the deed to results and calls whose reason is from first to last, the oldest first, as long
 * as used is over the limit. Returns the new used. */
static uint64_t
squeeze(struct compaction *c, uint64_t used, uint64_t limit, enum keep first, enum keep last,
    void (*deed)(struct compaction *c, uint32_t index, uint64_t over))
{
	for (uint32_t i = 0; i < c->session->count && used > limit; i++) {
		const struct entry *entry = &c->session->entry[i];

		if (c->keep[i] < first || c->keep[i] > last || entry->is_dropped ||
		    (entry->role != ROLE_TOOL && !entry->has_calls && c->keep[i] != KEEP_CRITICAL))
			continue;
		used -= weigh_entry(c->session, i, c->estimator);
		deed(c, i, used + entry->tokens - limit);
		used += weigh_entry(c->session, i, c->estimator);
	}
	return used;
}

void
prune_floor(struct compaction *c)
{
	uint64_t used = 0;

	if (drop_keeps_by_value(c))
		used = number_least(drop_bound(c) / 2, c->options->target / 10);
	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] > KEEP_NOT)
			used += weigh_entry(c->session, i, c->estimator);
	if (used <= c->options->room || !weigh_exceeds(c->session, c->options->room, c->estimator))
		return;
	used = squeeze(c, used, c->options->room, KEEP_SIBLING, KEEP_UNRESOLVED, halve);
	if (used > c->options->room)
		used = squeeze(c, used, c->options->target, KEEP_RECENT, KEEP_RECENT, halve);
	squeeze(c, used, c->options->room, KEEP_RECENT, KEEP_RECENT, trim);
}

/* What is saved when no message that the user asked has more tokens than that. */
static uint64_t
saved_by(const struct compaction *c, uint64_t most)
{
	const struct session *t = c->session;
	uint64_t saved = 0;

	for (uint32_t i = 0; i < t->count; i++)
		if (compaction_is_cuttable(c, i) && t->entry[i].tokens > most)
			saved += t->entry[i].tokens - most;
	return saved;
}

/* Cuts what the user asked by so many tokens in all, the longest first: down to the most tokens
 * with which that is reached, but not to fewer than least. */
static void
cut_requests(struct compaction *c, uint64_t over, uint64_t least)
{
	uint64_t most = least, above = UINT32_MAX;

	while (most + 1 < above) {
		uint64_t middle = most + (above - most) / 2;

		if (saved_by(c, middle) >= over)
			most = middle;
		else
			above = middle;
	}
	for (uint32_t i = 0; i < c->session->count; i++)
		if (compaction_is_cuttable(c, i))
			cut_content_again(c->session, i, &rules[REQUEST], most, c->estimator);
}

void
prune_requests(struct compaction *c)
{
	enum { SHARE = 8 };
	uint64_t room = c->options->room, verbatim = 0;
	uint64_t least = room / SHARE;

	if (!c->cuts_requests)
		return;
	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] >= KEEP_WINDOW)
			verbatim += weigh_entry(c->session, i, c->estimator);
	if (least > c->options->error_tokens)
		least = c->options->error_tokens;
	if (verbatim > room / 2)
		cut_requests(c, verbatim - room / 2, least);
}

void
prune_rest(struct compaction *c)
{
	enum { LEAST = 32 };
	uint64_t room = c->options->room, used;

	if (has_digest(c)) {
		remove_all(c, false);
		remove_all(c, true);
	}
	used = compaction_used(c);
	if (used <= room)
		return;
	used = squeeze(c, used, room, KEEP_UNRESOLVED, KEEP_UNRESOLVED, halve);
	if (c->cuts_critical)
		used = squeeze(c, used, room, KEEP_CRITICAL, KEEP_CRITICAL, halve);
	used = squeeze(c, used, room, KEEP_RECENT, KEEP_RECENT, halve);
	used = squeeze(c, used, room, KEEP_NOT, KEEP_UNRESOLVED, fit);
	used = squeeze(c, used, room, KEEP_RECENT, KEEP_RECENT, fit);
	if (used > room && c->cuts_requests)
		cut_requests(c, used - room, LEAST);
}

const struct transform prune_transform = {
    STR_INIT("prune"), NULL, run, rules, sizeof rules / sizeof rules[0], NULL};
