#include "choices.h"

#include "base/file.h"
#include "dialects/request/request.h"
#include "face/input/document.h"

static const char *const open_choices[] = {"close", "keep", "drop", NULL};
static const char *const system_choices[] = {"lift", "keep", "user", NULL};

enum { AGE_MIN = 60 }; /* --min-age of an agent's file by default, in seconds */

const struct option choices_table[] = {
    OPTIONS_UNDER("Formats"),
    {"from", 0, "FORMAT", NULL, OPTION_CHOICE, offsetof(struct choices, from),
	dialect_reader_names},
    {"to", 0, "FORMAT", NULL, OPTION_CHOICE, offsetof(struct choices, to), dialect_writer_names},
    {"request", 0, "JSON", "write one request body, with the members of JSON", OPTION_OPTIONAL,
	offsetof(struct choices, request), .flags = OPTION_OWN_PROCESS, .not_with = "array check"},
    {"array", 0, NULL, "write one array of messages", OPTION_FLAG, offsetof(struct choices, array),
	.flags = OPTION_OWN_PROCESS, .not_with = "check"},
    {"cached", 0, "N", "a provider's cache has the first N messages: mark them in the request",
	OPTION_COUNT, offsetof(struct choices, cached), NULL,
	offsetof(struct choices, cached_given), .requires = "request"},
    {"system", 0, "PLACE", "later system messages: lift (default for anthropic), keep, or user",
	OPTION_CHOICE, offsetof(struct choices, system), system_choices,
	offsetof(struct choices, system_given)},
    {"open-calls", 0, "ACTION",
	"calls without results at the end: close (default for an API and a session), keep or drop",
	OPTION_CHOICE, offsetof(struct choices, open_calls), open_choices,
	offsetof(struct choices, open_calls_given)},
    {"all", 0, NULL, "also messages that were compacted, taken back or left, or are not sent",
	OPTION_FLAG, offsetof(struct choices, all)},
    OPTION_AGENTS(.not_with = "untrusted in-place"),
    OPTION_FORGOTTEN,
    {"lossy", 0, NULL, "drop what would go to metadata.x_FORMAT, having no place in a record",
	OPTION_FLAG, offsetof(struct choices, lossy)},
    OPTIONS_UNDER("Back into a file"),
    {"into", 0, "FILE", "write FILE, of which the log was made, with the changes in the log",
	OPTION_STRING, offsetof(struct choices, into), .flags = OPTION_OWN_PROCESS,
	.not_with = "from to request array check untrusted session-key agents"},
    {"output", 'o', "NEW", "with --into: write to NEW, whole or not at all", OPTION_STRING,
	offsetof(struct choices, output), .requires = "into", .not_with = "in-place"},
    OPTIONS_UNDER("Without what no agent reads"),
    {"gc", 0, NULL, "write FILE, an agent's session, without what the agent does not load",
	OPTION_FLAG, offsetof(struct choices, gc), .flags = OPTION_OWN_PROCESS,
	.not_with = "to request array check census repair into untrusted session-key agents"},
    OPTION_ROW(common_options, "archive", 0, "FILE", "with --gc: append to FILE all that goes",
	OPTION_STRING, archive, .requires = "gc"),
    OPTIONS_UNDER("What is wrong with it"),
    {"check", 0, "FORMAT", "name what is not whole, exit 1 if anything is; write nothing, or sarif",
	OPTION_OPTIONAL, offsetof(struct choices, check), .flags = OPTION_OWN_PROCESS},
    {"census", 0, NULL, "print a table of unknown records, parts and members", OPTION_FLAG,
	offsetof(struct choices, census), .flags = OPTION_OWN_PROCESS,
	.not_with = "to request array check repair into untrusted session-key"},
    {"repair", 0, NULL, "part torn lines, mend half characters", OPTION_FLAG,
	offsetof(struct choices, repair), .not_with = "check"},
    {"untrusted", 0, NULL, "strip metadata, context and budget records", OPTION_FLAG,
	offsetof(struct choices, untrusted)},
    OPTIONS_UNDER("In place"),
    OPTIONS_IN_PLACE("repair into gc", " request array untrusted"),
    OPTIONS_COMMON,
    OPTIONS_END,
};
/* Reads the members that --request gives. */
static void
read_given(struct choices *choices)
{
	const char *text = choices->request;
	struct buf padded = BUF_INIT;

	choices->given = json_absent;
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
	if (choices->writer->request != NULL &&
	    json_has(choices->given, choices->writer->request->messages))
		options_fail("--request has %.*s, which come from the input",
		    STR_ARG(choices->writer->request->messages));
	buf_free(&padded);
}

