#ifndef CTX_NORMALIZE_WRITER_LOCK_H
#define CTX_NORMALIZE_WRITER_LOCK_H

/*
 * The lock that Codex CLI holds while it has a session open: flock(2) of a file beside its
 * sessions.
 *
 *     ~/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-ID.jsonl
 *     ~/.codex/thread-writer-locks/ID.lock
 *
 * Version 0.169 does so from before it opens the session until it ends; it does not lock the
 * session's file. The other four agents have no lock.
 */

#include <stdbool.h>

#include "base/fault.h"

/* Takes the lock of the session of that name in the directory. Sets *lock to a descriptor, which
 * the caller closes to release the lock, or to -1 if there is no such lock. Returns false with the
 * fault set, with status 75, when Codex holds the lock. */
bool writer_lock_take(int directory, const char *name, int *lock, struct fault *fault);

#endif
