/*
 * ctx-normalize makes a session valid, whole, and of the right dialect: a reader makes canonical
 * records of the input, the repair puts them in order, a writer writes them in the output's
 * dialect. Canonical input that is whole already streams and is passed, not copied. The repair
 * holds the records behind a missing result. The reader of Claude Code holds the whole session.
 */
#include "choices.h"
#include "face/in_place.h"
#include "normalizing.h"
#include "policy/normalize/torn.h"

static void
write_report(const struct account *account, const struct choices *choices)
{
	struct json_writer *report = &account->run->members;

	account_write_found(account, report);
	if (choices_is_api_check(choices))
		return;
	if (choices->repair)
		json_member_integer(report, STR("mended"), (int64_t)account->mended);
	account_write(account, report);
	if (choices->untrusted)
		account_write_stripped(account, report);
}

/* Says what was left out at the end. */
static void
say_left_out(const struct run *run)
{
	uint64_t aside = run->sink.counts.aside;

	if (aside > 0 && run->sink.bad.name == NULL)
		diag_warn("%ju record%s without a place in the output left out", (uintmax_t)aside,
		    aside == 1 ? "" : "s");
}

/* What many messages become one record of, or NULL. */
static const char *
name_joined(const struct choices *choices)
{
	if (choices->request != NULL)
		return "request";
	if (choices->array)
		return "array";
	return choices->writer == &instructor_dialect ? "AgentContext" : NULL;
}

/* Normalizes the sessions of the run. A torn line has a key only when it is mended. */
static void
normalize(struct run *run, const struct choices *choices)
{
	struct session_kind kind = normalizing_kind(choices);
	struct normalizing_all all = {
	    .choices = choices, .account = {.run = run, .joined_in = name_joined(choices)}};
	struct torn torn;

	torn_init(&torn);
	if (choices->repair)
		run_link_ahead(run, &torn.stage);
	run->source.any_document = run->source.any_array = true;
	run->any_dialect = choices_is_api_check(choices);
	sessions_run(run, &kind, &all);
	all.account.mended = torn.mended;
	say_left_out(run);
	account_say(&all.account);
	write_report(&all.account, choices);
}

static int
run_file(void *choices, struct run_file *file)
{
	const struct choices *chosen = choices;
	struct run run;

	run_open_file(&run, &chosen->common, file);
	normalize(&run, chosen);
	return run_close(&run);
}

int
main(int argc, char **argv)
{
	struct choices choices;
	int first = choices_parse(&choices, argc, argv), status;
	struct run run;

	if (choices.in_place.suffix != NULL) {
		status = in_place_run(&choices.in_place, &choices.common, NULL, argv + first,
		    argc - first, run_file, &choices);
	} else {
		run_open(&run, &choices.common, argv + first, argc - first);
		normalize(&run, &choices);
		status = run_close(&run);
	}
	choices_free(&choices);
	return status;
}
