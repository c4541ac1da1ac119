#ifndef AGENTS_ROLLOUTS_H
#define AGENTS_ROLLOUTS_H

/*
 * The session files of Codex CLI by the ids in their names, packed ones, too:
 *
 *     ROOT/YYYY/MM/DD/rollout-YYYY-MM-DDThh-mm-ss-ID.jsonl[.zst]
 *
 * All of ROOT are looked through where a folder has such a place, or else that folder alone. No
 * symbolic link below ROOT is followed.
 */

#include "base/arena.h"
#include "base/fault.h"
#include "base/hash/hash.h"

/* Zeros have no files. */
struct rollouts {
	struct arena arena;
	const char *root;   /* that was looked through, or NULL */
	const char *folder; /* that was asked for last */
	const char **path;  /* as root begins */
	unsigned count, cap;
	struct map by_id; /* key of an id (agent_calls_key) -> index in path */
};

/* The file with that id, in the tree that the folder, a path that stays, lies in; NULL where there
 * is none. The fault is set when a folder cannot be read. */
const char *rollouts_find(
    struct rollouts *rollouts, const char *folder, struct str id, struct fault *fault);

void rollouts_free(struct rollouts *rollouts);

#endif
