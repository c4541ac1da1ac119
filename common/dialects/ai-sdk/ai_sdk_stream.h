#ifndef AI_SDK_AI_SDK_STREAM_H
#define AI_SDK_AI_SDK_STREAM_H

/*
 * The rows for the chunks of a stream of UIMessages, and the rows for results of calls, which
 * chunks and parts of messages spell in the same way.
 */

#include "dialects/rows/row_reader.h"

/* Indexes of the reader's variables. */
enum ai_sdk_variable { AI_SDK_TOOL, AI_SDK_THOUGHT, AI_SDK_CALL, AI_SDK_INPUT };

#define AI_SDK_DENIED "'Tool execution denied.'"
#define AI_SDK_OUTPUT(path) \
	(const struct row[]) \
	{ \
		{NULL, ROW_TEXT, .content = path}, \
		{ \
			0 \
		} \
	}
#define AI_SDK_PIECES(path) \
	.pieces = (const struct row_piece[]) \
	{ \
		{".", AI_SDK_OUTPUT(path)}, \
		{ \
			NULL \
		} \
	}
#define AI_SDK_ANSWERED .make = ROW_RESULT, .id = "toolCallId"

/* Makes the thinking that has no end. */
row_function ai_sdk_stream_end;

extern const struct row ai_sdk_chunks[];
extern const struct row ai_sdk_outcomes[];

#endif
