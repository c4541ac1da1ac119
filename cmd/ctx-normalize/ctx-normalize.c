/*
 * ctx-normalize makes a session valid, whole, and of the right dialect: a reader makes canonical
 * records of the input, the repair puts them in order, a writer writes them in the output's
 * dialect. Canonical input that is whole already streams and is passed, not copied. The repair
 * holds the records behind a missing result. The reader of Claude Code holds the whole session.
 */
#include "account.h"
#include "dialects/checker.h"
#include "dialects/dialect.h"
#include "dialects/prompt.h"
#include "dialects/request.h"
#include "dialects/systems.h"
#include "dialects/unread.h"
#include "dialects/untrusted.h"
#include "face/document.h"
#include "face/in_place.h"
#include "face/run.h"
#include "json/scan.h"
#include "policy/normalize/repair.h"
#include "policy/normalize/torn.h"

struct options {
	struct common_options common;
	int from;
	int to;
	int open_calls; /* enum repair_open; without the option, what the dialect needs */
	bool open_calls_given;
	int system; /* enum systems_place; without the option, what the dialect needs */
	bool system_given;
	const char *request; /* NULL: not given; "" without members */
	uint64_t cached;
	bool cached_given;
	bool array;
	bool all;
	bool check;
	bool untrusted;
	bool repair;
	struct in_place_options in_place;
};

struct normalizer {
	struct options options;
	struct dialect_choices from;
	struct dialect_choices to;
	struct dialect_reading reading;
	struct torn torn;
	struct untrusted untrusted;
	struct dialect_stage *reader;
	struct unread unread;
	struct account account;
	struct prompt prompt;
	struct repair repair;
	struct systems systems;
	struct dialect_stage *order; /* or NULL */
	struct dialect_stage *writer;
	struct request request;
	struct buf given; /* the members of --request, on one line */
	struct run run;
	struct checker checker; /* with --check and the dialect of an API */
	const uint64_t *count;  /* of what was found, by violation */
	struct buf *findings;   /* a violation_list of it */
	bool is_other_said;
	bool is_folded_said;
};

static const char *const open_choices[] = {"close", "keep", "drop", NULL};
static const char *const system_choices[] = {"lift", "keep", "user", NULL};

static int
parse_options(struct normalizer *n, int argc, char **argv)
{
	const struct option table[] = {
	    {"from", 0, "FORMAT", n->from.help, OPTION_CHOICE, offsetof(struct options, from),
		n->from.name, 0},
	    {"to", 0, "FORMAT", n->to.help, OPTION_CHOICE, offsetof(struct options, to), n->to.name,
		0},
	    {"request", 0, "JSON", "write one request body, with the members of JSON",
		OPTION_OPTIONAL, offsetof(struct options, request), NULL, 0},
	    {"cached", 0, "N",
		"a provider's cache has the first N messages: mark them in the request",
		OPTION_COUNT, offsetof(struct options, cached), NULL,
		offsetof(struct options, cached_given)},
	    {"array", 0, NULL, "write one array of messages", OPTION_FLAG,
		offsetof(struct options, array), NULL, 0},
	    {"open-calls", 0, "ACTION", "close (default for an API), keep or drop them",
		OPTION_CHOICE, offsetof(struct options, open_calls), open_choices,
		offsetof(struct options, open_calls_given)},
	    {"system", 0, "PLACE",
		"lift (default for anthropic), keep, or user: later system messages", OPTION_CHOICE,
		offsetof(struct options, system), system_choices,
		offsetof(struct options, system_given)},
	    {"all", 0, NULL, "keep what a compaction of the session took out of the context",
		OPTION_FLAG, offsetof(struct options, all), NULL, 0},
	    {"check", 0, NULL, "write nothing, report what is not whole, exit 1 if anything is",
		OPTION_FLAG, offsetof(struct options, check), NULL, 0},
	    {"untrusted", 0, NULL, "strip metadata, context and budget records", OPTION_FLAG,
		offsetof(struct options, untrusted), NULL, 0},
	    {"repair", 0, NULL, "part torn lines from the records behind them", OPTION_FLAG,
		offsetof(struct options, repair), NULL, 0},
	    OPTIONS_IN_PLACE(options),
	    OPTIONS_COMMON,
	    OPTIONS_END,
	};
	const struct command command = {"ctx-normalize", "[option]... [file]...",
	    "Make transcripts valid, whole, and of the right dialect.", table,
	    {"ctx-normalize --from claude-code session.jsonl >log.jsonl",
		"ctx-normalize --to anthropic log.jsonl"},
	    {0, 1, 64, 65, 66, 71, 73, 74, 75, 78}, "--check: the session is not whole"};

	return options_parse(&command, argc, argv, &n->options);
}

