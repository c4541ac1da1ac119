#include "data/session/no_match.h"

#include "data/message/texts.h"
#include "data/message/tool_output.h"
#include "data/tool/simple_command.h"

/* Whether status 1 of the command means that nothing was found. */
static bool
is_search(const struct simple_command *c)
{
	static const struct str names[] = {STR_INIT("grep"), STR_INIT("egrep"), STR_INIT("fgrep"),
	    STR_INIT("zgrep"), STR_INIT("rg"), STR_INIT("ag"), STR_INIT("ack"), STR_INIT("pgrep"),
	    STR_INIT("diff"), STR_INIT("cmp"), STR_INIT("test"), STR_INIT("["), STR_INIT("[["),
	    STR_INIT("which")};
	static const struct str verbs[] = {STR_INIT("grep"), STR_INIT("diff"),
	    STR_INIT("check-ignore"), STR_INIT("config"), STR_INIT("merge-base"),
	    STR_INIT("show-ref")};

	if (c->words < 2)
		return false;
	if (str_eq(c->word[0], STR("git")))
		return STR_IS_ONE_OF(c->word[1], verbs);
	if (str_eq(c->word[0], STR("command")))
		return str_eq(c->word[1], STR("-v"));
	return STR_IS_ONE_OF(c->word[0], names);
}

/* Whether the status of the line is the status of a search: of its last command, if only searches,
 * cd and commands piped into these come before, and no output is hidden. */
static bool
ends_with_search(struct str line)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(line);
	struct simple_command command;
	bool is = false, hides = false, is_piped = false;

	while (simple_command_next(&commands, &command)) {
		is = is_search(&command);
		if (str_eq(command.operator, STR("&")))
			return false;
		is_piped = str_eq(command.operator, STR("|"));
		hides |= !is &&
		    (command.outputs > 0 ||
			!(is_piped || (command.words > 0 && str_eq(command.word[0], STR("cd")))));
	}
	return is && !hides;
}

bool
no_match_is(const struct call *call, const struct message *message)
{
	struct buf text = BUF_INIT;
	int status;

	if (call->use.op != TOOL_SHELL || !ends_with_search(call->use.target))
		return false;
	message_read_text(message, &text);
	status = tool_output_silent_status(buf_str(&text));
	buf_free(&text);
	return status == 1 || status == TOOL_OUTPUT_UNKNOWN;
}
