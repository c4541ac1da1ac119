/*
 * ctx-normalize makes a session valid, whole, and of the right dialect: a reader makes canonical
 * records of the input, the repair puts them in order, a writer writes them in the output's
 * dialect. Canonical input that is whole already streams and is passed, not copied. The repair
 * holds the records behind a missing result. The reader of Claude Code holds the whole session.
 */
#include "../runners.h"
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

/* All of a run. */
struct normalizer {
	struct normalizing_all all; /* first, so that it is the owner of the sessions */
	struct torn torn;
};

static int
parse(void *self, int argc, char **argv)
{
	struct normalizer *n = self;

	return choices_parse(&n->all.choices, argc, argv);
}

/* A torn line has a key only when it is mended. */
static struct session_kind
open_run(void *self, struct run *run)
{
	struct normalizer *n = self;
	const struct choices *choices = &n->all.choices;

	n->all.account = (struct account){.run = run, .joined_in = name_joined(choices)};
	n->all.is_refused = false;
	torn_init(&n->torn);
	if (choices->repair)
		run_link_ahead(run, &n->torn.stage);
	run->source.any_document = run->source.any_array = true;
	run->any_dialect = choices_is_api_check(choices);
	return normalizing_kind(choices);
}

static void
finish(void *self)
{
	struct normalizer *n = self;
	struct account *account = &n->all.account;

	account->mended = n->torn.mended;
	say_left_out(account->run);
	account_say(account);
	write_report(account, &n->all.choices);
}

static int
run_file(void *self, struct run_file *file)
{
	return runner_run_file(&normalize_runner, self, file);
}

static bool
replace(void *self, char *const *operand, int count, int *status)
{
	struct normalizer *n = self;
	const struct choices *choices = &n->all.choices;

	if (choices->in_place.suffix == NULL)
		return false;
	*status =
	    in_place_run(&choices->in_place, &choices->common, NULL, operand, count, run_file, n);
	return true;
}

static void
free_normalizer(void *self)
{
	struct normalizer *n = self;

	choices_free(&n->all.choices);
	buf_free(&n->all.account.left_out);
}

static const char *const alone[] = {"in-place", "request", "array", NULL};

const struct runner normalize_runner = {.name = "ctx-normalize",
    .look = choices_look,
    .size = sizeof(struct normalizer),
    .parse = parse,
    .instead = replace,
    .open = open_run,
    .finish = finish,
    .free = free_normalizer,
    .alone = alone,
    .reads_documents = true};
