#include "account.h"

#include "dialects/likeness.h"

enum { UNREAD_NAMED = 10 }; /* so many lines that are not understood are named one by one */

/* Whether the next line that is not understood is named. */
static bool
is_named(struct account *account)
{
	account->run->source.any_dialect = true; /* the diagnostics say what the input is */
	run_fail(account->run, STATUS_DATA);
	return account->unread_said++ < UNREAD_NAMED || account->run->options->verbose;
}

static void
say_flaws(struct account *account, struct dialect_reading *reading)
{
	struct buf *flaws = &reading->flaws;
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
account_say_unread(struct account *account, struct dialect_reading *reading, struct unread *unread)
{
	struct unread_finding finding;
	size_t at = 0;

	say_flaws(account, reading);
	while (unread_next(unread, &at, &finding)) {
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
			    likeness_is_read(finding.looks_like) ?
				"" :
				", which is not read by this version");
	}
}

void
account_leave_out(struct account *account, const char *dialect, struct str names)
{
	if (names.len == 0 || str_eq(names, buf_str(&account->left_out)))
		return;
	buf_reset(&account->left_out);
	buf_add_str(&account->left_out, names);
	diag_warn(
	    "left out of the request, where %s has no place for it: %.*s", dialect, STR_ARG(names));
}

void
account_add(
    struct account *account, const struct dialect_reading *reading, const struct unread *unread)
{
	account->has_other |= reading->other != NULL;
	account->made += unread->messages;
	account->compacted += reading->compacted;
	account->left += reading->left;
	account->unread += unread->found;
	account->metadata += reading->metadata;
	account->contexts += reading->contexts;
	account->budgets += reading->budgets;
	account->agents += reading->agents;
}

/* Adds what -v says of an import. A stream that was canonical adds nothing. */
static void
add_counts(const struct account *account)
{
	struct buf *text = &account->run->said;
	uint64_t out = account->compacted + account->left;

	if (account->joined_in != NULL)
		buf_add_fmt(text, "; %ju messages in the %s", (uintmax_t)account->joined,
		    account->joined_in);
	if (account->has_other)
		buf_add_fmt(text, "; %ju messages made", (uintmax_t)account->made);
	if (account->compacted > 0)
		buf_add_fmt(
		    text, "; %ju before a compaction left out", (uintmax_t)account->compacted);
	if (account->left > 0)
		buf_add_fmt(text, "; %ju of other branches left out", (uintmax_t)account->left);
	if (out > 0)
		buf_add_fmt(text, " (%ju messages with --all)", (uintmax_t)(account->made + out));
	if (account->skipped.sum > 0) {
		buf_add_str(text, STR("; no conversation: "));
		tally_say(&account->skipped, text);
	}
	if (account->passed.sum > 0) {
		buf_add_str(text, STR("; passed: "));
		tally_say(&account->passed, text);
	}
	if (account->dropped.sum > 0) {
		buf_add_str(text, STR("; dropped: "));
		tally_say(&account->dropped, text);
	}
}

void
account_say(const struct account *account)
{
	struct run *run = account->run;

	if (account->mended > 0 && run->options->verbose)
		buf_add_fmt(&run->said, "; %ju torn line%s mended", (uintmax_t)account->mended,
		    account->mended == 1 ? "" : "s");
	if (fault_is_set(&run->fault))
		return;
	if (account->has_other)
		run_set_messages(run, account->made);
	if (run->options->verbose)
		add_counts(account);
	else if (account->unread_said > UNREAD_NAMED)
		diag_warn("and %ju more lines that were not understood",
		    (uintmax_t)(account->unread_said - UNREAD_NAMED));
}

void
account_write_found(const struct account *account, struct json_writer *report)
{
	json_name(report, STR("found"));
	json_open(report, '{');
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if (account->found[v] > 0)
			json_member_integer(report, violation_code(v), (int64_t)account->found[v]);
	json_close(report);
}

void
account_write(const struct account *account, struct json_writer *report)
{
	json_member_integer(report, STR("made"), (int64_t)account->made);
	if (account->joined_in != NULL)
		json_member_integer(report, STR("joined"), (int64_t)account->joined);
	json_name(report, STR("skipped"));
	tally_write(&account->skipped, report);
	json_name(report, STR("passed"));
	tally_write(&account->passed, report);
	json_name(report, STR("dropped"));
	tally_write(&account->dropped, report);
	json_member_integer(report, STR("compacted"), (int64_t)account->compacted);
	json_member_integer(report, STR("left"), (int64_t)account->left);
	json_member_integer(
	    report, STR("unknown_shapes"), (int64_t)(account->unread + account->flaws));
}

void
account_write_stripped(const struct account *account, struct json_writer *report)
{
	json_name(report, STR("stripped"));
	json_open(report, '{');
	json_member_integer(report, STR("metadata"), (int64_t)account->metadata);
	json_member_integer(report, STR("contexts"), (int64_t)account->contexts);
	json_member_integer(report, STR("budgets"), (int64_t)account->budgets);
	json_member_integer(report, STR("agents"), (int64_t)account->agents);
	json_close(report);
}
