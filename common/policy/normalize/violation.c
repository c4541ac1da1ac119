#include "policy/normalize/violation.h"

enum { SUBJECT_MAX = 100 }; /* bytes of an id that are quoted */

/* For each violation, its code, the words before and after the id or word in question, and its
 * meaning, in the words with which ctx-lint(7) begins to explain it. A mild one loses nothing, and
 * no API and no agent refuses it. Violations without words are reported by the code that finds
 * them. */
static const struct {
	struct str code;
	const char *before;
	const char *behind;
	const char *meaning;
	bool is_mild;
} violations[VIOLATION_COUNT] = {
    [VIOLATION_ORPHAN_RESULT] = {STR_INIT("orphan-result"), "result", "answers no call",
	"A result answers no call."},
    [VIOLATION_SECOND_RESULT] = {STR_INIT("second-result"), "call", "has its result already",
	"A call has two results."},
    [VIOLATION_LATE_RESULT] = {STR_INIT("late-result"), "result",
	"does not directly follow its call", "A result does not directly follow its call."},
    [VIOLATION_RESULT_ORDER] = {STR_INIT("result-order"), "result",
	"comes after the result of a later call",
	"The results of one message are in another order than its calls.", .is_mild = true},
    [VIOLATION_UNANSWERED_CALL] = {STR_INIT("unanswered-call"), "call", "has no result",
	"A call has no result."},
    [VIOLATION_REPEATED_ID] = {STR_INIT("repeated-id"), "id", "is the id of an earlier message",
	"Two messages have one id.", .is_mild = true},
    [VIOLATION_EMPTY_MESSAGE] = {STR_INIT("empty-message"), "message of", "is empty",
	"A message has neither content, thinking nor calls."},
    [VIOLATION_ROLE_ALIAS] = {STR_INIT("role-alias"), "role", "is a word of another format",
	"The role is a word of another format.", .is_mild = true},
    [VIOLATION_BAD_FLAG] = {STR_INIT("bad-flag"), "metadata.critical", "is neither true nor false",
	"The member metadata.critical is neither true nor false.", .is_mild = true},
    [VIOLATION_BAD_TOMBSTONE] = {STR_INIT("bad-tombstone"), "metadata.forgets",
	"is neither an id nor a list of ids",
	"The member metadata.forgets is neither an id nor a list of ids.", .is_mild = true},
    [VIOLATION_UNKNOWN_ROLE] = {STR_INIT("unknown-role"), "role", "is not known to the API",
	"The API does not know the role."},
    [VIOLATION_UNKNOWN_MEMBER] = {STR_INIT("unknown-member"), "member", "is not known to the API",
	"The API does not know the member."},
    [VIOLATION_BAD_CONTENT] = {STR_INIT("bad-content"), "content", "is refused by the API",
	"The content is missing, empty, or of a type that the API does not take."},
    [VIOLATION_BAD_PART] = {STR_INIT("bad-part"), "part", "is refused by the API",
	"The API does not take a part of the content from this role."},
    [VIOLATION_BAD_CALL] = {STR_INIT("bad-call"), "call", "is not spelled as the API requires",
	"A call or a result is not spelled as the API requires."},
    [VIOLATION_BAD_NAME] = {STR_INIT("bad-name"), "name", "is refused by the API",
	"The name of a tool or a speaker has bytes or a length that the API does not take."},
    [VIOLATION_BAD_ID] = {STR_INIT("bad-id"), "id", "is refused by the API",
	"The id of a call or a result has bytes or a length that the API does not take."},
    [VIOLATION_REPEATED_CALL_ID] = {STR_INIT("repeated-call-id"), "id", "is the id of two calls",
	"Two calls have one id."},
    [VIOLATION_NO_MESSAGE] = {STR_INIT("no-message"), "record", "is no message",
	"A record is not a message of the API."},
    [VIOLATION_SYSTEM_IN_MIDST] = {STR_INIT("system-in-midst"), "message of",
	"comes after a message of another role", "A system message comes after other messages."},
    [VIOLATION_ASSISTANT_FIRST] = {STR_INIT("assistant-first"), "message of",
	"comes before any message of the user",
	"A message of the assistant comes before all messages of the user."},
    [VIOLATION_SAME_ROLE] = {STR_INIT("same-role"), "message of",
	"follows a message of the same role", "Two neighbouring messages have the same role."},
    [VIOLATION_TRAILING_BLANKS] = {STR_INIT("trailing-blanks"), "last message of",
	"ends with blanks", "The last message is the assistant's and ends with blanks."},
    [VIOLATION_NO_MESSAGES] = {STR_INIT("no-messages"), "list", "is empty",
	"A request has no messages."},
    [VIOLATION_NO_MODEL] = {STR_INIT("no-model"), "member", "is missing",
	"A request names no model."},
    [VIOLATION_NO_MAX_TOKENS] = {STR_INIT("no-max-tokens"), "member", "is missing",
	"A request does not say how long the answer may be."},
    [VIOLATION_BAD_TOOL] = {STR_INIT("bad-tool"), "tool", "is not spelled as the API requires",
	"A tool is not defined as the API requires."},
    [VIOLATION_BAD_FORMAT] = {STR_INIT("bad-format"), "member",
	"is not spelled as the API requires",
	"The format of the answer is not spelled as the API requires."},
    [VIOLATION_LONE_SURROGATE] = {STR_INIT("lone-surrogate"), "escape",
	"is half of a character, which the API refuses",
	"A text has half of a character, as the escape of a lone surrogate."},
    [VIOLATION_UNREACHED] = {STR_INIT("unreached"), "the agent loads", "messages",
	"The agent does not load some of the messages."},
    [VIOLATION_NO_HEADER] = {STR_INIT("no-header"), "header", "is missing",
	"The record by which the agent recognizes a session is missing."},
    [VIOLATION_NO_MEMBER] = {STR_INIT("no-member"), "member", "is missing",
	"A record lacks a member that the agent needs."},
    [VIOLATION_BAD_VALUE] = {STR_INIT("bad-value"), "value", "is refused by the agent",
	"A member has a value that the agent does not take."},
    [VIOLATION_DANGLING_PARENT] = {STR_INIT("dangling-parent"), "parent", "is not in the file",
	"A record names a parent that is not in the file."},
    [VIOLATION_PARENT_CYCLE] = {STR_INIT("parent-cycle"), "parent", "follows the record itself",
	"Records follow each other in a circle."},
    [VIOLATION_PROGRESS_PARENT] = {STR_INIT("progress-parent"), "parent",
	"is a progress record that bypasses messages",
	"A record follows a progress record that bypasses messages."},
    [VIOLATION_OTHER_BRANCH] = {STR_INIT("other-branch"), "parent",
	"comes before messages that do not follow it",
	"The session goes on from a record before its last messages."},
    [VIOLATION_NO_PARENT] = {STR_INIT("no-parent"), "parent", "names no record",
	"A record in the middle of the file names no parent."},
    [VIOLATION_EMPTY_THINKING] = {STR_INIT("empty-thinking"), "thinking with the signature",
	"is empty, which the API refuses", "Thinking without text has a signature."},
    [VIOLATION_COMMAND_TEXT] = {STR_INIT("command-text"), "text",
	"is taken for a command and not sent", "A text of the user is taken for a command."},
    [VIOLATION_OTHER_DIALECT] = {STR_INIT("other-dialect"), NULL, NULL,
	"A record is of another format than the one that was asked for.", .is_mild = true},
    [VIOLATION_SEVERAL_LINES] = {STR_INIT("several-lines"), NULL, NULL,
	"A record spans several lines.", .is_mild = true},
    [VIOLATION_UNKNOWN_SHAPE] = {STR_INIT("unknown-shape"), NULL, NULL,
	"A record may be a message, but is not understood."},
    [VIOLATION_BAD_LINE] = {STR_INIT("bad-line"), NULL, NULL, "A line is not valid JSON."},
};

