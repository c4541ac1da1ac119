#ifndef AGENTS_ROLLOUTS_H
#define AGENTS_ROLLOUTS_H

/*
 * The session files of Codex CLI by the ids in their names, packed ones, too:
 *
 *     ROOT/YYYY/MM/DD/rollout-YYYY-MM-DDThh-mm-ss-ID.jsonl[.zst]
 *
 * If a folder is inside such a tree, all of ROOT is searched; else only that folder is. No symbolic
 * link below ROOT is followed.
 */

#include "base/arena.h"
#include "base/fault.h"
#include "base/hash/map.h"

/* Zeros have no files. */
struct rollouts {
	struct arena arena;
	const char *root;   /* that was looked through, or NULL */
	const char *folder; /* that was asked for last */
	const char **path;  /* as root begins */
	unsigned count, cap;
	struct map by_id; /* key of an id (agent_calls_key) -> index in path */
};

/* The file with that id in the tree around folder; NULL if there is none. The path folder must live
 * as long as rollouts. The fault is set when a folder cannot be read. */
const char *rollouts_find(
    struct rollouts *rollouts, const char *folder, struct str id, struct fault *fault);

void rollouts_free(struct rollouts *rollouts);

#endif
