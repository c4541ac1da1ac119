#include "choices.h"

#include "face/document.h"

static const char *const open_choices[] = {"close", "keep", "drop", NULL};
static const char *const system_choices[] = {"lift", "keep", "user", NULL};

/* Parses argv, or, where words is not NULL, looks at it. */
static int
read_options(struct choices *choices, int argc, char **argv, const char *const *names,
    struct options_words *words)
{
	const struct option table[] = {
	    {"from", 0, "FORMAT", choices->readers.help, OPTION_CHOICE,
		offsetof(struct choices, from), choices->readers.name, 0},
	    {"to", 0, "FORMAT", choices->writers.help, OPTION_CHOICE, offsetof(struct choices, to),
		choices->writers.name, 0},
	    {"request", 0, "JSON", "write one request body, with the members of JSON",
		OPTION_OPTIONAL, offsetof(struct choices, request), NULL, 0},
	    {"cached", 0, "N",
		"a provider's cache has the first N messages: mark them in the request",
		OPTION_COUNT, offsetof(struct choices, cached), NULL,
		offsetof(struct choices, cached_given)},
	    {"array", 0, NULL, "write one array of messages", OPTION_FLAG,
		offsetof(struct choices, array), NULL, 0},
	    {"open-calls", 0, "ACTION", "close (default for an API), keep or drop them",
		OPTION_CHOICE, offsetof(struct choices, open_calls), open_choices,
		offsetof(struct choices, open_calls_given)},
	    {"system", 0, "PLACE",
		"lift (default for anthropic), keep, or user: later system messages", OPTION_CHOICE,
		offsetof(struct choices, system), system_choices,
		offsetof(struct choices, system_given)},
	    {"all", 0, NULL, "keep what compactions took out, and branches that were left",
		OPTION_FLAG, offsetof(struct choices, all), NULL, 0},
	    {"check", 0, NULL, "write nothing, report what is not whole, exit 1 if anything is",
		OPTION_FLAG, offsetof(struct choices, check), NULL, 0},
	    {"untrusted", 0, NULL, "strip metadata, context and budget records", OPTION_FLAG,
		offsetof(struct choices, untrusted), NULL, 0},
	    {"repair", 0, NULL, "part torn lines from the records behind them", OPTION_FLAG,
		offsetof(struct choices, repair), NULL, 0},
	    OPTIONS_IN_PLACE(choices),
	    OPTIONS_COMMON,
	    OPTIONS_END,
	};
	const struct command command = {"ctx-normalize", "[option]... [file]...",
	    "Make transcripts valid, whole, and of the right dialect.", table,
	    {"ctx-normalize --from claude-code session.jsonl >log.jsonl",
		"ctx-normalize --to anthropic log.jsonl"},
	    {0, 1, 64, 65, 66, 71, 73, 74, 75, 78}, "--check: the session is not whole"};

	if (words == NULL)
		return options_parse(&command, argc, argv, choices);
	*words = options_look(&command, argc, argv, names);
	return 0;
}

struct options_words
choices_look(int argc, char *const *argv, const char *const *names)
{
	struct choices none = {.from = 0};
	struct options_words words;

	read_options(&none, argc, (char **)argv, names, &words);
	return words;
}

/* Reads the members that --request gives. */
static void
read_given(struct choices *choices)
{
	const char *text = choices->request;
	struct buf padded = BUF_INIT;

	choices->given = (struct json_value){.type = JSON_ABSENT};
	if (text == NULL || text[0] == '\0')
		return;
	buf_add_str(&padded, str_from(text));
	buf_pad(&padded);
	if (document_unfold(buf_str(&padded), &choices->given_text))
		choices->given = json_value_at(choices->given_text.ptr);
	if (choices->given.type != JSON_OBJECT)
		options_fail("bad value '%s' of --request, expected an object such as "
			     "{\"model\":\"NAME\"}",
		    text);
	if (json_has(choices->given, STR("messages")))
		options_fail("--request has messages, which come from the input");
	buf_free(&padded);
}

/* Refuses options that do not go with the output. */
static void
check_options(const struct choices *choices)
{
	const struct dialect *to = choices->writer;
	bool is_one = choices->request != NULL || choices->array;

	if (choices->check && to != &ctx_dialect && to->judge == NULL)
		options_fail("--check goes with --to=ctx, openai or anthropic");
	if (choices->check && is_one)
		options_fail("--check writes nothing; --%s is what it writes",
		    choices->array ? "array" : "request");
	if (choices->request != NULL && choices->array)
		options_fail("--request and --array are two forms of one output");
	if (is_one && to->request == NULL)
		options_fail("--%s goes with --to=openai or anthropic",
		    choices->array ? "array" : "request");
	if (choices->cached_given && choices->request == NULL)
		options_fail("--cached goes with --request");
	if (choices->system_given && !to->only_messages)
		options_fail("--system goes with --to=openai or anthropic");
	if (choices->common.session_key != NULL && to->only_messages && !is_one && !choices->check)
		options_fail("--session-key goes with --to=%s where --request or --array makes a "
			     "line of each session: its messages do not say whose they are",
		    to->name);
}

/* A file that is replaced stays of its format, and is read as what it is to become. */
static void
check_in_place(const struct choices *choices)
{
	if (choices->repair && choices->check)
		options_fail("--check writes nothing; --repair is what it writes");
	if (choices->in_place.suffix == NULL)
		return;
	if (!choices->repair)
		options_fail("--in-place goes with --repair");
	if (choices_is_told(choices) || choices->writer != &ctx_dialect ||
	    choices->request != NULL || choices->array || choices->untrusted)
		options_fail("--in-place repairs; it goes with no --from, --to, --request, --array "
			     "or --untrusted");
}

int
choices_parse(struct choices *choices, int argc, char **argv)
{
	int first;

	*choices = (struct choices){.request = NULL};
	dialect_choose_readers(&choices->readers);
	dialect_choose_writers(&choices->writers);
	first = read_options(choices, argc, argv, NULL, NULL);
	choices->reader = choices->readers.dialect[choices->from];
	choices->writer = choices->writers.dialect[choices->to];
	check_options(choices);
	check_in_place(choices);
	read_given(choices);
	return first;
}

void
choices_free(struct choices *choices)
{
	buf_free(&choices->given_text);
}

bool
choices_is_told(const struct choices *choices)
{
	return choices->reader != &ctx_dialect && choices->reader != &auto_dialect;
}

bool
choices_is_api_check(const struct choices *choices)
{
	return choices->check && choices->writer->judge != NULL;
}

enum systems_place
choices_systems(const struct choices *choices)
{
	if (choices->system_given)
		return (enum systems_place)choices->system;
	return choices->writer->lifts_systems ? SYSTEMS_LIFT : SYSTEMS_KEEP;
}

enum repair_open
choices_open_calls(const struct choices *choices)
{
	if (choices->open_calls_given)
		return (enum repair_open)choices->open_calls;
	return choices->writer->only_messages ? REPAIR_OPEN_CLOSE : REPAIR_OPEN_KEEP;
}
