#include "policy/redact/expression.h"

#include <stdlib.h>

#include "base/mem.h"

/* Compiles the expression between two others. */
static bool
compile(
    regex_t *regex, const char *before, const char *ere, const char *behind, struct buf *message)
{
	struct buf all = BUF_INIT;
	char phrase[128];
	int error;

	buf_add_fmt(&all, "%s%s%s", before, ere, behind);
	buf_add_char(&all, '\0');
	error = regcomp(regex, all.ptr, REG_EXTENDED);
	buf_free(&all);
	if (error == REG_ESPACE)
		mem_exhausted();
	if (error == 0)
		return true;
	regerror(error, regex, phrase, sizeof phrase);
	buf_add_fmt(message, "%s", phrase);
	return false;
}

/* Whether the expression has a ")" too many, which some libraries read as a letter. */
static bool
has_loose_end(const char *ere)
{
	struct buf unused = BUF_INIT;
	regex_t regex;
	bool is_loose = compile(&regex, "(", ere, "", &unused);

	if (is_loose)
		regfree(&regex);
	buf_free(&unused);
	return is_loose;
}

bool
expression_init(struct expression *expression, const char *ere, struct buf *message)
{
	*expression = (struct expression){.scratch = BUF_INIT};
	if (!compile(&expression->regex, "", ere, "", message))
		return false;
	if (regexec(&expression->regex, "", 0, NULL, 0) == 0)
		buf_add_str(message, STR("the expression matches the empty text"));
	else if (has_loose_end(ere))
		buf_add_str(message, STR("unmatched ), which is spelled \\)"));
#ifdef __GLIBC__
	else
		compile(&expression->somewhere, ".*(", ere, ")", message);
#endif
	if (message->len > 0)
		regfree(&expression->regex);
	return message->len == 0;
}

#ifdef __GLIBC__

/* The first match that begins at one of the places from 0 to last; -1 when there is none. */
static regoff_t
search(regex_t *regex, struct str text, size_t last, int flags, struct re_registers *match)
{
	regoff_t at;

	regex->not_bol = (flags & REG_NOTBOL) != 0;
	regex->not_eol = (flags & REG_NOTEOL) != 0;
	at = re_search(regex, text.ptr, (regoff_t)text.len, 0, (regoff_t)last, match);
	if (at < -1) /* no answer is no "no" */
		mem_exhausted();
	return at;
}

bool
expression_find(
    struct expression *expression, struct str text, int flags, const char **start, const char **end)
{
	struct re_registers *match = &expression->match;

	if (search(&expression->somewhere, text, 0, flags, NULL) < 0 ||
	    search(&expression->regex, text, text.len, flags, match) < 0)
		return false;
	*start = text.ptr + match->start[0];
	*end = text.ptr + match->end[0];
	return true;
}

#else

bool
expression_find(
    struct expression *expression, struct str text, int flags, const char **start, const char **end)
{
	regmatch_t match;
	int error;

	buf_reset(&expression->scratch);
	buf_add_str(&expression->scratch, text);
	buf_add_char(&expression->scratch, '\0');
	error = regexec(&expression->regex, expression->scratch.ptr, 1, &match, flags);
	if (error == REG_ESPACE)
		mem_exhausted();
	if (error != 0)
		return false;
	*start = text.ptr + match.rm_so;
	*end = text.ptr + match.rm_eo;
	return true;
}

#endif

void
expression_free(struct expression *expression)
{
	regfree(&expression->regex);
	buf_free(&expression->scratch);
#ifdef __GLIBC__
	regfree(&expression->somewhere);
	free(expression->match.start);
	free(expression->match.end);
#endif
}
