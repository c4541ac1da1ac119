#ifndef INPUT_BESIDE_H
#define INPUT_BESIDE_H

/*
 * The stage before a reader of sessions. It adds files that belong to a session and are beside its
 * file. The info record of an opencode session becomes, with its messages and parts (storage.h),
 * the record that "opencode export" writes. With --agents (agent_files.h):
 *
 *     Claude Code    a result that was too long is in DIR/ID/tool-results, and takes the place of
 *                    the text that names its file
 *     Codex CLI      the first line of a sub-agent's file gets the member caller, the id of the
 *                    session that called; lines that only repeat those of that session go
 *     opencode       the record of a sub-agent's session gets the member caller
 *
 * A missing file is reported, and the record that names it stays unchanged.
 */

#include "base/hash/map.h"
#include "face/agents/agent_calls.h"
#include "face/agents/agent_files.h"
#include "face/run.h"

struct beside {
	struct stage stage;
	struct run *run;
	const struct agent_files *files; /* NULL: without --agents */
	const char *file;                /* of the last record */
	unsigned operand;                /* its number in files */
	struct buf text, scratch;        /* the record that is made, and a piece of it */
	struct message message;
	struct agent_calls calls;
	struct map items;   /* items of the session's files so far -> 1 */
	bool is_repetition; /* the lines of the file still repeat those of the caller */
};

void beside_init(struct beside *beside, struct run *run, const struct agent_files *files);

/* Frees the stage, also one that is zeros. */
void beside_free(struct beside *beside);

#endif
