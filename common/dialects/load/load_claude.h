#ifndef LOAD_LOAD_CLAUDE_H
#define LOAD_LOAD_CLAUDE_H

/*
 * What Claude Code loads beside the chain of its records: the other lines of an answer, whose
 * message.id is the same, the results of its calls, and what a compaction keeps. And thinking that
 * it sends as it is, though the API refuses it: with a signature and no text.
 */

#include "dialects/load/load_file.h"

/* add and reach of struct load_form. */
void load_claude_add(struct load_file *file, struct json_value record);
void load_claude_reach(struct load_file *file);

#endif
