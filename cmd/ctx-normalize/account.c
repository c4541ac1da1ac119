#include "account.h"

void
account_leave_out(struct account *account, const char *dialect, struct str names)
{
	if (names.len == 0 || str_eq(names, buf_str(&account->left_out)))
		return;
	buf_set(&account->left_out, names);
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
	account->unsent += reading->unsent;
	account->grows |= reading->grows;
	account->metadata += reading->metadata;
	account->contexts += reading->contexts;
	account->budgets += reading->budgets;
	account->agents += reading->agents;
}

void
account_add_found(struct account *account, const uint64_t count[VIOLATION_COUNT])
{
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		account->found[v] += count[v];
}

void
account_add_load(struct account *account, struct load *load)
{
	account_add_found(account, load->count);
	if (account->loaded.len > 0 && load->report.len > 0)
		buf_add_char(&account->loaded, ',');
	buf_add_str(&account->loaded, buf_str(&load->report));
	tally_add_all(&account->weight, &load->weight);
	account->bytes += load->bytes;
}

/* Adds the counts that -v prints of an import. A canonical stream adds nothing. */
static void
add_counts(const struct account *account)
{
	struct buf *text = &account->run->said;
	uint64_t out = account->compacted + account->left + account->unsent;
	const char *how = account->grows ? "taken back" : "left out";
	const struct {
		const char *title;
		const struct tally *tally;
	} told[] = {{"no conversation", &account->skipped}, {"kept sealed", &account->sealed},
	    {"passed", &account->passed}, {"dropped", &account->dropped}};

	if (account->joined_in != NULL)
		buf_add_fmt(text, "; %ju messages in the %s", (uintmax_t)account->joined,
		    account->joined_in);
	if (account->has_other)
		buf_add_fmt(text, "; %ju messages made", (uintmax_t)account->made);
	if (account->compacted > 0)
		buf_add_fmt(
		    text, "; %ju before a compaction %s", (uintmax_t)account->compacted, how);
	if (account->left > 0)
		buf_add_fmt(text, "; %ju of other branches %s", (uintmax_t)account->left, how);
	if (account->unsent > 0)
		buf_add_fmt(text, "; %ju that the agent does not send left out",
		    (uintmax_t)account->unsent);
	if (out > 0 && !account->grows)
		buf_add_fmt(text, " (%ju messages with --all)", (uintmax_t)(account->made + out));
	for (size_t i = 0; i < ARRAY_COUNT(told); i++)
		if (told[i].tally->sum > 0) {
			buf_add_fmt(text, "; %s: ", told[i].title);
			tally_say(told[i].tally, text);
		}
	if (account->weight.sum > 0) {
		buf_add_fmt(
		    text, "; of %ju bytes, beside the conversation: ", (uintmax_t)account->bytes);
		tally_say(&account->weight, text);
	}
	if (account->resume.len > 0)
		buf_add_fmt(text, "; to resume: %.*s", STR_ARG(buf_str(&account->resume)));
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
	unread_lines_end(&account->lines);
}

void
account_say_dropped(const struct account *account, const char *agent)
{
	struct buf text = BUF_INIT;

	if (account->dropped.sum == 0 || fault_is_set(&account->run->fault))
		return;
	tally_say(&account->dropped, &text);
	diag_warn("left out, since %s has no place for it: %.*s", agent, STR_ARG(buf_str(&text)));
	buf_free(&text);
}

void
account_write_found(const struct account *account, struct json_writer *report)
{
	json_member_open(report, STR("found"), '{');
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
	json_name(report, STR("sealed"));
	tally_write(&account->sealed, report);
	json_name(report, STR("passed"));
	tally_write(&account->passed, report);
	json_name(report, STR("dropped"));
	tally_write(&account->dropped, report);
	json_member_integer(report, STR("compacted"), (int64_t)account->compacted);
	json_member_integer(report, STR("left"), (int64_t)account->left);
	json_member_integer(report, STR("unsent"), (int64_t)account->unsent);
	json_member_integer(report, STR("unknown_shapes"), (int64_t)account->lines.found);
	if (account->bytes == 0)
		return;
	json_member_open(report, STR("loaded"), '[');
	if (account->loaded.len > 0)
		json_put_raw(report, buf_str(&account->loaded));
	json_close(report);
	json_name(report, STR("weight"));
	tally_write(&account->weight, report);
}

void
account_write_stripped(const struct account *account, struct json_writer *report)
{
	json_member_open(report, STR("stripped"), '{');
	json_member_integer(report, STR("metadata"), (int64_t)account->metadata);
	json_member_integer(report, STR("contexts"), (int64_t)account->contexts);
	json_member_integer(report, STR("budgets"), (int64_t)account->budgets);
	json_member_integer(report, STR("agents"), (int64_t)account->agents);
	json_close(report);
}
