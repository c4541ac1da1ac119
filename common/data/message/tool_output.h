#ifndef MESSAGE_TOOL_OUTPUT_H
#define MESSAGE_TOOL_OUTPUT_H

/*
 * The output of a command inside what a client puts around it in the text of a result:
 *
 *     {"output":"a.c\nb.c\n","metadata":{"exit_code":0,"duration_seconds":0.1}}
 *
 *     Exit code: 0
 *     Wall time: 0.1 seconds
 *     Output:
 *     a.c
 *     b.c
 *
 * The record keeps the text as the client sent it; who reads what a tool said reads the output. How
 * the command ended is metadata.is_error of the message.
 */

#include "json/value.h"

enum {
	TOOL_OUTPUT_UNKNOWN = -1,
	TOOL_OUTPUT_PRINTED = -2,
	TOOL_OUTPUT_SIGNAL = 128, /* and more: a shell's status of what a signal ended */
};

/* Appends the output inside the text of a result; of JSON whose middle was cut, all that is left of
 * it. Returns false, and appends nothing, where the text is the output itself. */
bool tool_output_read(struct str text, struct buf *output);

/* The exit status that a line without blanks around it gives ("Process exited with code 1"), or
 * TOOL_OUTPUT_UNKNOWN. */
int tool_output_status(struct str line);

/* Whether the result, a string, says that a command of Codex failed: in the lines before the
 * output, or in JSON, which ends with metadata. The Responses API has no flag for an error. */
bool tool_output_is_failure(struct json_value result);

/* Where the lines before the output say so in the string's JSON text: "Exit code: 1"; "": they do
 * not. */
struct str tool_output_failure(struct str inner);

/* The exit status that the text of a result gives of a command that printed nothing, or
 * TOOL_OUTPUT_UNKNOWN; TOOL_OUTPUT_PRINTED where it printed something. */
int tool_output_silent_status(struct str text);

#endif
