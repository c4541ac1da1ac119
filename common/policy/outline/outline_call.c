#include "policy/outline/outline_call.h"

#include "base/text/file_path.h"
#include "data/change.h"
#include "data/message/tool_output.h"
#include "data/session/declined.h"
#include "data/tool/shell_read.h"
#include "json/leaves.h"
#include "json/string.h"
#include "policy/digest/text_call.h"
#include "policy/facts/commit.h"
#include "policy/facts/state.h"
#include "policy/facts/call_outcome.h"
#include "policy/outline/outline_edit.h"
#include "policy/outline/outline_said.h"
#include "policy/text/call_text.h"
#include "policy/text/line_start.h"

enum {
	COMMAND_MOST = 200, /* bytes of a command */
	VALUE_SHOWN = 80    /* of an argument */
};

/* The text that is run: without leading blank lines and comments, or all. */
static struct str
without_comments(struct str text)
{
	struct str rest = text, behind, line;

	do {
		behind = rest;
		line = str_trim(str_take_line(&rest));
	} while (rest.len > 0 && (line.len == 0 || line.ptr[0] == '#'));
	return line.len > 0 && line.ptr[0] != '#' ? behind : text;
}

/* A command without a leading shell and comments. */
static struct str
command_of(const struct call *call)
{
	static const struct str shells[] = {
	    STR_INIT("bash -lc "), STR_INIT("bash -c "), STR_INIT("sh -c ")};
	struct str command = call->use.target;

	for (size_t i = 0; i < ARRAY_COUNT(shells); i++)
		if (str_has_prefix(command, shells[i]))
			command = str_of(command.ptr + shells[i].len, command.len - shells[i].len);
	return without_comments(command);
}

bool
outline_call_reads(struct str command)
{
	static const struct str words[] = {STR_INIT("cat "), STR_INIT("sed -n"), STR_INIT("head "),
	    STR_INIT("tail "), STR_INIT("grep "), STR_INIT("rg "), STR_INIT("find "),
	    STR_INIT("ls"), STR_INIT("nl "), STR_INIT("wc "), STR_INIT("tree"), STR_INIT("awk ")};

	if (str_has_prefix(command, STR("cd ")) && str_find(command, STR("&& ")) != NULL) {
		const char *after = str_find(command, STR("&& ")) + 3;

		command = str_of(after, command.len - (size_t)(after - command.ptr));
	}
	while (command.len > 0 && memchr("'\"( ", command.ptr[0], 4) != NULL)
		command = str_of(command.ptr + 1, command.len - 1);
	return STR_HAS_ANY_PREFIX(command, words);
}

static enum outline_step_source
source_of(const struct call *call)
{
	if (call->use.op == TOOL_SHELL)
		return outline_call_reads(command_of(call)) ? OUTLINE_STEP_FILE : OUTLINE_STEP_RUN;
	return outline_edit_is(call) ? OUTLINE_STEP_RUN : OUTLINE_STEP_FILE;
}

