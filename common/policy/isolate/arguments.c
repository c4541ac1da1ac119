#include "policy/isolate/arguments.h"

#include "data/session/session_calls.h"
#include "policy/attempts.h"
#include "policy/call_keys.h"
#include "policy/compact/shorten.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

static const struct change_rule masked = {
    STR_INIT("arguments"), STR_INIT("mask"), STR_INIT("old arguments"), STR_INIT("")};

static bool
is_asked(const struct isolation *isolation, uint32_t call)
{
	const struct session *t = &isolation->window.held.session;

	switch (isolation->options.arguments) {
	case ISOLATION_ARGUMENTS_KEEP:
		return false;
	case ISOLATION_ARGUMENTS_FAILED:
		return attempts_call_failed(t, &t->call[call]);
	case ISOLATION_ARGUMENTS_REDONE:
		return isolation->is_redone[call];
	case ISOLATION_ARGUMENTS_ALL:
		break;
	}
	return true;
}

bool
arguments_are_asked(const struct isolation *isolation, const struct group *group)
{
	const struct entry *head = &isolation->window.held.session.entry[group->entry];

	return isolation->options.arguments != ISOLATION_ARGUMENTS_KEEP && head->is_trace &&
	    !head->is_compacted && head->len > isolation->options.min_tokens;
}

void
arguments_mask(struct isolation *isolation, const struct group *group)
{
	struct session *t = isolation_session(isolation);
	const struct entry *head = &t->entry[group->entry];
	struct shorten how = {.over = isolation->options.min_tokens,
	    .in_tokens = isolation->estimator,
	    .is_masked = true,
	    .recall = recall_clause(t, group->entry)};
	struct message message;
	struct json_edit edit;
	struct call_walk walk;
	struct tool_call from;

	entry_parse(head, &message);
	json_edit_init(&edit, entry_text(head));
	walk = call_walk_of(&message);
	for (uint32_t i = group->first_call; call_walk_next(&walk, &from); i++)
		if (from.arguments.type != JSON_ABSENT && is_asked(isolation, i))
			shorten_arguments(from.arguments, &session_use(t, i)->use, &how, &edit);
	if (edit.count > 0)
		rewrite_edit(t, group->entry, &masked, &message, &edit,
		    call_keys_of(t, group, &edit), isolation->estimator);
	json_edit_free(&edit);
}
