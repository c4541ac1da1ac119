/*
 * Why a budget cannot be met: the largest messages and groups that stay, the reason for each, and
 * the option that would let it be reduced.
 */
#include "job.h"

#include "base/diag.h"
#include "data/message/texts.h"
#include "policy/compact/edit_rows.h"
#include "policy/compact/shorten_entry.h"
#include "policy/drop/drop_how.h"
#include "policy/summary/summary.h"
#include "policy/text/cut.h"

/* The option that makes the window smaller. */
static const char *
window_option(const struct job *job)
{
	const struct options *options = job->options;

	if (options->keep_turns_given)
		return "--keep-turns";
	return options->keep_messages_given ? "--keep-messages" : "--keep-tokens";
}

/* Whether the entry would give way with the default window: there, a member of a group may be cut,
 * and all entries except the newest may be left out of the window. */
static bool
gives_way(const struct job *job, uint32_t index)
{
	return index != job->compaction.newest || job->held.session.entry[index].group != NONE;
}

/* Whether the pipeline has a transform that dropped all that it may and writes a smaller
 * artifact. */
static bool
has_dropped(const struct job *job)
{
	return drop_how_of(job->pipeline) != NULL;
}

const char *
refusal_reason(const struct job *job, uint32_t index)
{
	enum keep keep = (enum keep)job->compaction.keep[index];

	if (index == job->compaction.artifact)
		return "artifact";
	if ((keep != KEEP_NOT && keep != KEEP_DOOMED) || !has_dropped(job))
		return keep_name(keep);
	return summary_is(&job->held.session.entry[index]) ? "the newest summary" :
							     "no artifact would be smaller";
}

/* Whether the message has a text of which head and tail can be kept, or inline media. */
static bool
can_be_cut(const struct job *job, uint32_t index)
{
	struct shorten how = shorten_entry_how(&job->compaction, index, SHORTEN_MEDIA);
	struct message message;

	entry_parse(&job->held.session.entry[index], &message);
	return cut_is_worth(message_text_len(&message)) || shorten_has_media(&message, &how);
}

const char *
refusal_option(const struct job *job, uint32_t index)
{
	switch ((enum keep)job->compaction.keep[index]) {
	case KEEP_SIBLING:
	case KEEP_UNRESOLVED:
		return "--error-tokens";
	case KEEP_RECENT:
		return NULL; /* only the newest: it is in every window, and has given way */
	case KEEP_WINDOW:
		return gives_way(job, index) ? window_option(job) : NULL;
	case KEEP_UNSELECTED:
		return "--select";
	case KEEP_PROTECTED:
		return "--protect";
	case KEEP_OPEN:
		return "--execution";
	case KEEP_FROZEN:
		return "--bad-lines";
	case KEEP_REQUEST:
	case KEEP_FRAMING:
		return job->options->best_effort || !can_be_cut(job, index) ||
			!edit_rows_reach_requests(job->pipeline) ?
		    NULL :
		    "--best-effort";
	case KEEP_DOOMED:
	case KEEP_NOT:
		return index == job->compaction.artifact || has_dropped(job) ? NULL : "--pipeline";
	case KEEP_CACHED: /* given up before a budget is refused */
	case KEEP_CRITICAL:
	case KEEP_PINNED:
	case KEEP_SYSTEM:
	case KEEP_FOREIGN:
		break;
	}
	return NULL;
}

static void
take(struct job_stay *largest, struct job_stay stay)
{
	for (unsigned i = 0; i < REFUSAL_LARGEST; i++) {
		struct job_stay smaller = largest[i];

		if (stay.tokens <= smaller.tokens)
			continue;
		largest[i] = stay;
		stay = smaller;
	}
}

static void
say(const struct job *job, const struct job_stay *stay)
{
	struct number_text tokens = number_grouped(stay->tokens);

	if (stay->line > 0) {
		const struct session *t = &job->held.session;
		const struct entry *entry = &t->entry[stay->entry];
		struct str name = role_name((enum role)entry->role);
		const char *option = refusal_option(job, stay->entry);

		if (entry->group != NONE)
			name = t->call[t->group[entry->group].first_call].name;
		if (name.len == 0)
			name = entry->group != NONE ? STR("tool") : STR("unknown role");
		diag_warn("line %llu stays, %.*s, %s tokens: %s%s%s%s",
		    (unsigned long long)stay->line, STR_ARG(name), tokens.text,
		    refusal_reason(job, stay->entry), option != NULL ? " (" : "",
		    option != NULL ? option : "", option != NULL ? " would free it)" : "");
	} else {
		diag_warn("a message is added, %s tokens: artifact", tokens.text);
	}
}

void
refusal_find(struct job *job, struct job_stay largest[REFUSAL_LARGEST])
{
	struct session *t = &job->held.session;
	uint64_t line = 0;

	memset(largest, 0, REFUSAL_LARGEST * sizeof *largest);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		line += !entry->is_continued;
		if (!entry->is_dropped && session_is_head(t, i))
			take(largest, (struct job_stay){weigh_unit(t, i, job->estimator), line, i});
	}
	for (uint32_t i = 0; i < t->added_count; i++)
		take(largest, (struct job_stay){change_added(t, i)->after, 0, 0});
}

/* Reports the messages that the window of the user or the strategy keeps, and that the default
 * window would not. */
static void
say_window(struct job *job)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < job->held.session.count; i++)
		if (job->compaction.keep[i] == KEEP_WINDOW && gives_way(job, i))
			sum += weigh_entry(&job->held.session, i, job->estimator);
	if (sum > 0)
		diag_warn("the window of %s holds %s tokens in full; the default one gives way",
		    job->has_strategy_window ? "--strategy" : window_option(job),
		    number_grouped(sum).text);
}

void
refusal_say(struct job *job)
{
	struct job_stay largest[REFUSAL_LARGEST];

	if (job->budget.reserved_system > 0)
		diag_warn("prompt, tools and response format take %s tokens of the window",
		    number_grouped(job->budget.reserved_system).text);
	refusal_find(job, largest);
	for (unsigned i = 0; i < REFUSAL_LARGEST && largest[i].tokens > 0; i++)
		say(job, &largest[i]);
	say_window(job);
}

void
refusal_say_cuts(const struct job *job)
{
	const struct session *t = &job->held.session;
	uint64_t line = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		line += !t->entry[i].is_continued;
		if (compaction_is_cuttable(&job->compaction, i) && t->entry[i].is_changed)
			diag_warn(
			    "line %ju was cut to %s tokens, since nothing else was left to cut: %s",
			    (uintmax_t)line, number_grouped(job->held.session.entry[i].tokens).text,
			    keep_name((enum keep)job->compaction.keep[i]));
	}
}
