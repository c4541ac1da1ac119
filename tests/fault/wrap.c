/*
 * Failures on demand, linked in front of the C library with ld --wrap:
 *
 *     CTX_FAULT=CALL:N:ERROR   the N-th CALL fails with that error (a name of errno(3)), or moves
 *                              one byte only (ERROR is SHORT; N is * for all calls)
 *     CTX_FAULT_LOG=FILE       one line for each call; with CTX_FAULT, for each that failed so
 *
 * CALL is what the call means to a command, so that calls.tsv can say what must follow from its
 * failure. open opens a file to read, create one that may be new, reopen one to write that is
 * there, directory a directory. read reads the input, read-child what a child wrote. write writes output, say a
 * diagnostic, write-child the input of a child. close-output closes a written file, close any
 * other. lease takes a lease. alloc is any allocation. Any other call has the name of its function.
 */

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define WRAPPED(type, name, parameters) \
	type __real_##name parameters; \
	type __wrap_##name parameters;

WRAPPED(int, main, (int argc, char *argv[]))
WRAPPED(void *, malloc, (size_t size))
WRAPPED(void *, calloc, (size_t count, size_t size))
WRAPPED(void *, realloc, (void *ptr, size_t size))
WRAPPED(char *, strdup, (const char *text))
WRAPPED(char *, strndup, (const char *text, size_t len))
WRAPPED(int, open, (const char *path, int flags, ...))
WRAPPED(int, openat, (int at, const char *path, int flags, ...))
/* What _FORTIFY_SOURCE makes of calls of these. */
WRAPPED(int, __open_2, (const char *path, int flags))
WRAPPED(int, __openat_2, (int at, const char *path, int flags))
WRAPPED(char *, __realpath_chk, (const char *path, char *resolved, size_t size))
WRAPPED(int, close, (int fd))
WRAPPED(ssize_t, read, (int fd, void *bytes, size_t len))
WRAPPED(ssize_t, pread, (int fd, void *bytes, size_t len, off_t at))
WRAPPED(ssize_t, write, (int fd, const void *bytes, size_t len))
WRAPPED(ssize_t, writev, (int fd, const struct iovec *span, int count))
WRAPPED(int, pipe2, (int fds[2], int flags))
WRAPPED(int, dup2, (int from, int to))
WRAPPED(pid_t, fork, (void))
WRAPPED(int, memfd_create, (const char *name, unsigned flags))
WRAPPED(void *, mmap, (void *at, size_t len, int protection, int flags, int fd, off_t offset))
WRAPPED(long, syscall, (long number, ...))
WRAPPED(int, fcntl, (int fd, int command, ...))
WRAPPED(int, ioctl, (int fd, unsigned long request, ...))
WRAPPED(int, isatty, (int fd))
WRAPPED(char *, realpath, (const char *path, char *resolved))
WRAPPED(char *, getcwd, (char *path, size_t size))
WRAPPED(int, posix_spawn,
    (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]))
WRAPPED(int, posix_spawnp,
    (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]))
WRAPPED(DIR *, fdopendir, (int fd))
WRAPPED(struct dirent *, readdir, (DIR * list))

enum { CALLS_MAX = 64, SHORT = -2, FD_MAX = 1024 };

enum use { USE_INPUT, USE_OUTPUT, USE_CHILD };

static struct {
	bool in_main;
	char call[32];
	long number; /* 0: all */
	int error;   /* 0: no call fails */
	long *seen;  /* so many of them, of this process and of its copies */
	int log;
	unsigned char use[FD_MAX]; /* enum use */
} state = {.log = -1};