/* The members that --request gives: an object, or absent. */
static struct json_value
read_given(struct normalizer *n)
{
	const char *text = n->options.request;
	struct buf padded = BUF_INIT;
	struct json_value given = {.type = JSON_ABSENT};

	if (text == NULL || text[0] == '\0')
		return given;
	buf_add_str(&padded, str_from(text));
	buf_pad(&padded);
	if (document_unfold(buf_str(&padded), &n->given))
		given = json_value_at(n->given.ptr);
	if (given.type != JSON_OBJECT)
		options_fail("bad value '%s' of --request, expected an object such as "
			     "{\"model\":\"NAME\"}",
		    text);
	if (json_has(given, STR("messages")))
		options_fail("--request has messages, which come from the input");
	buf_free(&padded);
	return given;
}

/* Whether --from names a dialect other than the canonical one. */
static bool
is_told(const struct normalizer *n)
{
	const struct dialect *from = n->from.dialect[n->options.from];

	return from != &ctx_dialect && from != &auto_dialect;
}

static bool
is_api_check(const struct normalizer *n)
{
	return n->options.check && n->to.dialect[n->options.to]->judge != NULL;
}

static enum systems_place
place_systems(const struct normalizer *n)
{
	if (n->options.system_given)
		return (enum systems_place)n->options.system;
	return n->to.dialect[n->options.to]->lifts_systems ? SYSTEMS_LIFT : SYSTEMS_KEEP;
}

/* The check of messages in the spelling of an API: as they are, not as they are read. */
static void
build_check(struct normalizer *n)
{
	const struct dialect *to = n->to.dialect[n->options.to];
	struct stage *stages[] = {&n->checker.stage, NULL};

	checker_init(&n->checker, to, place_systems(n));
	n->count = n->checker.count;
	n->findings = &n->checker.findings;
	n->run.any_dialect = true;
	run_link(&n->run, stages);
}

/* The stages between input and output, in their order. */
static void
build(struct normalizer *n)
{
	const struct dialect *from = n->from.dialect[n->options.from];
	const struct dialect *to = n->to.dialect[n->options.to];
	enum repair_open open = (enum repair_open)n->options.open_calls;
	struct stage *stages[11];
	unsigned count = 0;

	n->reading.all = n->options.all;
	n->reading.untrusted = n->options.untrusted;
	n->reader = from->reader(&n->reading);
	n->order = to->order != NULL ? to->order() : NULL;
	n->writer = to->writer();
	prompt_init(&n->prompt);
	if (!n->options.open_calls_given)
		open = to->only_messages ? REPAIR_OPEN_CLOSE : REPAIR_OPEN_KEEP;
	repair_init(&n->repair, n->options.check, to->only_messages, open);
	run_set_walk(&n->repair.pairs.walk, &n->options.common);
	n->repair.ignores_bad |= to->no_bad_lines;
	systems_init(&n->systems, place_systems(n));
	n->count = n->repair.count;
	n->findings = &n->repair.findings;
	request_init(&n->request, n->options.request != NULL ? REQUEST_BODY : REQUEST_ARRAY,
	    to->request, &n->prompt, read_given(n));
	n->writer->cached = n->options.cached;
	n->request.cached = n->options.cached_given ? &n->writer->place : NULL;
	untrusted_init(&n->untrusted, &n->reading);
	unread_init(&n->unread);
	torn_init(&n->torn);
	if (n->options.repair)
		stages[count++] = &n->torn.stage;
	if (n->options.untrusted)
		stages[count++] = &n->untrusted.stage;
	stages[count++] = &n->reader->stage;
	stages[count++] = &n->unread.stage;
	if (to->only_messages)
		stages[count++] = &n->prompt.stage;
	if (n->order != NULL)
		stages[count++] = &n->order->stage;
	stages[count++] = &n->repair.stage;
	if (to->only_messages)
		stages[count++] = &n->systems.stage;
	stages[count++] = &n->writer->stage;
	if (n->options.request != NULL || n->options.array)
		stages[count++] = &n->request.stage;
	stages[count] = NULL;
	run_link(&n->run, stages);
}

static void
build_account(struct normalizer *n)
{
	bool is_request = n->options.request != NULL;

	n->account = (struct account){.run = &n->run,
	    .reading = &n->reading,
	    .unread = &n->unread,
	    .dropped = &n->writer->dropped,
	    .joined = &n->writer->joined};
	if (n->options.array || is_request) {
		n->account.joined = &n->request.count;
		n->account.joined_in = is_request ? "request" : "array";
	} else if (n->to.dialect[n->options.to] == &instructor_dialect) {
		n->account.joined_in = "AgentContext";
	}
}