/* Appends the short strings of the arguments. */
static void
add_arguments(const struct call *call, struct buf *out)
{
	enum { ALL = 200 };
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct json_leaves leaves;
	struct buf text = BUF_INIT;
	size_t start = out->len;
	enum json_leaf leaf;

	tool_arguments(call->arguments, &arena, &arguments);
	if (arguments.value.type != JSON_ABSENT)
		json_leaves_open(&leaves, json_span(arguments.value));
	while (arguments.value.type != JSON_ABSENT && out->len - start < ALL &&
	    (leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
		struct str value;

		if (leaf == JSON_LEAF_NAME)
			continue;
		value = leaf == JSON_LEAF_STRING ? json_text(leaves.value, &text) :
						   json_span(leaves.value);
		if (value.len == 0 || !str_is_one_line(value))
			continue;
		buf_add_char(out, ' ');
		line_start_add(value, VALUE_SHOWN, out);
	}
	arena_free(&arena);
	buf_free(&text);
}

/* Writes the first line of a command; of a commit whose message is a here-document, the command
 * before the document and the subject of the message. Returns the rest of the command. */
static struct str
add_command(struct str command, struct buf *out)
{
	struct str line = str_take_line(&command), subject = STR("");
	const char *quote, *document;

	buf_add_str(out, STR("$ "));
	document = str_find(line, STR("<<"));
	if (document != NULL && str_find(line, STR("commit ")) != NULL)
		subject = commit_subject(
		    str_of(line.ptr, (size_t)(command.ptr + command.len - line.ptr)));
	if (subject.len == 0 || subject.ptr < command.ptr) {
		line_start_add(line, COMMAND_MOST, out);
		return command;
	}
	quote = str_find(line, STR("\"$(cat <<"));
	line.len = (size_t)((quote != NULL ? quote : document) - line.ptr);
	line_start_add(str_trim(line), COMMAND_MOST, out);
	buf_add_str(out, STR(" \""));
	line_start_add(subject, COMMAND_MOST, out);
	buf_add_char(out, '"');
	return str_rest(command, (size_t)(subject.ptr + subject.len - command.ptr));
}

/* Appends the file of a read, and the numbers of the lines. */
static void
add_read(const struct call *call, struct buf *out)
{
	int64_t first = call->use.first_line, last = call->use.last_line;

	call_text_add_target(call, out);
	if (last == TOOL_LAST_LINE && first > 1)
		buf_add_fmt(out, " (from line %jd)", (intmax_t)first);
	else if (last == first && last > 0)
		buf_add_fmt(out, " (line %jd)", (intmax_t)first);
	else if (last < TOOL_LAST_LINE && last > 0)
		buf_add_fmt(out, " (lines %jd-%jd)", (intmax_t)first, (intmax_t)last);
}

void
outline_call_write_head(const struct call *call, struct buf *out)
{
	struct arena arena = ARENA_INIT;
	struct call shown = *call;
	bool is_fact = call->arguments.type == JSON_ABSENT && call->use.target.len > 0;

	buf_reset(out);
	if (state_is_todos(call)) {
		call_text_add_tool(call, out);
	} else if (call->use.op == TOOL_READ) {
		buf_add_str(out, STR("read "));
		add_read(call, out);
	} else if (call->use.op == TOOL_SHELL &&
	    shell_read_find(command_of(call), &arena, &shown.use)) {
		buf_add_str(out, STR("read "));
		shown.use.target = file_path_below(call->use.directory, shown.use.target, &arena);
		add_read(&shown, out);
	} else if (call->use.op == TOOL_SHELL) {
		add_command(command_of(call), out);
	} else if (!is_fact && (call->use.op == TOOL_OTHER || call->use.target.len == 0)) {
		call_text_add_tool(call, out);
		add_arguments(call, out);
	} else {
		if (call->use.op == TOOL_OTHER)
			call_text_add_tool(call, out);
		else
			buf_add_str(out, tool_op_name(call->use.op));
		buf_add_char(out, ' ');
		call_text_add_target(call, out);
	}
	arena_free(&arena);
}

/* The lines of the call itself; an edit that failed changed nothing. */
static void
add_given(struct outline_step *step, const struct call *call, bool failed)
{
	struct buf head = BUF_INIT;
	struct str command;

	if (call->use.op != TOOL_SHELL) {
		if (call->use.op != TOOL_READ && !(failed && outline_edit_is(call)))
			outline_edit_add(step, call);
		return;
	}
	command = add_command(command_of(call), &head);
	buf_free(&head);
	if (str_find(command, STR("*** Begin Patch")) == NULL)
		outline_step_add_details(step, command, OUTLINE_STEP_WRITTEN);
	else if (!failed)
		outline_edit_add_patch(step, command);
}

static bool
has_failed(const struct session *t, const struct call *call)
{
	return call->result != NONE &&
	    (t->entry[call->result].is_error || call_outcome_is_undone(t, call));
}

/* Whether a command printed nothing. */
static bool
is_silent(const struct call *call, struct str text)
{
	text = str_trim(text);
	return call->use.op == TOOL_SHELL &&
	    (text.len == 0 || str_has_suffix(text, STR("Output:")) ||
		str_has_suffix(text, STR("no output)")));
}

void
outline_call_add(struct outline_step *step, const struct call *call)
{
	const struct session *t = step->session;
	struct buf buf = BUF_INIT;
	bool failed = has_failed(t, call);
	struct str text = call->result != NONE ? change_base_text(t, call->result, &buf) : STR("");
	struct str words;
	bool is_refused = failed && declined_find(text, &words);

	outline_step_begin(step);
	if (call->result != NONE && !outline_edit_is(call))
		outline_step_take_key(step, call->result);
	step->outcome = call->result == NONE ? OUTLINE_AGAIN_OPEN :
	    failed && !is_refused            ? OUTLINE_AGAIN_FAILED :
	    is_silent(call, text)            ? OUTLINE_AGAIN_SILENT :
					       OUTLINE_AGAIN_OK;
	step->was_told = call->result != NONE && change_came_compacted(t, call->result);
	outline_call_write_head(call, &step->text);
	buf_add_str(&step->text,
	    is_refused                                                     ? STR(" (refused)") :
		call->has_no_match && tool_output_silent_status(text) == 1 ? STR(" (status 1)") :
									     STR(""));
	outline_step_add(step, OUTLINE_CALL,
	    source_of(call) == OUTLINE_STEP_FILE ? OUTLINE_LOOKED : OUTLINE_DONE);
	/* The open items of a list of to-dos are a section of their own. */
	if (!state_is_todos(call) || failed)
		add_given(step, call, failed);
	/* The words of a refusal are a rule (policy/facts/facts.h). */
	if (call->result != NONE && !is_refused && (!state_is_todos(call) || failed)) {
		outline_step_begin(step);
		if (step->outcome != OUTLINE_AGAIN_FAILED && outline_edit_is(call))
			outline_edit_add_receipt(step, text);
		else
			outline_step_add_details(step, text,
			    step->outcome == OUTLINE_AGAIN_FAILED ? OUTLINE_STEP_RUN :
								    source_of(call));
	}
	buf_free(&buf);
}

void
outline_call_add_cut(struct outline_step *step, const struct call *call)
{
	const struct session *t = step->session;
	uint32_t result = call->result;
	bool failed = has_failed(t, call);
	struct buf text = BUF_INIT;

	outline_step_begin(step);
	outline_step_take_key(step, result);
	step->outcome = failed ? OUTLINE_AGAIN_FAILED : OUTLINE_AGAIN_OK;
	step->was_told = true;
	outline_call_write_head(call, &step->text);
	outline_step_add(step, OUTLINE_CALL, OUTLINE_AGAIN);
	outline_step_add_details(
	    step, change_base_text(t, result, &text), failed ? OUTLINE_STEP_RUN : source_of(call));
	buf_free(&text);
}

void
outline_call_add_text(struct outline_step *step, struct str text)
{
	struct text_call call;
	struct str value, body;

	text_call_find(text, true, &call);
	outline_said_add(step, call.before);
	outline_step_begin(step);
	step->outcome = OUTLINE_AGAIN_OPEN;
	buf_reset(&step->text);
	body = call.body;
	if (call.name.len == 0) {
		body = without_comments(body);
		buf_add_str(&step->text, STR("$ "));
		line_start_add(str_take_line(&body), COMMAND_MOST, &step->text);
		outline_step_add(step, OUTLINE_CALL, OUTLINE_DONE);
		outline_step_add_details(step, body, OUTLINE_STEP_WRITTEN);
		return;
	}
	buf_add_str(&step->text, call.name);
	while (text_call_next(&body, &value)) {
		if (value.len == 0 || step->text.len > COMMAND_MOST)
			continue;
		buf_add_char(&step->text, ' ');
		line_start_add(str_take_line(&value), VALUE_SHOWN, &step->text);
	}
	outline_step_add(step, OUTLINE_CALL, OUTLINE_DONE);
	for (body = call.body; text_call_next(&body, &value);) {
		str_take_line(&value);
		outline_step_add_details(step, value, OUTLINE_STEP_WRITTEN);
	}
}