static const struct {
	const char *name;
	int number;
} errors[] = {
    {"EACCES", EACCES},
    {"EAGAIN", EAGAIN},
    {"EBADF", EBADF},
    {"ECHILD", ECHILD},
    {"EDQUOT", EDQUOT},
    {"EFBIG", EFBIG},
    {"EINTR", EINTR},
    {"EINVAL", EINVAL},
    {"EIO", EIO},
    {"EISDIR", EISDIR},
    {"ELOOP", ELOOP},
    {"EMFILE", EMFILE},
    {"ENAMETOOLONG", ENAMETOOLONG},
    {"ENFILE", ENFILE},
    {"ENODATA", ENODATA},
    {"ENODEV", ENODEV},
    {"ENOENT", ENOENT},
    {"ENOLCK", ENOLCK},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"ENOSYS", ENOSYS},
    {"ENOTDIR", ENOTDIR},
    {"ENOTSUP", ENOTSUP},
    {"ENOTTY", ENOTTY},
    {"EOVERFLOW", EOVERFLOW},
    {"EPERM", EPERM},
    {"EPIPE", EPIPE},
    {"ERANGE", ERANGE},
    {"EROFS", EROFS},
    {"ESPIPE", ESPIPE},
    {"ESRCH", ESRCH},
    {"ETIMEDOUT", ETIMEDOUT},
    {"ETXTBSY", ETXTBSY},
    {"EWOULDBLOCK", EWOULDBLOCK},
    {"SHORT", SHORT},
};

static void
start(void)
{
	const char *fault = getenv("CTX_FAULT"), *log = getenv("CTX_FAULT_LOG");
	char number[32] = "", error[32] = "";

	state.in_main = true;
	state.use[STDOUT_FILENO] = state.use[STDERR_FILENO] = USE_OUTPUT;
	if (log != NULL)
		state.log = (int)__real_syscall(
		    SYS_open, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fault == NULL || sscanf(fault, "%31[^:]:%31[^:]:%31s", state.call, number, error) != 3)
		return;
	state.seen = __real_mmap(
	    NULL, sizeof *state.seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (state.seen == MAP_FAILED)
		return;
	state.number = strtol(number, NULL, 10);
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
		if (strcmp(errors[i].name, error) == 0)
			state.error = errors[i].number;
	if (state.error == 0)
		__real_syscall(SYS_exit_group, 99L);
}

/* The error that this call must fail with; 0: the call is made. */
static int
fault(const char *call)
{
	char line[64];
	int saved = errno;
	bool must_fail = false;

	if (!state.in_main) /* the C library is still starting */
		return 0;
	if (state.error != 0 && strcmp(call, state.call) == 0) {
		++*state.seen;
		must_fail = state.number == 0 || *state.seen == state.number;
	}
	if (state.log >= 0 && (state.error == 0 || must_fail))
		__real_syscall(
		    SYS_write, state.log, line, (size_t)snprintf(line, sizeof line, "%s\n", call));
	errno = saved;
	return must_fail ? state.error : 0;
}

/* Whether the call must fail; if so, errno is set. */
static bool
fails(const char *call)
{
	int error = fault(call);

	if (error <= 0)
		return false;
	errno = error;
	return true;
}

static enum use
use_of(int fd)
{
	return fd >= 0 && fd < FD_MAX ? state.use[fd] : USE_INPUT;
}

static int
used(int fd, enum use use)
{
	if (fd >= 0 && fd < FD_MAX)
		state.use[fd] = (unsigned char)use;
	return fd;
}

int
__wrap_main(int argc, char *argv[])
{
	start();
	return __real_main(argc, argv);
}

void *
__wrap_malloc(size_t size)
{
	return fails("alloc") ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	return fails("alloc") ? NULL : __real_calloc(count, size);
}

void *
__wrap_realloc(void *ptr, size_t size)
{
	return fails("alloc") ? NULL : __real_realloc(ptr, size);
}

char *
__wrap_strdup(const char *text)
{
	return fails("alloc") ? NULL : __real_strdup(text);
}

char *
__wrap_strndup(const char *text, size_t len)
{
	return fails("alloc") ? NULL : __real_strndup(text, len);
}

/* What opening a file with these flags is. */
static const char *
opening(int flags)
{
	if ((flags & O_CREAT) != 0)
		return "create";
	if ((flags & O_DIRECTORY) != 0)
		return "directory";
	return (flags & O_ACCMODE) != O_RDONLY ? "reopen" : "open";
}

int
__wrap_open(const char *path, int flags, ...)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (fails(opening(flags)))
		return -1;
	return used(__real_open(path, flags, mode), writes ? USE_OUTPUT : USE_INPUT);
}

