/*
 * ctx-normalize makes a session valid, whole, and of the right dialect: a reader makes canonical
 * records of the input, the repair puts them in order, a writer writes them in the output's
 * dialect. Canonical input that is whole already streams and is passed, not copied. The repair
 * holds the records after a missing result. Readers of agents' sessions hold the whole session, its
 * texts in a file (stream/file/stow.h), unless it grows (dialects/rows/row_growth.h) or takes
 * nothing back.
 */
#include "../commands.h"
#include "choices.h"
#include "conversion.h"
#include "gc_run.h"
#include "into_run.h"
#include "stream/process/unzstd.h"

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

/* Says at the end how many records were left out. */
static void
say_left_out(const struct run *run)
{
	uint64_t aside = run->sink.counts.aside;

	if (aside > 0 && run->sink.bad.name == NULL)
		diag_warn("%ju record%s without a place in the output left out", (uintmax_t)aside,
		    aside == 1 ? "" : "s");
}

/* Writes the table of the names that no reader knows. */
static void
write_census(struct ctx_normalize *all)
{
	struct buf text = BUF_INIT;

	census_write(&all->census, &text);
	if (text.len > 0)
		run_add(all->account.run, buf_str(&text));
	buf_free(&text);
}

/* The name of the record that many messages become, or NULL. */
static const char *
name_joined(const struct choices *choices)
{
	if (choices->request != NULL)
		return "request";
	if (choices->array)
		return "array";
	return choices->writer->joined;
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_normalize *all = self;
	int first = options_parse(&normalize_command, argc, argv, &all->choices);

	choices_check(&all->choices, argv + first, argc - first);
	return first;
}

/* Whether the output may have source records: those of a log of one agent's files. */
static bool
has_sources(const struct choices *choices, const struct run *run)
{
	return choices->writer == &ctx_dialect && !choices_writes_nothing(choices) &&
	    !choices->untrusted &&
	    (choices->reader == &auto_dialect || choices->reader->is_session) &&
	    run->file == NULL && run->options->session_key == NULL;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_normalize *all = self;
	const struct choices *choices = &all->choices;

	all->account = (struct account){
	    .run = run, .joined_in = name_joined(choices), .lines = {run, &run->source}};
	torn_init(&all->torn);
	run->source.values.is_used = run->source.odd.reads_others = true;
	run->source.in.unpacker = &unzstd;
	if (has_sources(choices, run))
		run->source.in.sums = &all->sums;
	run->source.any_dialect = choices_is_api_check(choices);
	if (choices_is_sarif(choices)) {
		all->account.lines.sarif = &all->sarif;
		sarif_begin(&all->sarif, run);
	}
}

/* A torn line has a key only when it is mended. */
static struct stage *
mend_torn(void *self)
{
	struct ctx_normalize *all = self;

	return all->choices.repair ? &all->torn.stage : NULL;
}

/* --into and --gc work on the log or the file as a whole. */
static bool
run_whole(void *self)
{
	struct ctx_normalize *all = self;

	if (all->choices.into != NULL)
		into_run(&all->choices, &all->account);
	if (all->choices.gc)
		gc_run(&all->choices, &all->account);
	return all->choices.into != NULL || all->choices.gc;
}

static void
finish(void *self)
{
	struct ctx_normalize *all = self;
	struct account *account = &all->account;

	account->mended = all->torn.mended;
	tally_sort(&account->weight);
	if (account->lines.sarif != NULL)
		sarif_end(account->lines.sarif);
	if (all->choices.census)
		write_census(all);
	say_left_out(account->run);
	account_say(account);
	if (all->choices.writer->is_session)
		account_say_dropped(account, all->choices.writer->name);
	write_report(account, &all->choices);
}

static void
free_all(void *self)
{
	struct ctx_normalize *all = self;

	choices_free(&all->choices);
	sums_free(&all->sums);
	buf_free(&all->account.left_out);
	buf_free(&all->account.resume);
	buf_free(&all->account.loaded);
	census_free(&all->census);
}

static const char *const essential[] = {
    "from", "to", "request", "array", "check", "repair", "untrusted", "in-place", NULL};

const struct command normalize_command = {.name = "ctx-normalize",
    .synopsis = "[option]... [file]...",
    .purpose = "Make transcripts valid, whole, and of the right dialect.",
    .kind = COMMAND_FILTER,
    .options = choices_table,
    .essential = essential,
    .examples = {"ctx-normalize --from claude-code session.jsonl >log.jsonl",
	"ctx-normalize --to anthropic log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 75, 78},
    .no = "--check: the session is not whole",
    .reads_documents = true,
    .run = {.size = sizeof(struct ctx_normalize),
	.parse = parse,
	.open = open_run,
	.ahead = mend_torn,
	.whole = run_whole,
	.finish = finish,
	.free = free_all},
    .session = {.size_of = conversion_size,
	.stages = conversion_stages,
	.ended = conversion_ended,
	.finish = conversion_finish,
	.free = conversion_free,
	.keys = conversion_keys,
	.forgotten = conversion_forgotten}};
