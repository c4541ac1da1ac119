#ifndef LOAD_LOAD_CLAUDE_H
#define LOAD_LOAD_CLAUDE_H

/*
 * The records that Claude Code loads beside the chain: the other lines of an answer, which have the
 * same message.id, the results of its calls, and the records that a compaction keeps. Also finds
 * thinking with a signature and no text, which Claude Code sends, although the API refuses it.
 */

#include "dialects/load/load_file.h"

/* add and reach of struct load_form. */
void load_claude_add(struct load_file *file, struct json_value record);
void load_claude_reach(struct load_file *file);

#endif