/* Refuses options that cannot be combined with the output. */
static void
check_options(const struct choices *choices)
{
	const struct dialect *to = choices->writer;
	bool is_one = choices->request != NULL || choices->array;

	if (choices->check != NULL && choices->check[0] != '\0' && !choices_is_sarif(choices))
		options_fail("bad value '%s' of --check, expected one of sarif", choices->check);
	if (choices->check != NULL && to != &ctx_dialect && to->judge == NULL)
		options_fail(
		    "--check requires --to=ctx or an API: openai, anthropic, responses, gemini");
	if (is_one && to->request == NULL)
		options_fail("--%s requires an API: --to=openai, anthropic, responses or gemini",
		    choices->array ? "array" : "request");
	if (choices->system_given && !to->only_messages)
		options_fail(
		    "--system requires an API: --to=openai, anthropic, responses or gemini");
	if (choices->common.session_key != NULL && to->only_messages && !is_one &&
	    choices->check == NULL)
		options_fail("--session-key with --to=%s requires --request or --array: "
			     "messages do not say of which session they are",
		    to->name);
}

/* An agent's file is left alone for a while after it was written to. */
static void
wait_for_agent(struct in_place_options *place)
{
	if (!place->has_min_age)
		place->min_age = AGE_MIN;
	place->has_min_age = true;
}

/* The file of --into is replaced; there is no operand. */
static void
check_into(struct choices *choices)
{
	if (choices->into == NULL || choices->common.in_place.suffix == NULL)
		return;
	in_place_check(&choices->common, (char *[]){(char *)choices->into, NULL}, 1);
	choices->place = choices->common.in_place;
	wait_for_agent(&choices->place);
	choices->common.in_place.suffix = NULL;
}

/* --gc reads a file twice. It waits for its agent, and loses nothing. */
static void
check_gc(struct choices *choices, char *const *operands, int count)
{
	struct in_place_options *place = &choices->common.in_place;

	if (!choices->gc)
		return;
	if (place->suffix == NULL && (count != 1 || file_is_stdin(operands[0])))
		options_fail("--gc needs one file, which is read twice, or files with --in-place");
	if (place->suffix == NULL)
		return;
	if (place->suffix[0] == '\0' && choices->common.archive == NULL)
		options_fail("--gc --in-place requires --archive for the records that go, or "
			     "--in-place=SUFFIX "
			     "to keep the old files");
	wait_for_agent(place);
}

/* A file that is replaced keeps its format, so --from and --to of another format are refused. */
static void
check_in_place(const struct choices *choices)
{
	if (choices->common.in_place.suffix == NULL || choices->gc)
		return;
	if (choices_is_told(choices) || choices->writer != &ctx_dialect)
		options_fail("--in-place cannot be combined with --%s=%s",
		    choices_is_told(choices) ? "from" : "to",
		    choices_is_told(choices) ? choices->reader->name : choices->writer->name);
}

/* --request '{...}' without '=': for the shell, the value is a word of its own. */
static void
check_operands(const struct choices *choices, char *const *operands, int count)
{
	for (int i = 0; i < count; i++)
		if (choices->request != NULL && choices->request[0] == '\0' &&
		    operands[i][0] == '{')
			options_fail(
			    "'%s' is no file, type --request='%s'", operands[i], operands[i]);
}

void
choices_check(struct choices *choices, char *const *operands, int count)
{
	choices->reader = dialect_readers[choices->from];
	choices->writer = dialect_writers[choices->to];
	check_options(choices);
	check_operands(choices, operands, count);
	check_into(choices);
	check_gc(choices, operands, count);
	check_in_place(choices);
	read_given(choices);
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
	return choices->check != NULL && choices->writer->judge != NULL;
}

bool
choices_is_load_check(const struct choices *choices)
{
	return choices->check != NULL && choices->reader->load != NULL &&
	    choices->writer == &ctx_dialect;
}

bool
choices_writes_nothing(const struct choices *choices)
{
	return choices->check != NULL || choices->census;
}

bool
choices_is_sarif(const struct choices *choices)
{
	return choices->check != NULL && strcmp(choices->check, "sarif") == 0;
}

bool
choices_write_one(const struct choices *choices)
{
	return choices->request != NULL || choices->array;
}

bool
choices_write_list(const struct choices *choices)
{
	return choices->writer->only_messages && !choices_write_one(choices);
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
	return choices->writer->only_messages || choices->writer->is_session ||
		choices->writer->is_plain ?
	    REPAIR_OPEN_CLOSE :
	    REPAIR_OPEN_KEEP;
}