struct str
violation_code(enum violation violation)
{
	return violations[violation].code;
}

const char *
violation_meaning(enum violation violation)
{
	return violations[violation].meaning;
}

bool
violation_is_mild(enum violation violation)
{
	return violations[violation].is_mild;
}

void
violation_explain(const struct violation_finding *finding, struct buf *text)
{
	struct str subject = finding->subject;

	if (subject.ptr[0] == '"')
		subject = str_of(subject.ptr + 1, subject.len - 2);
	if (subject.len > SUBJECT_MAX)
		subject.len = SUBJECT_MAX;
	buf_add_fmt(text, "%s '", violations[finding->violation].before);
	buf_add_str(text, subject);
	buf_add_fmt(text, "' %s", violations[finding->violation].behind);
}

/* In the list, each finding is a struct, with the bytes of its subject after it. */
void
violation_list_add(struct buf *list, const struct violation_finding *finding)
{
	buf_add(list, finding, sizeof *finding);
	buf_add_str(list, finding->subject);
}

bool
violation_list_next(const struct buf *list, size_t *at, struct violation_finding *finding)
{
	if (*at == list->len)
		return false;
	memcpy(finding, list->ptr + *at, sizeof *finding);
	finding->subject.ptr = list->ptr + *at + sizeof *finding;
	*at += sizeof *finding + finding->subject.len;
	return true;
}
