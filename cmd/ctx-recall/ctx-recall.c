/*
 * ctx-recall prints entries of an archive, as text for an agent that runs the command in its shell.
 * The answer has at most --tokens, and names the command for more.
 */
#include "look_up.h"

#include "../commands.h"
#include "base/diag.h"
#include "base/text/shell_word.h"
#include "base/text/text.h"
#include "face/fault_die.h"
#include "face/terminal/terminal.h"

static const struct option table[] = {
    OPTIONS_UNDER("What is printed"),
    {"words", 'F', "WORDS", "print the passages that have the most and rarest of the words",
	OPTION_STRING, offsetof(struct look_up_options, words)},
    {"search", 0, "ERE", "print the lines in the archive that match, instead of an entry",
	OPTION_STRING, offsetof(struct look_up_options, search), .not_with = "words"},
    {"file", 0, "FILE", "print the newest state of a file, and its edits since", OPTION_STRING,
	offsetof(struct look_up_options, file), .not_with = "words search"},
    {"list", 0, NULL, "print a line for each message, pass by pass", OPTION_FLAG,
	offsetof(struct look_up_options, lists), .not_with = "words search file"},
    {"context", 'C', "N", "with a search: N lines around each hit", OPTION_COUNT,
	offsetof(struct look_up_options, context), .requires = "words search"},
    {"skip", 0, "N", "leave out the first N hits", OPTION_COUNT,
	offsetof(struct look_up_options, skip), .requires = "words search file list"},
    {"tokens", 0, "N", "print at most so many tokens (1k)", OPTION_COUNT,
	offsetof(struct look_up_options, tokens)},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, look_up_options),
    OPTIONS_UNDER("About the command"),
    OPTIONS_END,
};

/* The answer as a terminal may show it: line by line, with control characters made visible. */
static void
make_visible(struct buf *answer)
{
	struct str rest = buf_str(answer);
	struct buf text = BUF_INIT;

	while (rest.len > 0) {
		struct str line = str_take_line(&rest);

		text_add_visible(&text, line);
		if (line.ptr + line.len < answer->ptr + answer->len)
			buf_add_char(&text, '\n');
	}
	buf_free(answer);
	*answer = text;
}

static void
parse_operands(struct look_up *recall, char *const *operand, int count)
{
	const struct look_up_options *options = recall->options;
	bool is_search = options->search != NULL || options->words != NULL || options->lists;

	if (count == 0)
		options_fail("expected an archive");
	if (options->words != NULL && count > 1)
		options_fail("a search looks at the whole archive: expected one operand; several "
			     "WORDS need quotes");
	if (is_search && count > 1)
		options_fail("a search looks at the whole archive: expected no key");
	if (options->file != NULL && count > 2)
		options_fail("expected an archive and a log");
	if (!is_search && options->file == NULL && count != 2)
		options_fail("expected an archive and a key, -F, --search, --file or --list");
	recall->archive = operand[0];
	recall->log = options->file != NULL && count == 2 ? operand[1] : NULL;
	if (options->search != NULL)
		search_parse(recall);
	else if (!is_search && options->file == NULL)
		key_search_parse(recall, operand[1]);
}

static void
look_up(struct look_up *recall)
{
	if (recall->options->search != NULL)
		search_run(recall);
	else if (recall->options->words != NULL)
		ranked_search_run(recall);
	else if (recall->options->file != NULL)
		file_state_run(recall);
	else if (recall->options->lists)
		list_run(recall);
	else
		key_search_run(recall);
}

static void
say_nothing(const struct look_up *recall)
{
	const struct look_up_options *options = recall->options;
	const char *more = options->skip > 0 ? " more" : "";

	if (options->lists)
		diag_warn("'%s' has no%s messages", recall->archive, more);
	else if (options->file != NULL)
		diag_warn("'%s' has nothing%s of '%s'", recall->archive, more, options->file);
	else
		diag_warn("nothing%s in '%s' matches '%s'", more, recall->archive,
		    options->words != NULL ? options->words : options->search);
}

/* The file may be a session, which other commands search. */
static void
point_to_show(struct look_up *recall)
{
	struct buf *text = &recall->fault.text;

	buf_add_str(text, STR("; try ctx-show -e 'text~ERE' "));
	shell_word_add_file(text, recall->archive);
	buf_add_str(text, STR(", which searches a session"));
}

static int
print(int argc, char **argv)
{
	struct look_up_options options = {.tokens = LOOK_UP_TOKENS, .context = LOOK_UP_NO_CONTEXT};
	int first = options_parse(&recall_command, argc, argv, &options);
	struct look_up recall = {.options = &options, .fault = FAULT_INIT};
	enum status status = STATUS_OK;

	parse_operands(&recall, argv + first, argc - first);
	message_init();
	limits_open_estimator(
	    &recall.estimator, &options.estimator, &options.common, &recall.fault);
	if (archive_index_open(&recall.index, recall.archive, &recall.fault))
		look_up(&recall);
	else if (recall.fault.status == STATUS_DATA)
		point_to_show(&recall);
	fault_check(&recall.fault);
	if (recall.answer.len == 0) {
		say_nothing(&recall);
		status = STATUS_NO;
	}
	archive_index_close(&recall.index);
	estimator_close(&recall.estimator);
	if (terminal_is_output())
		make_visible(&recall.answer);
	options_print(&recall.answer, status);
}

static const char *const essential[] = {
    "words", "search", "file", "list", "context", "tokens", "estimator", NULL};

const struct command recall_command = {.name = "ctx-recall",
    .synopsis = "[option]... ARCHIVE [KEY[:LINES] | LOG]",
    .purpose = "Print what compaction took out, from its archive.",
    .kind = COMMAND_LOOKS,
    .options = table,
    .essential = essential,
    .examples = {"ctx-recall log.archive -F 'Why did the gauge fail?'",
	"ctx-recall log.archive 0d9668678dce:1-40"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 74, 78},
    .no = "nothing matches, or the entry has no such line",
    .main = print};
