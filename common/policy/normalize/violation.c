#include "policy/normalize/violation.h"

enum { SUBJECT_MAX = 100 }; /* bytes of an id that are quoted */

/* For each violation, its code and the words before and behind the id or word in question. */
static const struct {
	struct str code;
	const char *before;
	const char *behind;
} violations[VIOLATION_COUNT] = {
    [VIOLATION_ORPHAN_RESULT] = {STR_INIT("orphan-result"), "result", "answers no call"},
    [VIOLATION_SECOND_RESULT] = {STR_INIT("second-result"), "call", "has its result already"},
    [VIOLATION_LATE_RESULT] = {STR_INIT("late-result"), "result",
	"does not stand directly behind its call"},
    [VIOLATION_RESULT_ORDER] = {STR_INIT("result-order"), "result",
	"stands behind that of a later call"},
    [VIOLATION_UNANSWERED_CALL] = {STR_INIT("unanswered-call"), "call", "has no result"},
    [VIOLATION_REPEATED_ID] = {STR_INIT("repeated-id"), "id", "is that of an earlier message"},
    [VIOLATION_EMPTY_MESSAGE] = {STR_INIT("empty-message"), "message of", "says nothing"},
    [VIOLATION_ROLE_ALIAS] = {STR_INIT("role-alias"), "role", "is another format's"},
    [VIOLATION_BAD_FLAG] = {STR_INIT("bad-flag"), "metadata.critical", "is neither true nor false"},
    [VIOLATION_BAD_TOMBSTONE] = {STR_INIT("bad-tombstone"), "metadata.forgets",
	"is neither an id nor a list of ids"},
    [VIOLATION_UNKNOWN_ROLE] = {STR_INIT("unknown-role"), "role", "is none of the API's"},
    [VIOLATION_UNKNOWN_MEMBER] = {STR_INIT("unknown-member"), "member", "is none of the API's"},
    [VIOLATION_BAD_CONTENT] = {STR_INIT("bad-content"), "content", "is none that the API takes"},
    [VIOLATION_BAD_PART] = {STR_INIT("bad-part"), "part", "is none that the API takes"},
    [VIOLATION_BAD_CALL] = {STR_INIT("bad-call"), "call", "is not spelled as the API has it"},
    [VIOLATION_BAD_NAME] = {STR_INIT("bad-name"), "name", "is none that the API takes"},
    [VIOLATION_BAD_ID] = {STR_INIT("bad-id"), "id", "is none that the API takes"},
    [VIOLATION_REPEATED_CALL_ID] = {STR_INIT("repeated-call-id"), "id", "is that of two calls"},
    [VIOLATION_NO_MESSAGE] = {STR_INIT("no-message"), "record", "is no message"},
    [VIOLATION_SYSTEM_IN_MIDST] = {STR_INIT("system-in-midst"), "message of",
	"stands behind one of another role"},
    [VIOLATION_ASSISTANT_FIRST] = {STR_INIT("assistant-first"), "message of",
	"stands before any of the user"},
    [VIOLATION_SAME_ROLE] = {STR_INIT("same-role"), "message of", "stands behind one of its role"},
    [VIOLATION_TRAILING_BLANKS] = {STR_INIT("trailing-blanks"), "last message of",
	"ends with blanks"},
    [VIOLATION_NO_MESSAGES] = {STR_INIT("no-messages"), "list", "is empty"},
    [VIOLATION_NO_MODEL] = {STR_INIT("no-model"), "member", "is missing"},
    [VIOLATION_NO_MAX_TOKENS] = {STR_INIT("no-max-tokens"), "member", "is missing"},
    [VIOLATION_BAD_TOOL] = {STR_INIT("bad-tool"), "tool", "is not spelled as the API has it"},
    [VIOLATION_BAD_FORMAT] = {STR_INIT("bad-format"), "member", "is not spelled as the API has it"},
    [VIOLATION_UNREACHED] = {STR_INIT("unreached"), "the agent loads", "messages"},
    [VIOLATION_NO_HEADER] = {STR_INIT("no-header"), "header", "is missing"},
    [VIOLATION_NO_MEMBER] = {STR_INIT("no-member"), "member", "is missing"},
    [VIOLATION_BAD_VALUE] = {STR_INIT("bad-value"), "value", "is none that the agent takes"},
    [VIOLATION_DANGLING_PARENT] = {STR_INIT("dangling-parent"), "parent", "is no record's"},
    [VIOLATION_PARENT_CYCLE] = {STR_INIT("parent-cycle"), "parent", "follows the record itself"},
    [VIOLATION_PROGRESS_PARENT] = {STR_INIT("progress-parent"), "parent",
	"is progress beside the messages between"},
    [VIOLATION_OTHER_BRANCH] = {STR_INIT("other-branch"), "parent",
	"stands before messages that do not follow it"},
    [VIOLATION_NO_PARENT] = {STR_INIT("no-parent"), "parent", "is none of the records before"},
    [VIOLATION_EMPTY_THINKING] = {STR_INIT("empty-thinking"), "thinking with the signature",
	"is empty, which the API refuses"},
    [VIOLATION_COMMAND_TEXT] = {STR_INIT("command-text"), "text",
	"is taken for a command and not sent"},
};

struct str
violation_code(enum violation violation)
{
	return violations[violation].code;
}

void
violation_explain(const struct violation_finding *finding, struct buf *text)
{
	struct str subject = finding->subject;

	if (subject.ptr[0] == '"')
		subject = str_of(subject.ptr + 1, subject.len - 2);
	if (subject.len > SUBJECT_MAX)
		subject.len = SUBJECT_MAX;
	buf_add_str(text, violations[finding->violation].code);
	buf_add_fmt(text, ": %s '", violations[finding->violation].before);
	buf_add_str(text, subject);
	buf_add_fmt(text, "' %s", violations[finding->violation].behind);
}

/* In the list, each finding stands as a struct, with the bytes of its subject behind it. */
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
