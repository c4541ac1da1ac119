/*
 * ctx-project writes a view of the log. It holds the records that are not decided yet: an answer,
 * the running execution, the records after an open failure; with --sections or a trim, the whole
 * session.
 */

#include "../commands.h"
#include "base/text/text.h"
#include "base/text/visible.h"
#include "edits.h"
#include "face/choices/hold.h"
#include "face/choices/select_option.h"
#include "inject_option.h"
#include "json/string.h"
#include "session_view.h"

/*
 * A stage that writes messages for people, as text instead of records:
 *
 *     user: How deep is the harbour?
 *     assistant: It is 4.2 m deep.
 *         At low water.
 *
 * A message begins with its role; every other line of its text is indented, so that no text can be
 * taken for another message. The text is in its visible form (base/text/visible.h), except tabs.
 * Media become "[image]". Thinking, calls, and records that are no messages are left out; bad lines
 * are set aside.
 */

struct plain {
	struct stage stage;
	struct buf settled; /* a record with its edit applied */
	struct buf text;    /* of the message */
	struct buf line;    /* the text written for it */
};

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	struct buf *text = context;
	struct str stand_in = text_stand_in(kind);

	if (kind != TEXT_CONTENT && kind != TEXT_SIGNED && stand_in.len == 0)
		return;
	buf_end_line(text);
	if (stand_in.len > 0)
		buf_add_str(text, stand_in);
	else if (value.type == JSON_STRING)
		json_decode(value, text);
	else
		buf_add_str(text, json_span(value));
}

/* Appends one line of a text, tabs as they are. */
static void
add_line(struct buf *to, struct str line)
{
	const char *p = line.ptr, *end = p + line.len;

	if (visible_is(line)) {
		buf_add_str(to, line);
		return;
	}
	while (p < end) {
		if (*p == '\t') {
			buf_add_char(to, *p++);
			continue;
		}
		to->len += visible_next(&p, end, buf_reserve(to, VISIBLE_MAX));
	}
}

/* Appends the text: its first line after the role, the others indented. */
static void
add_text(struct buf *to, struct str text)
{
	struct str trimmed = str_trim(text);

	text.len = (size_t)(trimmed.ptr + trimmed.len - text.ptr);
	for (bool is_first = true; text.len > 0; is_first = false) {
		struct str line = input_line_text(str_take_line(&text));

		if (line.len > 0)
			buf_add_str(to, is_first ? STR(" ") : STR("    "));
		add_line(to, line);
		buf_add_char(to, '\n');
	}
}

static void
take(struct stage *stage, struct record *record)
{
	struct plain *plain = (struct plain *)stage;
	struct record written = {.kind = RECORD_MESSAGE, .line = {.number = record->line.number}};
	const struct message *message;
	struct message read;
	struct buf role = BUF_INIT;

	if (record->kind == RECORD_BAD) {
		record->state = RECORD_ASIDE;
		stage_emit(stage, record);
	}
	if (record->kind != RECORD_MESSAGE)
		return;
	record_settle(record, &plain->settled);
	message = record_message(record, &read);
	buf_reset(&plain->line);
	text_add_visible(&plain->line, json_text(message->role_value, &role));
	buf_add_char(&plain->line, ':');
	buf_reset(&plain->text);
	message_texts(message, add_found, &plain->text);
	if (str_trim(buf_str(&plain->text)).len > 0)
		add_text(&plain->line, buf_str(&plain->text));
	else
		buf_add_char(&plain->line, '\n');
	written.line.raw = written.line.text = buf_str(&plain->line);
	written.state = record->state == RECORD_ADDED ? RECORD_ADDED : RECORD_CHANGED;
	stage_emit(stage, &written);
	buf_free(&role);
}

static void
plain_init(struct plain *plain)
{
	*plain = (struct plain){.stage = {.take = take, .end = stage_pass_end}};
}