int
__wrap___open_2(const char *path, int flags)
{
	return __wrap_open(path, flags, (mode_t)0);
}

int
__wrap_openat(int at, const char *path, int flags, ...)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (fails(opening(flags)))
		return -1;
	return used(__real_openat(at, path, flags, mode), writes ? USE_OUTPUT : USE_INPUT);
}

int
__wrap___openat_2(int at, const char *path, int flags)
{
	return __wrap_openat(at, path, flags, (mode_t)0);
}

int
__wrap_close(int fd)
{
	if (fails(use_of(fd) == USE_OUTPUT ? "close-output" : "close")) {
		__real_close(used(fd, USE_INPUT)); /* Linux closes it even if close fails */
		return -1;
	}
	return __real_close(used(fd, USE_INPUT));
}

ssize_t
__wrap_read(int fd, void *bytes, size_t len)
{
	int error = fault(use_of(fd) == USE_CHILD ? "read-child" : "read");

	if (error > 0) {
		errno = error;
		return -1;
	}
	return __real_read(fd, bytes, error == SHORT && len > 0 ? 1 : len);
}

ssize_t
__wrap_pread(int fd, void *bytes, size_t len, off_t at)
{
	int error = fault("read");

	if (error > 0) {
		errno = error;
		return -1;
	}
	return __real_pread(fd, bytes, error == SHORT && len > 0 ? 1 : len, at);
}

/* The CALL that a write to the descriptor is. */
static const char *
writing(int fd)
{
	if (fd == STDERR_FILENO)
		return "say";
	return use_of(fd) == USE_CHILD ? "write-child" : "write";
}

ssize_t
__wrap_write(int fd, const void *bytes, size_t len)
{
	int error = fault(writing(fd));

	if (error > 0) {
		errno = error;
		return -1;
	}
	return __real_write(fd, bytes, error == SHORT && len > 0 ? 1 : len);
}

ssize_t
__wrap_writev(int fd, const struct iovec *span, int count)
{
	int error = fault(writing(fd));

	if (error > 0) {
		errno = error;
		return -1;
	}
	if (error == SHORT && count > 0)
		return __real_write(fd, span[0].iov_base, span[0].iov_len > 0 ? 1 : 0);
	return __real_writev(fd, span, count);
}

int
__wrap_pipe2(int fds[2], int flags)
{
	if (fails("pipe2") || __real_pipe2(fds, flags) != 0)
		return -1;
	used(fds[0], USE_CHILD);
	used(fds[1], USE_CHILD);
	return 0;
}

int
__wrap_dup2(int from, int to)
{
	return fails("dup2") ? -1 : __real_dup2(from, to);
}

pid_t
__wrap_fork(void)
{
	return fails("fork") ? -1 : __real_fork();
}

int
__wrap_memfd_create(const char *name, unsigned flags)
{
	return fails("memfd_create") ? -1 : used(__real_memfd_create(name, flags), USE_CHILD);
}

void *
__wrap_mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
	return fails("mmap") ? MAP_FAILED : __real_mmap(at, len, protection, flags, fd, offset);
}

int
__wrap_fcntl(int fd, int command, ...)
{
	va_list args;
	long argument;

	va_start(args, command);
	argument = va_arg(args, long);
	va_end(args);
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		return fails("dup") ? -1 : used(__real_fcntl(fd, command, argument), use_of(fd));
	if (command == F_SETLEASE && argument == F_RDLCK && fails("lease"))
		return -1;
	if (command == F_GETFD && fails("fcntl"))
		return -1;
	return __real_fcntl(fd, command, argument);
}