/* Whether the finding is no fault of the dialect that was asked for: in a log, the results of a
 * message come as they are ready. */
static bool
is_excused(const struct normalizer *n, const struct violation_finding *finding)
{
	return is_told(n) && !n->from.dialect[n->options.from]->is_chat &&
	    finding->violation == VIOLATION_RESULT_ORDER;
}

/* Reports what the check found in the last record. */
static void
say_findings(struct normalizer *n)
{
	struct violation_finding finding;
	struct buf text = BUF_INIT;
	size_t at = 0;

	while (violation_list_next(n->findings, &at, &finding)) {
		if (is_excused(n, &finding))
			continue;
		buf_reset(&text);
		violation_explain(&finding, &text);
		run_fail(&n->run, STATUS_NO);
		diag_warn_at(finding.file, finding.line, "%.*s", (int)text.len, text.ptr);
	}
	buf_reset(n->findings);
	buf_free(&text);
}

/* Whether the input may be of the dialect that it is found to be. The dialects of chat messages are
 * one. */
static bool
is_expected(const struct normalizer *n, const struct dialect *found)
{
	const struct dialect *from = n->from.dialect[n->options.from];

	return is_told(n) && (found == from || (found->is_chat && from->is_chat));
}

/* With --check, says once that the input is of another dialect, and once that a record stands over
 * several lines, which are no fault of a dialect that was asked for. */
static void
say_other(struct normalizer *n)
{
	const struct line *line = &n->reading.other_line;
	const struct line *folded = &n->run.source.folded_line;

	if (n->options.check && n->run.source.folded > 0 && !n->is_folded_said && !is_told(n)) {
		n->is_folded_said = true;
		run_fail(&n->run, STATUS_NO);
		diag_warn_at(
		    folded->file, folded->number, "several-lines: a record over several lines");
	}
	if (n->reading.other == NULL || n->is_other_said)
		return;
	n->is_other_said = n->run.any_dialect = true;
	if (!n->options.check || is_expected(n, n->reading.other))
		return;
	run_fail(&n->run, STATUS_NO);
	diag_warn_at(line->file, line->number, "other-dialect: looks like %s, not %s",
	    n->reading.other->name, is_told(n) ? n->from.name[n->options.from] : ctx_dialect.name);
}

/* Says that there was no record of the dialect that was asked for. */
static void
say_none(struct normalizer *n)
{
	const struct dialect *from = n->from.dialect[n->options.from];

	if (!n->options.check || !is_told(n) || from->is_chat || n->reading.other != NULL ||
	    n->unread.messages == 0)
		return;
	run_fail(&n->run, STATUS_NO);
	diag_warn("other-dialect: no record of %s", from->name);
}

static void
write_report(struct normalizer *n)
{
	struct json_writer *report = &n->run.members;

	json_name(report, STR("found"));
	json_open(report, '{');
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if (n->count[v] > 0)
			json_member_integer(report, violation_code(v), (int64_t)n->count[v]);
	json_close(report);
	if (is_api_check(n))
		return;
	if (n->options.repair)
		json_member_integer(report, STR("mended"), (int64_t)n->torn.mended);
	account_write(&n->account, report);
	if (!n->options.untrusted)
		return;
	json_name(report, STR("stripped"));
	json_open(report, '{');
	json_member_integer(report, STR("metadata"), (int64_t)n->reading.metadata);
	json_member_integer(report, STR("contexts"), (int64_t)n->reading.contexts);
	json_member_integer(report, STR("budgets"), (int64_t)n->reading.budgets);
	json_member_integer(report, STR("agents"), (int64_t)n->reading.agents);
	json_close(report);
}

/* Says what was left out at the end. */
static void
say_left_out(struct normalizer *n)
{
	uint64_t aside = n->run.sink.counts.aside;

	if (aside > 0 && n->run.sink.bad.name == NULL)
		diag_warn("%ju record%s without a place in the output left out", (uintmax_t)aside,
		    aside == 1 ? "" : "s");
	if (n->request.left_out.len > 0)
		diag_warn("left out of the request, where %s has no place for it: %.*s",
		    n->to.name[n->options.to], STR_ARG(buf_str(&n->request.left_out)));
	if (n->torn.mended > 0 && n->options.common.verbose)
		buf_add_fmt(&n->run.said, "; %ju torn line%s mended", (uintmax_t)n->torn.mended,
		    n->torn.mended == 1 ? "" : "s");
	account_say(&n->account);
}

