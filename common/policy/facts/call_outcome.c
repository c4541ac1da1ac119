#include "policy/facts/call_outcome.h"

#include "data/change.h"
#include "data/message/texts.h"
#include "policy/digest/text_call.h"
#include "policy/facts/check_outcome.h"

enum { LINE_MOST = 600 }; /* bytes of the record of a read or a command that failed so */

/* As call_outcome_failed, of a result that has no error of its own, and is read into message. */
static int
failed(const struct session *t, uint32_t result, struct message *message)
{
	struct entry entry = change_base(t, result);
	struct buf text = BUF_INIT;
	int status;

	entry_parse(&entry, message);
	if (message_flag(message, METADATA_IS_ERROR) == 0)
		return 0;
	message_read_text(message, &text);
	status = check_outcome_status(buf_str(&text));
	buf_free(&text);
	return status > 0 ? 1 : status;
}

int
call_outcome_failed(const struct session *t, uint32_t result)
{
	struct message message;

	return t->entry[result].is_error ? 1 : failed(t, result, &message);
}

static bool
says_so(struct str text)
{
	static const struct str starts[] = {STR_INIT("<tool_use_error>"), STR_INIT("<error>"),
	    STR_INIT("Error: "), STR_INIT("Error editing "), STR_INIT("Error writing "),
	    STR_INIT("Error reading "), STR_INIT("ERROR:"), STR_INIT("Failed to "),
	    STR_INIT("Could not "), STR_INIT("String to replace not found"),
	    STR_INIT("String not found"), STR_INIT("oldString not found"),
	    STR_INIT("old_string not found"), STR_INIT("No replacement was "),
	    STR_INIT("No changes "), STR_INIT("No match found"),
	    STR_INIT("apply_patch verification failed"), STR_INIT("File has not been read yet"),
	    STR_INIT("File has been modified since "), STR_INIT("File does not exist"),
	    STR_INIT("File not found"), STR_INIT("The tool execution failed")};

	return STR_HAS_ANY_PREFIX(text, starts);
}

/* Whether a client reports that it found no such command to run. */
static bool
says_not_run(struct str text)
{
	static const struct str starts[] = {STR_INIT("execution error: "),
	    STR_INIT("failed to parse function arguments: "), STR_INIT("unsupported call: ")};

	return STR_HAS_ANY_PREFIX(text, starts);
}

/* Whether the call applies a patch, as a tool or in a shell. */
static bool
is_patch(const struct call *call)
{
	struct str text = call->use.target, path;

	return call->use.op == TOOL_SHELL && tool_patch_next(&text, &path, NULL);
}

bool
call_outcome_is_undone(const struct session *t, const struct call *call)
{
	const struct entry *result = call->result != NONE ? &t->entry[call->result] : NULL;
	bool is_read = call->use.op == TOOL_READ, patches = is_patch(call), is, is_line;
	bool runs = call->use.op == TOOL_SHELL && !patches;
	struct message message;
	struct buf buf = BUF_INIT;
	struct str text;
	int outcome;

	if (result == NULL || result->is_error || ((is_read || runs) && result->len > LINE_MOST) ||
	    !(is_read || runs || patches || tool_kind(call->use.op) == TOOL_EDIT))
		return false;
	outcome = failed(t, call->result, &message);
	if (outcome == 0)
		return false;
	message_read_output(&message, &buf);
	text = text_call_result(str_trim(buf_str(&buf)));
	is_line = str_is_one_line(text);
	is = !runs ? says_so(text) && !(is_read && !is_line) : is_line && says_not_run(text);
	is |= patches && outcome > 0;
	buf_free(&buf);
	return is;
}
