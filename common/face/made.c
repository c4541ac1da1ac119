#include "face/made.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "data/archive/archive.h"
#include "face/input/files.h"
#include "stream/file/attributes.h"

static void
check_creatable(const char *path)
{
	char copy[PATH_MAX];
	const char *name;
	struct stat st;
	int error = 0;

	if (path == NULL)
		return;
	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			error = EISDIR;
		else if (attributes_are_read_only(&st))
			error = EACCES;
		else if (access(path, W_OK) != 0)
			error = errno;
	} else if (errno == ENOENT && strlen(path) < sizeof copy) {
		if (path[0] == '\0' ||
		    access(file_split(strcpy(copy, path), &name), W_OK | X_OK) != 0)
			error = errno;
	} else {
		error = errno;
	}
	if (error != 0)
		diag_die(status_of_error(error, STATUS_CANT_CREATE), "cannot create '%s': %s", path,
		    strerror(error));
}

/* Checks the files that the run creates against each other and against standard output. */
static void
check_made(const struct common_options *options)
{
	struct files_made made[FILES_MADE];
	struct stat st;
	bool is_file = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode);

	files_list_made(options, made);
	for (int i = 0; i < FILES_MADE; i++) {
		if (is_file && files_is_name_of(made[i].path, &st))
			options_fail("%s and standard output are one file", made[i].option);
		for (int k = 0; k < i; k++)
			if (files_are_same(made[k].path, made[i].path))
				options_fail(
				    "%s and %s are one file", made[k].option, made[i].option);
	}
	for (int i = 0; i < FILES_MADE; i++)
		check_creatable(made[i].path);
}

void
made_check(const struct common_options *options, const struct input *in)
{
	const struct option_list *reads = &options->reads;
	struct stat st;

	for (unsigned i = 0; i < in->operand_count; i++)
		if (input_stat(in, i, &st))
			files_check_read(options, &st);
	for (unsigned i = 0; i < reads->count; i++)
		if (files_find_regular(reads->item[i], &st))
			files_check_read(options, &st);
	check_made(options);
}

void
made_check_archive(const struct common_options *options, const struct input *in)
{
	enum { HEAD = 16 }; /* bytes that distinguish an archive from another file */
	char head[HEAD];
	ssize_t n = 0;
	int fd;

	if (options->archive == NULL)
		return;
	files_check_appended(options, in, "--archive", options->archive);
	fd = open(options->archive, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == EACCES || errno == ENOTDIR))
		return; /* a program that appends to it reports the error */
	if (fd < 0)
		diag_die(status_of_error(errno, STATUS_NO_INPUT), "cannot open '%s': %s",
		    options->archive, strerror(errno));
	n = file_read_at(fd, head, sizeof head, 0);
	if (n < 0 && errno != EISDIR && errno != ESPIPE)
		diag_die(STATUS_IO, "cannot read '%s': %s", options->archive, strerror(errno));
	close(fd);
	if (n > 0 && !archive_may_begin(str_of(head, (size_t)n)))
		diag_die(STATUS_DATA, "'%s' is no archive, and stays as it is", options->archive);
}

/* Whether diagnostics go to the file at path: it must not be emptied then. */
static bool
has_diagnostics(const char *path)
{
	struct stat st;

	return fstat(STDERR_FILENO, &st) == 0 && files_is_name_of(path, &st);
}

static void
set_uncreatable(struct fault *fault, const char *path)
{
	fault_set_error(fault, STATUS_CANT_CREATE, "cannot create '%s'", path);
}

int
made_create(const char *path, bool appends, struct fault *fault)
{
	int fd;

	if (has_diagnostics(path))
		fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(
		    path, O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), 0666);
	if (fd < 0)
		set_uncreatable(fault, path);
	return fd;
}

void
made_empty(const char *path, struct fault *fault)
{
	struct stat st;

	if (files_find_regular(path, &st) && !has_diagnostics(path) && truncate(path, 0) != 0)
		set_uncreatable(fault, path);
}