static void
plain_free(struct plain *plain)
{
	buf_free(&plain->settled);
	buf_free(&plain->text);
	buf_free(&plain->line);
}

static const char *const views[] = {"reasoning", "conversation", "all", "trace", NULL};

static const char *const attempts[] = {"last", "all", NULL};

/* Relations of options about the execution that is current: these views have its trace. */
#define WINDOWED "view=reasoning select reject attempts=last"

static const struct option table[] = {
    OPTIONS_UNDER("The view"),
    {"view", 0, "VIEW", "reasoning (default), conversation, all or trace", OPTION_CHOICE,
	offsetof(struct options, view), views},
    {"trace", 0, "WHICH", "trace in the reasoning view: current (default), all, none or a SELECTOR",
	OPTION_STRING, offsetof(struct options, trace), .requires = "view=reasoning"},
    {"attempts", 0, "WHICH", "of a call that failed more than once: the last time, or all",
	OPTION_CHOICE, offsetof(struct options, attempts), attempts,
	.not_with = "view=conversation"},
    {"select", 0, "SELECTOR", "of the view these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, select)},
    {"reject", 0, "SELECTOR", "of the view not these messages; again: nor these", OPTION_LIST,
	offsetof(struct options, reject)},
    OPTION_EXECUTION(OPTION_ROW, options, .requires = WINDOWED),
    {"agent", 0, "ID", "the view of that sub-agent", OPTION_STRING,
	offsetof(struct options, agent)},
    {"sections", 0, "LIST", "only these sections, in this order", OPTION_STRING,
	offsetof(struct options, sections)},
    {"leaf", 0, "ID", "in a tree (metadata.parent_id): the path to that message, or to the last",
	OPTION_STRING, offsetof(struct options, leaf)},
    OPTION_FORGOTTEN,
    OPTION_HOLD(options, .requires = WINDOWED, .not_with = "sections " OPTIONS_TRIM_NAMES),
    OPTIONS_UNDER("The newest that fit"),
    OPTIONS_TRIM(options),
    OPTIONS_UNDER("What is put in, joined and cut"),
    {"inject", 0, "FILE[@PLACE]", "put text or messages at the start, before-last-user, or the end",
	OPTION_LIST, offsetof(struct options, inject)},
    {"inject-command", 0, "CMD[@PLACE]",
	"the same with the output of CMD, which reads the last user message", OPTION_LIST,
	offsetof(struct options, inject_command)},
    {"with-system", 0, NULL, "put the context record's prompt first, as a system message",
	OPTION_FLAG, offsetof(struct options, with_system)},
    {"merge", 0, "TEXT", "join neighbours of one role; TEXT between texts (a line end)",
	OPTION_OPTIONAL, offsetof(struct options, merge)},
    {"shorten", 0, "SIZE[,HEAD%]", "cut longer texts to head (50%) and tail: 2k, 800chars, 500tok",
	OPTION_STRING, offsetof(struct options, shorten)},
    {"text", 0, NULL, "print role and text for people", OPTION_FLAG, offsetof(struct options, text),
	.flags = OPTION_OWN_PROCESS, .requires = "view=conversation"},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static bool
drops_attempts(const struct options *options)
{
	return options->attempts == ATTEMPTS_LAST ||
	    (options->attempts == ATTEMPTS_BY_VIEW && options->view == VIEW_REASONING);
}

/* Reads --trace: one of three words, or a selector. */
static void
parse_trace(const char *trace, struct view_choice *choice)
{
	static const char *const words[] = {"current", "all", "none"};
	struct selector_error error = {BUF_INIT, 0};

	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		if (trace == NULL || strcmp(trace, words[i]) == 0) {
			choice->trace = (enum view_trace)i;
			return;
		}
	choice->trace = VIEW_TRACE_CHOSEN;
	if (!selectors_add(&choice->chosen.select, trace, &error))
		select_option_fail("trace", trace, &error);
}

struct ctx_project {
	struct project of;
	struct edits edits;
	struct inject_option inject;
	struct plain plain;
};

/* Reads and checks the options, before anything is opened. */
static int
parse(void *self, int argc, char **argv)
{
	struct ctx_project *project = self;
	struct options *options = &project->of.options;
	struct project_choice *choice = &project->of.choice;
	int first;

	*options = (struct options){.view = VIEW_REASONING, .attempts = ATTEMPTS_BY_VIEW};
	first = options_parse(&project_command, argc, argv, options);
	choice->options = options;
	trim_option_parse(&options->trim, &choice->trim);
	project_held_parse(choice);
	parse_trace(options->trace, &choice->view);
	select_option_parse(&options->select, "select", &choice->within.select);
	select_option_parse(&options->reject, "reject", &choice->within.reject);
	edits_parse(&project->edits, options, choice);
	inject_option_open(&project->inject, options, argv + first, argc - first);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_project *project = self;
	const struct options *options = &project->of.options;
	struct project_choice *choice = &project->of.choice;

	choice->run = run;
	choice->selects = choice->trim.size.unit == SIZE_UNSET || choice->trim.size.value > 0;
	choice->view.view = (enum view)options->view;
	choice->view.drops_attempts = drops_attempts(options);
	choice->counts |= trim_option_counts(&choice->trim) ||
	    selection_needs_tokens(&choice->within) || selection_needs_tokens(&choice->view.chosen);
	if (choice->counts)
		limits_open_estimator(
		    &choice->estimator, &options->estimator, &options->common, &run->fault);
	inject_option_link(&project->inject, choice);
	edits_open(&project->edits, choice);
	plain_init(&project->plain);
	if (options->text)
		choice->behind[choice->behind_count++] = &project->plain.stage;
	run_link(run, choice->behind);
	project_view_init(&choice->viewed, choice);
}

static void
finish(void *self)
{
	struct ctx_project *project = self;
	const struct options *options = &project->of.options;
	struct project_choice *choice = &project->of.choice;
	struct run *run = choice->run;

	if (options->sections == NULL && !trim_is_set(&choice->trim))
		hold_report(run, options->hold, choice->given_up);
	edits_close(&project->edits, choice);
	inject_option_close(&project->inject, choice);
	if (run->sink.counts.written + choice->joined < run->source.counts.messages)
		buf_add_str(&run->said, STR("; ctx-compact has no facts of what is hidden"));
}

/* Says that there were messages, and that none is left of them. */
static void
say_nothing_left(void *self)
{
	const struct project_choice *choice = &((const struct project *)self)->choice;
	const struct sink_counts *out = &choice->run->sink.counts;
	uint64_t messages = choice->run->source.counts.messages;

	if (choice->selects && messages > 0 && out->written + out->added == 0)
		diag_warn("nothing is left of %ju message%s", (uintmax_t)messages,
		    messages == 1 ? "" : "s");
}

static void
free_all(void *self)
{
	struct ctx_project *project = self;
	struct project_choice *choice = &project->of.choice;

	plain_free(&project->plain);
	estimator_close(&choice->estimator);
	selection_free(&choice->view.chosen);
	selection_free(&choice->within);
	trim_free(&choice->trim);
}

static const char *const essential[] = {
    "view", "trace", "select", "sections", "last", "inject", "merge", "shorten", NULL};

const struct command project_command = {.name = "ctx-project",
    .synopsis = "[option]... [file]...",
    .purpose = "Write a view of the log.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-project --view conversation log.jsonl",
	"ctx-project --last 20msgs log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "no message has the id of --leaf",
    .run = {.size = sizeof(struct ctx_project),
	.parse = parse,
	.open = open_run,
	.finish = finish,
	.written = say_nothing_left,
	.free = free_all},
    .session = {.size_of = session_view_size,
	.stages = session_view_stages,
	.ended = session_view_ended,
	.finish = session_view_finish,
	.free = session_view_free,
	.forgotten = session_view_forgotten}};
