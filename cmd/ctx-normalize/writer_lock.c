#include "writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#include "base/str.h"

enum { ID_LEN = 36 };

bool
writer_lock_take(int directory, const char *name, int *lock, struct fault *fault)
{
	struct str text = str_from(name);
	char path[128];

	*lock = -1;
	if (!str_has_prefix(text, STR("rollout-")) || !str_has_suffix(text, STR(".jsonl")) ||
	    text.len < strlen("rollout-.jsonl") + ID_LEN)
		return true;
	snprintf(path, sizeof path, "../../../../thread-writer-locks/%.*s.lock", ID_LEN,
	    text.ptr + text.len - strlen(".jsonl") - ID_LEN);
	*lock = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return true;
	return fault_set(fault, STATUS_LATER,
	    "the session is open in Codex, which has its lock; try again later");
}
