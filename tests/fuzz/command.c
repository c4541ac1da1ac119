/*
 * Fuzzes a whole command, whose main is linked as command_main. The first byte picks the options,
 * the rest is standard input. On any input the command must end with 0, 1 or 65. With options
 * that are the identity, the output must be the input. With options that are idempotent, a
 * second run must change nothing.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command_options.h"

enum { OUTPUT_MAX = 1 << 24 };

int command_main(int argc, char *argv[]);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
_Noreturn void __wrap_exit(int status);
_Noreturn void __real_exit(int status);

static jmp_buf back;
static volatile int running;

_Noreturn void
__wrap_exit(int status)
{
	if (running)
		longjmp(back, status + 1);
	__real_exit(status);
}

/* Makes descriptor fd a file in memory with the given bytes. */
static void
place(int fd, const void *bytes, size_t len)
{
	int file = memfd_create("fuzz", 0);

	if (file < 0 || write(file, bytes, len) != (ssize_t)len || lseek(file, 0, SEEK_SET) != 0 ||
	    dup2(file, fd) != fd)
		abort();
	close(file);
}

/* Runs command_main. Returns the exit status, whether main returns or calls exit. */
static int
call_main(int count, char *argv[])
{
	int status = setjmp(back);

	return status > 0 ? status - 1 : command_main(count, argv);
}

/* Runs the command on the bytes and puts its output into out. Returns the length of the output. */
static size_t
run(const struct options *options, const void *bytes, size_t len, char *out)
{
	int saved[] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)}, result, status, count = 0;
	char words[256], *argv[16], *rest = words;
	ssize_t got;

	snprintf(words, sizeof words, "%s", options->line);
	while ((argv[count] = strsep(&rest, " ")) != NULL)
		count++;
	place(STDIN_FILENO, bytes, len);
	place(STDOUT_FILENO, "", 0);
	place(STDERR_FILENO, "", 0);
	result = dup(STDOUT_FILENO);
	running = 1;
	status = call_main(count, argv);
	running = 0;
	got = pread(result, out, OUTPUT_MAX, 0);
	close(result);
	for (int i = 0; i < 2; i++) {
		dup2(saved[i], STDOUT_FILENO + i);
		close(saved[i]);
	}
	if ((status != 0 && status != 1 && status != 65) || got < 0) {
		fprintf(stderr, "status %d of %s\n", status, options->line);
		abort();
	}
	return (size_t)got;
}

/* Makes BUILD/tests/fuzz/COMMAND use the vocabularies of BUILD/share/ctx. */
static void
find_vocabularies(void)
{
	const char *end = strstr(program_invocation_name, "/tests/fuzz/");
	char path[4096];

	snprintf(path, sizeof path, "%.*s/share/ctx",
	    end != NULL ? (int)(end - program_invocation_name) : 0, program_invocation_name);
	setenv("CTX_VOCAB_PATH", path, 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char first[OUTPUT_MAX], second[OUTPUT_MAX];
	const struct options *options;
	size_t first_len;

	if (len == 0 || (options = options_pick(program_invocation_short_name, *bytes)) == NULL)
		return 0;
	find_vocabularies();
	first_len = run(options, bytes + 1, len - 1, first);
	if (options->law == LAW_IDENTITY &&
	    (first_len != len - 1 || memcmp(first, bytes + 1, len - 1) != 0))
		abort();
	if (options->law == LAW_IDEMPOTENT &&
	    (run(options, first, first_len, second) != first_len ||
		memcmp(first, second, first_len) != 0))
		abort();
	return 0;
}
