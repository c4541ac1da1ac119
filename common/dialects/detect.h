#ifndef DIALECTS_DETECT_H
#define DIALECTS_DETECT_H

/*
 * The formats that transcripts come in, and how the first record of one tells.
 */

#include "json/scan.h"

enum dialect {
	DIALECT_AUTO, /* not known (yet) */
	DIALECT_CTX,
	DIALECT_OPENAI,
	DIALECT_ANTHROPIC,
	DIALECT_CLAUDE_CODE,
};

/* The name by which options call a dialect. */
const char *dialect_name(enum dialect dialect);

/* Tells the format from one record (a validated JSON value); DIALECT_AUTO when it does not. */
enum dialect dialect_detect(struct json_value record);

#endif