long
__wrap_syscall(long number, ...)
{
	va_list args;
	long argument[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	return fails("syscall") ? -1 :
				  __real_syscall(number, argument[0], argument[1], argument[2],
				      argument[3], argument[4], argument[5]);
}

int
__wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	return fails("ioctl") ? -1 : __real_ioctl(fd, request, argument);
}

/* posix_spawn and its kin return the error instead of setting errno. */
int
__wrap_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	int error = fault("posix_spawn");

	return error > 0 ? error : __real_posix_spawn(pid, path, actions, attributes, argv, envp);
}

int
__wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	int error = fault("posix_spawn");

	return error > 0 ? error : __real_posix_spawnp(pid, file, actions, attributes, argv, envp);
}

DIR *
__wrap_fdopendir(int fd)
{
	return fails("fdopendir") ? NULL : __real_fdopendir(fd);
}

struct dirent *
__wrap_readdir(DIR *list)
{
	return fails("readdir") ? NULL : __real_readdir(list);
}

char *
__wrap_realpath(const char *path, char *resolved)
{
	return fails("realpath") ? NULL : __real_realpath(path, resolved);
}

char *
__wrap___realpath_chk(const char *path, char *resolved, size_t size)
{
	(void)size;
	return __wrap_realpath(path, resolved);
}

char *
__wrap_getcwd(char *path, size_t size)
{
	return fails("getcwd") ? NULL : __real_getcwd(path, size);
}

int
__wrap_isatty(int fd)
{
	return fails("isatty") ? 0 : __real_isatty(fd);
}

/* All other functions return -1 and set errno. */
#define WRAP(type, name, parameters, arguments) \
	WRAPPED(type, name, parameters) \
	type __wrap_##name parameters \
	{ \
		return fails(#name) ? -1 : __real_##name arguments; \
	}

WRAP(int, access, (const char *path, int mode), (path, mode))
WRAP(int, closedir, (DIR * list), (list))
WRAP(int, execv, (const char *path, char *const argv[]), (path, argv))
WRAP(int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
WRAP(ssize_t, fgetxattr, (int fd, const char *name, void *to, size_t len), (fd, name, to, len))
WRAP(ssize_t, flistxattr, (int fd, char *to, size_t len), (fd, to, len))
WRAP(int, flock, (int fd, int operation), (fd, operation))
WRAP(int, fremovexattr, (int fd, const char *name), (fd, name))
WRAP(int, fsetxattr, (int fd, const char *name, const void *value, size_t len, int flags),
    (fd, name, value, len, flags))
WRAP(int, fstat, (int fd, struct stat *st), (fd, st))
WRAP(int, fstatat, (int at, const char *path, struct stat *st, int flags), (at, path, st, flags))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, ftruncate, (int fd, off_t len), (fd, len))
WRAP(ssize_t, getrandom, (void *bytes, size_t len, unsigned flags), (bytes, len, flags))
WRAP(int, linkat, (int at, const char *path, int to_at, const char *to, int flags),
    (at, path, to_at, to, flags))
WRAP(off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence))
WRAP(int, poll, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
WRAP(int, ppoll,
    (struct pollfd * fds, nfds_t count, const struct timespec *time, const sigset_t *mask),
    (fds, count, time, mask))
WRAP(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))
WRAP(ssize_t, readlink, (const char *path, char *to, size_t len), (path, to, len))
WRAP(int, renameat, (int at, const char *path, int to_at, const char *to), (at, path, to_at, to))
WRAP(int, scandir,
    (const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	int (*compare)(const struct dirent **, const struct dirent **)),
    (path, list, filter, compare))
WRAP(int, stat, (const char *path, struct stat *st), (path, st))
WRAP(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
WRAP(int, truncate, (const char *path, off_t len), (path, len))
WRAP(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options))
