#include "account.h"

#include "dialects/shapes.h"

enum { UNREAD_NAMED = 10 }; /* so many lines that are not understood are named one by one */

/* Whether the next line that is not understood is named. */
static bool
is_named(struct account *account)
{
	account->run->any_dialect = true; /* the diagnostics say what the input is */
	run_fail(account->run, STATUS_DATA);
	return account->unread_said++ < UNREAD_NAMED || account->run->options->verbose;
}

static void
say_flaws(struct account *account)
{
	struct buf *flaws = &account->reading->flaws;
	struct dialect_flaw flaw;

	for (size_t at = 0; at < flaws->len; at += sizeof flaw) {
		memcpy(&flaw, flaws->ptr + at, sizeof flaw);
		if (is_named(account))
			diag_warn_at(flaw.file, flaw.line, "unknown-shape: %s", flaw.what);
		account->flaws++;
	}
	buf_reset(flaws);
}

void
account_say_unread(struct account *account)
{
	struct unread_finding finding;
	size_t at = 0;

	say_flaws(account);
	while (unread_next(account->unread, &at, &finding)) {
		const char *what = finding.is_message ? "a role without content" :
							"a message that is not understood";

		if (!is_named(account))
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

	if (account->joined_in != NULL)
		buf_add_fmt(text, "; %ju messages in the %s", (uintmax_t)*account->joined,
		    account->joined_in);
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
	if (account->dropped->sum > 0) {
		buf_add_str(text, STR("; dropped: "));
		tally_say(account->dropped, text);
	}
}

void
account_say(const struct account *account)
{
	if (fault_is_set(&account->run->fault))
		return;
	if (account->reading->other != NULL)
		run_set_messages(account->run, account->unread->messages);
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
	if (account->joined_in != NULL)
		json_member_integer(report, STR("joined"), (int64_t)*account->joined);
	json_name(report, STR("skipped"));
	tally_write(&account->reading->skipped, report);
	json_name(report, STR("passed"));
	tally_write(&account->unread->passed, report);
	json_name(report, STR("dropped"));
	tally_write(account->dropped, report);
	json_member_integer(report, STR("compacted"), (int64_t)account->reading->compacted);
	json_member_integer(
	    report, STR("unknown_shapes"), (int64_t)(account->unread->found + account->flaws));
}
