#ifndef MESSAGE_TOOL_OUTPUT_H
#define MESSAGE_TOOL_OUTPUT_H

/*
 * Finds the output of a command in the text of a result, in which some clients wrap the output:
 *
 *     {"output":"a.c\nb.c\n","metadata":{"exit_code":0,"duration_seconds":0.1}}
 *
 *     Exit code: 0
 *     Wall time: 0.1 seconds
 *     Output:
 *     a.c
 *     b.c
 *
 * The record keeps the text of the client. Policies that need the words of the tool read the
 * output. Whether the command failed is in metadata.is_error of the message.
 */

#include "json/value.h"

enum {
	TOOL_OUTPUT_UNKNOWN = -1,
	TOOL_OUTPUT_PRINTED = -2,
	TOOL_OUTPUT_SIGNAL = 128, /* and more: the shell's status after a signal */
};

/* Appends the output inside the text of a result. From JSON whose middle was cut out, appends all
 * of the output that is left. Returns false, and appends nothing, when the text has no wrapping. */
bool tool_output_read(struct str text, struct buf *output);

/* The exit status in a line such as "Process exited with code 1", or TOOL_OUTPUT_UNKNOWN. The line
 * has no blanks at its ends. */
int tool_output_status(struct str line);

/* Whether the result, a string, says that a command of Codex failed: in the lines before the
 * output, or in JSON, which ends with metadata. The Responses API has no flag for an error. */
bool tool_output_is_failure(struct json_value result);

/* The part of a string's JSON text, in the lines before the output, that says that the command
 * failed: "Exit code: 1". "" when there is no such part. */
struct str tool_output_failure(struct str inner);

/* The exit status in the text of a result, for a command that printed nothing. TOOL_OUTPUT_PRINTED
 * when the command printed something; TOOL_OUTPUT_UNKNOWN when the text gives no status. */
int tool_output_silent_status(struct str text);

#endif
