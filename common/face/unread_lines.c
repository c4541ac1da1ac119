#include "face/unread_lines.h"

#include "dialects/likeness.h"

enum { NAMED_MAX = 10 }; /* so many are named one by one */

/* Counts the next line that is not understood, and names it. */
static void
say(struct unread_lines *lines, const char *file, size_t line, struct str what)
{
	enum violation code = VIOLATION_UNKNOWN_SHAPE;

	lines->source->any_dialect = true; /* the diagnostics name the input's format */
	run_fail(lines->run, STATUS_DATA);
	sarif_add(lines->sarif, code, file, line, what);
	if (lines->found++ < NAMED_MAX || lines->run->options->verbose)
		diag_warn_at(
		    file, line, "%.*s: %.*s", STR_ARG(violation_code(code)), STR_ARG(what));
}

static void
say_flaws(struct unread_lines *lines, struct dialect_reading *reading)
{
	struct buf *flaws = &reading->flaws;
	struct dialect_flaw flaw;

	for (size_t at = 0; at < flaws->len; at += sizeof flaw) {
		memcpy(&flaw, flaws->ptr + at, sizeof flaw);
		say(lines, flaw.file, flaw.line, str_from(flaw.what));
	}
	buf_reset(flaws);
}

void
unread_lines_say(struct unread_lines *lines, struct dialect_reading *reading, struct unread *unread)
{
	struct unread_finding finding;
	struct buf text = BUF_INIT;
	size_t at = 0;

	say_flaws(lines, reading);
	while (unread_next(unread, &at, &finding)) {
		buf_reset(&text);
		buf_add_str(&text,
		    finding.is_message ? STR("a role without content; ") :
					 STR("a message that is not understood; "));
		likeness_write(finding.looks_like, &text);
		say(lines, finding.file, finding.line, buf_str(&text));
	}
	buf_free(&text);
}

void
unread_lines_end(const struct unread_lines *lines)
{
	if (lines->found > NAMED_MAX && !lines->run->options->verbose)
		diag_warn("and %ju more lines that were not understood",
		    (uintmax_t)(lines->found - NAMED_MAX));
}