static void
free_stages(struct normalizer *n)
{
	untrusted_free(&n->untrusted);
	n->reader->free(n->reader);
	buf_free(&n->reading.flaws);
	unread_free(&n->unread);
	if (n->order != NULL)
		n->order->free(n->order);
	n->writer->free(n->writer);
	prompt_free(&n->prompt);
	systems_free(&n->systems);
	request_free(&n->request);
	buf_free(&n->given);
	repair_free(&n->repair);
}

/* Leaves a file of another format as it is, and names the command that reads it. */
static void
refuse_other(struct normalizer *n)
{
	const struct dialect *other = n->reading.other;

	if (n->run.file == NULL || (other == NULL && n->run.source.folded == 0))
		return;
	run_fail(&n->run, STATUS_DATA);
	diag_warn("looks like %s; try ctx-normalize %s%s%s%s >NEW",
	    other != NULL ? other->name : "JSON over several lines", other != NULL ? "--from " : "",
	    other != NULL ? other->name : "", other != NULL ? " " : "", n->run.file->path);
}

static void
finish(struct normalizer *n)
{
	run_end(&n->run);
	if (is_api_check(n)) {
		say_findings(n);
		write_report(n);
		checker_free(&n->checker);
		return;
	}
	account_say_unread(&n->account);
	say_findings(n);
	tally_add_many(&n->writer->dropped, STR("sub-agent"), n->repair.outside);
	say_none(n);
	say_left_out(n);
	refuse_other(n);
	write_report(n);
	free_stages(n);
}

/* Refuses options that do not go with the output. */
static void
check_options(const struct normalizer *n)
{
	const struct options *options = &n->options;
	const struct dialect *to = n->to.dialect[options->to];

	if (options->check && to != &ctx_dialect && to->judge == NULL)
		options_fail("--check goes with --to=ctx, openai or anthropic");
	if (options->check && (options->request != NULL || options->array))
		options_fail("--check writes nothing; --%s is what it writes",
		    options->array ? "array" : "request");
	if (options->request != NULL && options->array)
		options_fail("--request and --array are two forms of one output");
	if ((options->request != NULL || options->array) && to->request == NULL)
		options_fail("--%s goes with --to=openai or anthropic",
		    options->array ? "array" : "request");
	if (options->cached_given && options->request == NULL)
		options_fail("--cached goes with --request");
	if (options->system_given && !to->only_messages)
		options_fail("--system goes with --to=openai or anthropic");
}

/* A file that is replaced stays of its format, and is read as what it is to become. */
static void
check_in_place(const struct normalizer *n)
{
	const struct options *options = &n->options;

	if (options->repair && options->check)
		options_fail("--check writes nothing; --repair is what it writes");
	if (options->in_place.suffix == NULL)
		return;
	if (!options->repair)
		options_fail("--in-place goes with --repair");
	if (is_told(n) || n->to.dialect[options->to] != &ctx_dialect || options->request != NULL ||
	    options->array || options->untrusted)
		options_fail("--in-place repairs; it goes with no --from, --to, --request, --array "
			     "or --untrusted");
}

/* Normalizes the stream of the operands, or the file that is replaced. */
static int
run_normalizer(struct normalizer n, struct run_file *file, char *const *operand, int count)
{
	if (file != NULL)
		run_open_file(&n.run, &n.options.common, file);
	else
		run_open(&n.run, &n.options.common, operand, count);
	n.run.source.any_document = true;
	if (is_api_check(&n)) {
		build_check(&n);
	} else {
		build(&n);
		build_account(&n);
	}
	while (run_read(&n.run)) {
		while (run_take(&n.run)) {
			if (!is_api_check(&n))
				account_say_unread(&n.account);
			say_findings(&n);
			say_other(&n);
		}
	}
	finish(&n);
	return run_close(&n.run);
}

static int
run_file(void *normalizer, struct run_file *file)
{
	return run_normalizer(*(struct normalizer *)normalizer, file, NULL, 0);
}

int
main(int argc, char **argv)
{
	struct normalizer n = {.is_other_said = false};
	int first;

	dialect_choose_readers(&n.from);
	dialect_choose_writers(&n.to);
	first = parse_options(&n, argc, argv);
	check_options(&n);
	check_in_place(&n);
	if (n.options.in_place.suffix != NULL)
		return in_place_run(&n.options.in_place, &n.options.common, NULL, argv + first,
		    argc - first, run_file, &n);
	return run_normalizer(n, NULL, argv + first, argc - first);
}
