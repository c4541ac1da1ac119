#include "normalizer.h"

enum { SUBJECT_MAX = 100 }; /* bytes of an id that a diagnostic quotes */

/* What is said before and behind the id or word in question. */
static const struct {
	const char *before;
	const char *behind;
} explanations[VIOLATION_COUNT] = {
    [VIOLATION_ORPHAN_RESULT] = {"result", "answers no call"},
    [VIOLATION_SECOND_RESULT] = {"call", "has its result already"},
    [VIOLATION_LATE_RESULT] = {"result", "does not stand directly behind its call"},
    [VIOLATION_RESULT_ORDER] = {"result", "stands behind that of a later call"},
    [VIOLATION_UNANSWERED_CALL] = {"call", "has no result"},
    [VIOLATION_REPEATED_ID] = {"id", "is that of an earlier message"},
    [VIOLATION_EMPTY_MESSAGE] = {"message of", "says nothing"},
    [VIOLATION_ROLE_ALIAS] = {"role", "is another format's"},
};

void
normalizer_found(void *context, enum violation violation, const char *file, size_t line,
    struct str subject)
{
	struct normalizer *n = context;

	n->found[violation]++;
	if (!n->options->check)
		return;
	filter_fail(&n->filter, STATUS_NO);
	if (subject.ptr[0] == '"')
		subject = str_of(subject.ptr + 1, subject.len - 2);
	if (subject.len > SUBJECT_MAX)
		subject.len = SUBJECT_MAX;
	diag_warn_at(file, line, "%.*s: %s '%.*s' %s", STR_ARG(violation_code(violation)),
	    explanations[violation].before, STR_ARG(subject), explanations[violation].behind);
}

void
normalizer_found_dialect(struct normalizer *n)
{
	const struct line *line = &n->filter.line;

	if (n->is_noted || n->filter.message.kind == RECORD_BLANK)
		return;
	n->is_noted = n->converts = n->filter.any_dialect = true;
	if (!n->options->check)
		return;
	filter_fail(&n->filter, STATUS_NO);
	diag_warn_at(line->file, line->number, "other-dialect: looks like %s, not ctx",
	    dialect_name(n->from));
}
