#include "stream/process/program.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

struct str
program_directory(char path[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
	const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);

	if (len < 0 && started != NULL && realpath(started, path) != NULL)
		len = (ssize_t)strlen(path);
	while (len > 0 && path[len - 1] != '/')
		len--;
	return str_of(path, (size_t)len);
}
