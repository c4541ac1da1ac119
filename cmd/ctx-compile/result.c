#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "face/files.h"
#include "stream/durable.h"
#include "stream/temporary.h"

static _Noreturn void
fail(const struct result *result, const char *why)
{
	diag_die(STATUS_CANT_CREATE, "cannot create '%s': %s", result->path, why);
}

/* Sets the mode and the real path: a link to a file stays one. */
static void
look(struct result *result, char real[PATH_MAX])
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	result->mode = 0666 & ~mask;
	if (stat(result->path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			fail(result,
			    "no regular file; without --output the result goes to "
			    "standard output");
		if (access(result->path, W_OK) != 0 || realpath(result->path, real) == NULL)
			fail(result, strerror(errno));
		result->mode = st.st_mode & 07777;
	} else if (strlen(result->path) < PATH_MAX) {
		strcpy(real, result->path);
	} else {
		fail(result, strerror(ENAMETOOLONG));
	}
}

void
result_open(struct result *result, const char *path, char *const *operand, int count)
{
	char real[PATH_MAX];
	const char *slash;

	result->path = path;
	for (int i = 0; i < count || i == 0; i++) {
		bool is_stdin = count == 0 || strcmp(operand[i], "-") == 0;

		if (files_are_same(path, is_stdin ? "/dev/stdin" : operand[i]))
			options_fail("--output '%s' is an input file", path);
	}
	look(result, real);
	slash = strrchr(real, '/');
	if (snprintf(result->name, sizeof result->name, "%s", slash != NULL ? slash + 1 : real) >=
		(int)sizeof result->name ||
	    result->name[0] == '\0')
		fail(result, strerror(result->name[0] == '\0' ? ENOENT : ENAMETOOLONG));
	snprintf(result->temporary, sizeof result->temporary, ".%s.ctx-%jd", result->name,
	    (intmax_t)getpid());
	if (slash != NULL)
		real[slash - real + (slash == real)] = '\0';
	result->directory = open(slash != NULL ? real : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (result->directory >= 0)
		result->fd =
		    temporary_create(TEMPORARY_REPLACING, result->directory, result->temporary);
	if (result->directory < 0 || result->fd < 0)
		fail(result, strerror(errno));
}

bool
result_commit(struct result *result, struct fault *fault)
{
	if (fchmod(result->fd, result->mode) != 0 || fsync(result->fd) != 0 ||
	    close(result->fd) != 0)
		return fault_set(
		    fault, STATUS_IO, "cannot write to '%s': %s", result->path, strerror(errno));
	if (renameat(result->directory, result->temporary, result->directory, result->name) != 0)
		return fault_set(fault, STATUS_CANT_CREATE, "cannot create '%s': %s", result->path,
		    strerror(errno));
	temporary_keep(TEMPORARY_REPLACING);
	if (!durable_sync_directory(result->directory))
		return fault_set(
		    fault, STATUS_IO, "cannot write to '%s': %s", result->path, strerror(errno));
	close(result->directory);
	return true;
}
