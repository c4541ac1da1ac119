/*
 * prune: long things get short, oldest first, until the target is met: results and the strings in
 * tool call arguments that are over a size keep head and tail, thinking older than one turn and
 * inline media become placeholders, error text of unresolved groups is cut. If that is not enough,
 * results that were cut become placeholders. Earlier executions come first, then the current one.
 */

#include "data/texts.h"
#include "policy/compact/shorten.h"
#include "policy/compact/transform.h"
#include "policy/cut.h"
#include "policy/rewrite.h"

enum { SHORTENED, REMOVED, ERRORS };

static const struct change_rule rules[] = {
    [SHORTENED] = {STR_INIT("shortened"), STR_INIT("prune"), STR_INIT("long"), STR_INIT("")},
    [REMOVED] = {STR_INIT("removed"), STR_INIT("prune"), STR_INIT("long result"),
	STR_INIT("[old result removed]")},
    [ERRORS] = {STR_INIT("errors"), STR_INIT("prune"), STR_INIT("long error text"), STR_INIT("")},
};

static void
shorten_calls(const struct compaction *c, const struct entry *entry, const struct message *message,
    struct json_edit *edit)
{
	const struct session *t = c->session;
	const struct call *call = &t->call[t->group[entry->group].first_call];
	struct call_walk walk;
	struct tool_call from;

	call_walk_open(&walk, message);
	for (; call_walk_next(&walk, &from); call++)
		if (from.arguments.type != JSON_ABSENT)
			shorten_arguments(from.arguments, &call->use, c->options->prune_over, edit);
}

static struct shorten
how_to_shorten(const struct compaction *c, const struct entry *entry)
{
	const struct session *t = c->session;

	return (struct shorten){
	    .over = c->options->prune_over,
	    .texts = entry->role == ROLE_TOOL,
	    .is_shell = entry->call != NONE && t->call[entry->call].use.op == TOOL_SHELL,
	    .thinking = entry->role == ROLE_ASSISTANT && entry->turn < t->turn_count,
	    .media = true,
	};
}

static void
shorten_entry(struct compaction *c, uint32_t index)
{
	struct session *t = c->session;
	const struct entry *entry = &t->entry[index];
	struct shorten how = how_to_shorten(c, entry);
	struct message message;
	struct json_edit edit;

	entry_parse(entry, &message);
	json_edit_init(&edit, entry_text(entry));
	shorten_content(message.content, &how, &edit);
	if (entry->has_calls)
		shorten_calls(c, entry, &message, &edit);
	if (edit.count > 0)
		rewrite_edit(t, index, &rules[SHORTENED], &message, &edit, c->estimator);
	json_edit_free(&edit);
}

static bool
is_open_failure(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return c->keep[index] == KEEP_UNRESOLVED && entry->role == ROLE_TOOL && entry->is_error &&
	    !entry->is_compacted;
}

static void
shorten_all(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_is_done(c); i++) {
		if (c->keep[i] > KEEP_UNRESOLVED || !compaction_is_in(c, i, current))
			continue;
		if (is_open_failure(c, i))
			cut_content(c->session, i, &rules[ERRORS], c->options->error_tokens,
			    c->estimator);
		else if (compaction_may_change(c, i) && !c->session->entry[i].is_summary)
			shorten_entry(c, i);
	}
}

/* Whether a result is long, or was long before it was cut. */
static bool
is_long_result(const struct compaction *c, const struct entry *entry)
{
	struct message message;

	if (entry->role != ROLE_TOOL || entry->is_dropped)
		return false;
	if (entry->is_compacted)
		return cut_is_in(entry_text(entry));
	if (entry->len <= c->options->prune_over)
		return false;
	entry_parse(entry, &message);
	return message_text_len(&message) > c->options->prune_over;
}

static void
remove_all(struct compaction *c, bool current)
{
	for (uint32_t i = 0; i < c->session->count && !compaction_fits(c); i++)
		if (c->keep[i] == KEEP_NOT && compaction_is_in(c, i, current) &&
		    is_long_result(c, &c->session->entry[i]))
			rewrite_content(c->session, i, &rules[REMOVED], rules[REMOVED].placeholder,
			    c->estimator);
}

static void
run(struct compaction *c)
{
	shorten_all(c, false);
	remove_all(c, false);
	shorten_all(c, true);
	remove_all(c, true);
}

const struct transform prune_transform = {STR_INIT("prune"), NULL, run, rules,
    sizeof rules / sizeof rules[0]};
