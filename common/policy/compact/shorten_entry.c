#include "policy/compact/shorten_entry.h"

#include "policy/call_keys.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

struct shorten
shorten_entry_how(const struct compaction *c, uint32_t index, unsigned what)
{
	const struct session *t = c->session;
	const struct entry *entry = &t->entry[index];
	bool is_long = entry->role == ROLE_TOOL || entry->is_critical;

	return (struct shorten){
	    .over = what == SHORTEN_LINES ? SIZE_MAX : c->options->prune_over,
	    .in_tokens = c->options->prune_in_tokens ? c->estimator : NULL,
	    .texts = what == SHORTEN_ANY_TEXT ||
		(is_long && (what & (SHORTEN_TEXTS | SHORTEN_LINES)) != 0),
	    .is_shell = what != SHORTEN_ANY_TEXT && entry->call != NONE &&
		t->call[entry->call].use.op == TOOL_SHELL,
	    .thinking = (what & SHORTEN_THINKING) != 0 && entry->role == ROLE_ASSISTANT &&
		entry->turn < c->answered,
	    .media = (what & SHORTEN_MEDIA) != 0,
	    .condenses = (what & SHORTEN_LINES) != 0,
	    .arguments = (what & SHORTEN_ARGUMENTS) != 0,
	};
}

/* Whether a call of the group, or one of the same key, has failed. */
static bool
has_failed(const struct compaction *c, const struct group *group)
{
	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++)
		if (attempts_has_failed(&c->attempts, i) || c->session->call[i].is_unresolved)
			return true;
	return false;
}

/* The digests of the calls of a message. "" if no call of these keys has failed, since the digests
 * are not needed then. */
static struct str
note_keys(const struct compaction *c, const struct entry *entry, struct json_edit *edit)
{
	const struct session *t = c->session;
	const struct group *group = &t->group[entry->group];

	return has_failed(c, group) ? call_keys_of(t, group, edit) : STR("");
}

void
shorten_entry(
    struct compaction *c, uint32_t index, struct shorten how, const struct change_rule *rule)
{
	struct session *t = c->session;
	struct entry original = change_base(t, index);
	struct condense condense = {.kind = CONDENSE_NOTHING};
	struct str keys = STR("");
	struct message message;
	struct json_edit edit;
	uint32_t count;

	if (original.role == ROLE_TOOL && original.call != NONE && how.texts && how.condenses)
		condense_open(&condense, &t->call[original.call]);
	/* No text is longer than the record. */
	if (condense.kind == CONDENSE_NOTHING && original.len <= how.over &&
	    (original.is_text || !how.thinking))
		return;
	entry_parse(&original, &message);
	how.recall = recall_clause(t, index);
	how.condense = &condense;
	json_edit_init(&edit, entry_text(&original));
	shorten_content(&message, &how, &edit);
	count = edit.count;
	if (original.has_calls && how.arguments) {
		const struct call *call = &t->call[t->group[original.group].first_call];
		struct tool_call from;

		for (struct call_walk walk = call_walk_of(&message); call_walk_next(&walk, &from);
		     call++)
			if (from.arguments.type != JSON_ABSENT)
				shorten_arguments(from.arguments, &call->use, &how, &edit);
	}
	if (edit.count > count)
		keys = note_keys(c, &original, &edit);
	if (edit.count > 0)
		rewrite_edit(t, index, rule, &message, &edit, keys, c->estimator);
	json_edit_free(&edit);
	condense_close(&condense);
}
