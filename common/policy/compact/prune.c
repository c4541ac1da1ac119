/*
 * prune: long things get short, oldest first, until the target is met. Long results, and long
 * strings in the arguments of calls, keep head and tail. Thinking older than one turn and inline
 * media become placeholders. Error text of unresolved groups is cut. If that is not enough, long
 * results become placeholders. Earlier executions come first, then the current one.
 *
 * Before a budget is refused, the same is done to all entries that need not stay byte for byte. The
 * default recency window comes last:
 *
 *     floor    before the transforms, if the entries that cannot be dropped exceed the budget: long
 *              texts keep head and tail
 *     rest     after the transforms, if the entries that are left exceed the budget: first as in
 *              floor; then, oldest first, arguments and recent results are cut to as much as there
 *              is room for, and results for which there is none become placeholders
 */

#include "policy/compact/prune.h"

#include "data/call_digest.h"
#include "data/texts.h"
#include "policy/compact/drop.h"
#include "policy/compact/shorten.h"
#include "policy/compact/transform.h"
#include "policy/cut.h"
#include "policy/digest/names.h"
#include "policy/recall.h"
#include "policy/rewrite.h"

enum { SHORTENED, REMOVED, ERRORS, RECENT, REQUEST };

enum {
	ARGUMENTS_LEAST = 200, /* longer strings in arguments, in bytes, are cut to fit */
	HARSH = 400,           /* bytes of a text that is long before messages are dropped */
	NAMES_SHOWN = 8        /* in the place of a result that is removed */
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
	STR_INIT("the user's last message, nothing else was left"), STR_INIT("")},
};

static void
shorten_calls(const struct compaction *c, const struct entry *entry, const struct message *message,
    const struct shorten *how, struct json_edit *edit)
{
	const struct session *t = c->session;
	const struct call *call = &t->call[t->group[entry->group].first_call];
	struct call_walk walk;
	struct tool_call from;

	call_walk_open(&walk, message);
	for (; call_walk_next(&walk, &from); call++)
		if (from.arguments.type != JSON_ABSENT)
			shorten_arguments(from.arguments, &call->use, how, edit);
}

static struct shorten
how_to_shorten(const struct compaction *c, const struct entry *entry)
{
	const struct session *t = c->session;

	return (struct shorten){
	    .over = c->options->prune_over,
	    .texts = entry->role == ROLE_TOOL || entry->is_critical,
	    .is_shell = entry->call != NONE && t->call[entry->call].use.op == TOOL_SHELL,
	    .thinking = entry->role == ROLE_ASSISTANT && entry->turn < t->turn_count,
	    .media = true,
	};
}

/* Whether a call of the group, or an earlier one of the same key, has failed. */
static bool
has_failed(const struct compaction *c, const struct group *group)
{
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++)
		if (c->attempts.attempt[i].failures > 0 || c->session->call[i].is_unresolved)
			return true;
	return false;
}

/* The digests of the calls of a message, by which later attempts know them though their arguments
 * are shortened. "" where no call of these keys has failed: nobody asks for them then. */
static struct str
note_keys(const struct compaction *c, const struct entry *entry, struct json_edit *edit)
{
	const struct session *t = c->session;
	const struct group *group = &t->group[entry->group];
	struct buf json = BUF_INIT;
	struct str kept;

	if (!has_failed(c, group))
		return STR("");
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		buf_add_str(&json, json.len > 0 ? STR(",\"") : STR("[\""));
		call_digest_write(t->call[i].name, t->call[i].arguments, &json);
		buf_add_char(&json, '"');
	}
	buf_add_char(&json, ']');
	kept = json_edit_keep(edit, buf_str(&json));
	buf_free(&json);
	return kept;
}

/* Shortens the record that was in the input, so that a text that is cut once more tells truly how
 * much of it went. */
static void
shorten_entry(
    struct compaction *c, uint32_t index, struct shorten how, const struct change_rule *rule)
{
	struct session *t = c->session;
	struct entry original = change_base(t, index);
	struct str keys = STR("");
	struct message message;
	struct json_edit edit;
	uint32_t count;

	entry_parse(&original, &message);
	how.recall = recall_command(t, index);
	json_edit_init(&edit, entry_text(&original));
	shorten_content(&message, &how, &edit);
	count = edit.count;
	if (original.has_calls)
		shorten_calls(c, &original, &message, &how, &edit);
	if (edit.count > count)
		keys = note_keys(c, &original, &edit);
	if (edit.count > 0)
		rewrite_edit(t, index, rule, &message, &edit, keys, c->estimator);
	json_edit_free(&edit);
}

static bool
is_open_failure(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return compaction_is_failure(c, index) && entry->is_error && !entry->is_compacted;
}

static void
shorten_all(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_is_done(c); i++) {
		if (c->keep[i] > KEEP_UNRESOLVED || !compaction_is_in(c, i, current))
			continue;
		if (is_open_failure(c, i))
			cut_content(
			    c->session, i, &rules[ERRORS], c->options->error_tokens, c->estimator);
		else if (compaction_may_change(c, i) && !c->session->entry[i].is_summary)
			shorten_entry(
			    c, i, how_to_shorten(c, &c->session->entry[i]), &rules[SHORTENED]);
	}
}

/* Puts a placeholder in the place of the result, with the first names of what it was, or without
 * them if they are too much. */
