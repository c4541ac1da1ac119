/*
 * Why a budget cannot be met: the largest things that stay, what keeps each, and the option that
 * would free it.
 */
#include "job.h"

#include "base/diag.h"
#include "data/message/texts.h"
#include "policy/compact/drop.h"
#include "policy/summary/summary.h"

static const char *
window_option(const struct job *job)
{
	return job->options->keep_turns_given ? "--keep-turns" : "--keep-tokens";
}

/* Whether the entry would give way in the default window: one of a group may be cut there, and all
 * but the newest may be left out of the window. */
static bool
gives_way(const struct job *job, uint32_t index)
{
	return index != job->compaction.newest || job->held.session.entry[index].group != NONE;
}

/* Whether the pipeline has dropped all that it may, and whose artifact is smaller. */
static bool
has_dropped(const struct job *job)
{
	return transform_is_in(&truncate_transform, job->pipeline) ||
	    drop_keeps_by_value(&job->compaction);
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
							     "nothing smaller can stand for it";
}

/* Whether the message has a text, of which head and tail can be kept: an image has none. */
static bool
has_text(const struct session *t, uint32_t index)
{
	struct message message;

	entry_parse(&t->entry[index], &message);
	return message_text_len(&message) > 0;
}

const char *
refusal_option(const struct job *job, uint32_t index)
{
	switch ((enum keep)job->compaction.keep[index]) {
	case KEEP_SIBLING:
	case KEEP_UNRESOLVED:
		return "--error-tokens";
	case KEEP_RECENT:
		return NULL; /* the newest alone: it is in every window, and has given way */
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
		return job->options->best_effort || !has_text(&job->held.session, index) ||
			!transform_is_in(&prune_transform, job->compaction.options->pipeline) ?
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

static uint64_t
unit_tokens(struct job *job, uint32_t index)
{
	struct session *t = &job->held.session;
	uint32_t at = 0, member;
	uint64_t tokens = 0;

	while ((member = session_unit_member(t, index, &at)) != NONE)
		tokens += weigh_entry(t, member, job->estimator);
	return tokens;
}

static void
say_message(const struct job *job, const struct job_stay *stay, struct str tokens)
{
	const struct session *t = &job->held.session;
	const struct entry *entry = &t->entry[stay->entry];
	struct str name = role_name((enum role)entry->role);
	const char *option = refusal_option(job, stay->entry);

	if (entry->group != NONE)
		name = t->call[t->group[entry->group].first_call].name;
	if (name.len == 0)
		name = entry->group != NONE ? STR("tool") : STR("unknown role");
	diag_warn("line %llu stays, %.*s, %.*s tokens: %s%s%s%s", (unsigned long long)stay->line,
	    STR_ARG(name), STR_ARG(tokens), refusal_reason(job, stay->entry),
	    option != NULL ? " (" : "", option != NULL ? option : "",
	    option != NULL ? " would free it)" : "");
}

static void
say(const struct job *job, const struct job_stay *stay)
{
	struct buf tokens = BUF_INIT;

	number_write_grouped(&tokens, stay->tokens);
	if (stay->line > 0)
		say_message(job, stay, buf_str(&tokens));
	else
		diag_warn("a message is added, %.*s tokens: artifact", STR_ARG(buf_str(&tokens)));
	buf_free(&tokens);
}

void
refusal_find(struct job *job, struct job_stay largest[REFUSAL_LARGEST])
{
	const struct session *t = &job->held.session;
	uint64_t line = 0;

	memset(largest, 0, REFUSAL_LARGEST * sizeof *largest);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		line += !entry->is_continued;
		if (!entry->is_dropped && session_is_head(t, i))
			take(largest, (struct job_stay){unit_tokens(job, i), line, i});
	}
	for (uint32_t i = 0; i < t->added_count; i++)
		take(largest, (struct job_stay){change_added(t, i)->after, 0, 0});
}

/* Says what a window that the user asked for holds, and the default window would not. */
static void
say_window(struct job *job)
{
	struct buf tokens = BUF_INIT;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < job->held.session.count; i++)
		if (job->compaction.keep[i] == KEEP_WINDOW && gives_way(job, i))
			sum += weigh_entry(&job->held.session, i, job->estimator);
	number_write_grouped(&tokens, sum);
	if (sum > 0)
		diag_warn("the window of %s holds %.*s tokens in full; the default one gives way",
		    window_option(job), STR_ARG(buf_str(&tokens)));
	buf_free(&tokens);
}

/* Says what stands in the window beside the messages. */
static void
say_reserve(const struct job *job)
{
	struct buf tokens = BUF_INIT;

	number_write_grouped(&tokens, job->budget.reserved_system);
	if (job->budget.reserved_system > 0)
		diag_warn("prompt, tools and response format take %.*s tokens of the window",
		    STR_ARG(buf_str(&tokens)));
	buf_free(&tokens);
}

void
refusal_say(struct job *job)
{
	struct job_stay largest[REFUSAL_LARGEST];

	say_reserve(job);
	refusal_find(job, largest);
	for (unsigned i = 0; i < REFUSAL_LARGEST && largest[i].tokens > 0; i++)
		say(job, &largest[i]);
	say_window(job);
}

static void
say_cut(const struct job *job, uint32_t index, uint64_t line)
{
	struct buf tokens = BUF_INIT;

	number_write_grouped(&tokens, job->held.session.entry[index].tokens);
	diag_warn("line %ju was cut to %.*s tokens, since nothing else was left to cut: %s",
	    (uintmax_t)line, STR_ARG(buf_str(&tokens)),
	    keep_name((enum keep)job->compaction.keep[index]));
	buf_free(&tokens);
}

void
refusal_say_cuts(const struct job *job)
{
	const struct session *t = &job->held.session;
	uint64_t line = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		line += !t->entry[i].is_continued;
		if (compaction_is_cuttable(&job->compaction, i) && t->entry[i].is_changed)
			say_cut(job, i, line);
	}
}
