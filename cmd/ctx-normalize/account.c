#include "account.h"

#include "dialects/shapes.h"

enum { UNREAD_NAMED = 10 }; /* so many lines that are not understood are named one by one */

void
account_say_unread(struct account *account)
{
	struct unread_finding finding;
	size_t at = 0;

	while (unread_next(account->unread, &at, &finding)) {
		const char *what = finding.is_message ? "a role without content" :
							"a message that is not understood";

		account->run->any_dialect = true; /* the diagnostics below say what the input is */
		run_fail(account->run, STATUS_DATA);
		if (account->unread_said++ >= UNREAD_NAMED && !account->run->options->verbose)
			continue;
		if (finding.looks_like == NULL)
			diag_warn_at(finding.file, finding.line,
			    "unknown-shape: %s; looks like no known format", what);
		else
			diag_warn_at(finding.file, finding.line,
			    "unknown-shape: %s; looks like %s%s", what, finding.looks_like,
			    shapes_is_read(finding.looks_like) ?
				"" :
				", which is not read by this version");
	}
}

/* Adds what -v says of an import. A stream that was canonical adds nothing. */
static void
add_counts(const struct account *account)
{
	const struct dialect_reading *reading = account->reading;
	const struct unread *unread = account->unread;
	struct buf *text = &account->run->said;

	if (reading->other != NULL)
		buf_add_fmt(text, "; %ju messages made", (uintmax_t)unread->messages);
	if (reading->compacted > 0)
		buf_add_fmt(text, "; %ju before a compaction left out (%ju messages with --all)",
		    (uintmax_t)reading->compacted,
		    (uintmax_t)(unread->messages + reading->compacted));
	if (reading->skipped.sum > 0) {
		buf_add_str(text, STR("; no conversation: "));
		tally_say(&reading->skipped, text);
	}
	if (unread->passed.sum > 0) {
		buf_add_str(text, STR("; passed: "));
		tally_say(&unread->passed, text);
	}
}

void
account_say(const struct account *account)
{
	if (fault_is_set(&account->run->fault))
		return;
	if (account->run->options->verbose)
		add_counts(account);
	else if (account->unread_said > UNREAD_NAMED)
		diag_warn("and %ju more lines that were not understood",
		    (uintmax_t)(account->unread_said - UNREAD_NAMED));
}

void
account_write(const struct account *account, struct json_writer *report)
{
	json_member_integer(report, STR("made"), (int64_t)account->unread->messages);
	json_name(report, STR("skipped"));
	tally_write(&account->reading->skipped, report);
	json_name(report, STR("passed"));
	tally_write(&account->unread->passed, report);
	json_member_integer(report, STR("compacted"), (int64_t)account->reading->compacted);
	json_member_integer(report, STR("unknown_shapes"), (int64_t)account->unread->found);
}