static void
remove_result(struct compaction *c, uint32_t index)
{
	struct entry original = change_base(c->session, index);
	struct buf text = BUF_INIT;
	struct message message;

	entry_parse(&original, &message);
	buf_add_str(&text, STR(REMOVED_START ": "));
	if (names_list(&message, NAMES_SHOWN, &text) == 0)
		text.len -= strlen(": ");
	buf_add_char(&text, ']');
	if (!rewrite_content(c->session, index, &rules[REMOVED], buf_str(&text), c->estimator))
		rewrite_content(
		    c->session, index, &rules[REMOVED], rules[REMOVED].placeholder, c->estimator);
	buf_free(&text);
}

/* Whether a result is longer than that, or was long before it was cut. */
static bool
is_long_result(const struct compaction *c, const struct entry *entry, uint64_t over)
{
	struct message message;

	if (entry->role != ROLE_TOOL || entry->is_dropped ||
	    recall_is_result(c->session, (uint32_t)(entry - c->session->entry)))
		return false;
	if (entry->is_compacted)
		return cut_is_in(entry_text(entry));
	if (entry->len <= over)
		return false;
	entry_parse(entry, &message);
	return message_text_len(&message) > over;
}

static void
remove_all(struct compaction *c, bool current, uint64_t over)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_fits(c); i++)
		if ((c->keep[i] == KEEP_NOT || c->keep[i] == KEEP_SIBLING) &&
		    !compaction_is_failure(c, i) && compaction_is_in(c, i, current) &&
		    is_long_result(c, &c->session->entry[i], over))
			remove_result(c, i);
}

/* Before messages are dropped: strings in arguments that are not very short are cut, oldest first,
 * and such results become placeholders. What is doomed goes in any case, and asks for nothing. */
static void
be_harsh(struct compaction *c, bool current)
{
	struct session *t = c->session;

	for (uint32_t i = 0; i < t->count && compaction_used(c) > c->options->target; i++) {
		struct shorten how = {.over = HARSH};

		if (!t->entry[i].has_calls || t->entry[i].len <= HARSH ||
		    (c->keep[i] != KEEP_NOT && c->keep[i] != KEEP_SIBLING) ||
		    !compaction_is_in(c, i, current) || !compaction_may_change(c, i))
			continue;
		shorten_entry(c, i, how, &rules[SHORTENED]);
	}
	if (compaction_used(c) > c->options->target)
		remove_all(c, current, HARSH);
}

/* Shortens an entry that keeps a goal from being reached; a result becomes a placeholder if that is
 * not enough. */
static void
reach_by(struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];
	uint32_t mark = change_mark(c->session);

	shorten_entry(c, index, how_to_shorten(c, entry), &rules[SHORTENED]);
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
	shorten_all(c, false);
	remove_all(c, false, c->options->prune_over);
	shorten_all(c, true);
	remove_all(c, true, c->options->prune_over);
	if (c->options->prune_over > HARSH && drop_keeps_by_value(c)) {
		be_harsh(c, false);
		be_harsh(c, true);
	}
	goals_measure(&c->goals);
	reach_goals(c, false);
	reach_goals(c, true);
}

/* A result keeps head and tail, and so do the strings in the arguments of a call. */
static void
halve(struct compaction *c, uint32_t index, uint64_t over)
{
	const struct entry *entry = &c->session->entry[index];
	struct shorten how = how_to_shorten(c, entry);

	(void)over;
	how.thinking = false;
	if (entry->is_compacted)
		return;
	if (keep_is_failure(c->session, &c->attempts, index))
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
	struct shorten how = how_to_shorten(c, &c->session->entry[index]);

	how.thinking = how.thinking && c->keep[index] <= KEEP_NOT;
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

	if (keep_is_failure(t, &c->attempts, index) ||
	    (entry->is_compacted && change_of(t, index) == NULL &&
		!(entry->role == ROLE_TOOL && cut_is_in(entry_text(entry)))))
		return;
	if (entry->has_calls && c->options->prune_over > ARGUMENTS_LEAST)
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
	    !keep_is_failure(c->session, &c->attempts, index))
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
	uint64_t used = drop_keeps_by_value(c) ? drop_bound(c) / 2 : 0;

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

void
prune_rest(struct compaction *c)
{
	uint64_t room = c->options->room, used = compaction_used(c);

	if (used <= room)
		return;
	used = squeeze(c, used, room, KEEP_UNRESOLVED, KEEP_UNRESOLVED, halve);
	if (c->cuts_critical)
		used = squeeze(c, used, room, KEEP_CRITICAL, KEEP_CRITICAL, halve);
	used = squeeze(c, used, room, KEEP_RECENT, KEEP_RECENT, halve);
	used = squeeze(c, used, room, KEEP_NOT, KEEP_UNRESOLVED, fit);
	squeeze(c, used, room, KEEP_RECENT, KEEP_RECENT, fit);
}

void
prune_request(struct compaction *c)
{
	uint64_t used = compaction_used(c), room = c->options->room, keep;
	uint32_t index = c->request.newest;

	if (used <= room || index == NONE || c->keep[index] != KEEP_REQUEST ||
	    c->session->entry[index].is_pinned)
		return;
	keep = weigh_entry(c->session, index, c->estimator);
	keep = keep > used - room + c->options->error_tokens ? keep - (used - room) :
							       c->options->error_tokens;
	if (cut_content(c->session, index, &rules[REQUEST], keep, c->estimator))
		c->cut = index;
}

const struct transform prune_transform = {
    STR_INIT("prune"), NULL, run, rules, sizeof rules / sizeof rules[0], NULL};
