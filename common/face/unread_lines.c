#include "face/unread_lines.h"

#include "dialects/likeness.h"

enum { NAMED_MAX = 10 }; /* so many are named one by one */

/* Counts the next line that is not understood. Returns whether it is named. */
static bool
is_named(struct unread_lines *lines)
{
	lines->source->any_dialect = true; /* the diagnostics say what the input is */
	run_fail(lines->run, STATUS_DATA);
	return lines->found++ < NAMED_MAX || lines->run->options->verbose;
}

static void
say_flaws(struct unread_lines *lines, struct dialect_reading *reading)
{
	struct buf *flaws = &reading->flaws;
	struct dialect_flaw flaw;

	for (size_t at = 0; at < flaws->len; at += sizeof flaw) {
		memcpy(&flaw, flaws->ptr + at, sizeof flaw);
		if (is_named(lines))
			diag_warn_at(flaw.file, flaw.line, "unknown-shape: %s", flaw.what);
	}
	buf_reset(flaws);
}

void
unread_lines_say(struct unread_lines *lines, struct dialect_reading *reading, struct unread *unread)
{
	struct unread_finding finding;
	struct buf looks = BUF_INIT;
	size_t at = 0;

	say_flaws(lines, reading);
	while (unread_next(unread, &at, &finding)) {
		const char *what = finding.is_message ? "a role without content" :
							"a message that is not understood";

		if (!is_named(lines))
			continue;
		buf_reset(&looks);
		likeness_write(finding.looks_like, &looks);
		diag_warn_at(finding.file, finding.line, "unknown-shape: %s; %.*s", what,
		    STR_ARG(buf_str(&looks)));
	}
	buf_free(&looks);
}

void
unread_lines_end(const struct unread_lines *lines)
{
	if (lines->found > NAMED_MAX && !lines->run->options->verbose)
		diag_warn("and %ju more lines that were not understood",
		    (uintmax_t)(lines->found - NAMED_MAX));
}
