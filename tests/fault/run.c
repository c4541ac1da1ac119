/*
 * run CALLS KIND STATUS INPUT COMMAND [ARGUMENT]...: runs COMMAND, which is linked with wrap.c,
 * once without a failure: this run must end with STATUS. Then it runs COMMAND again for each
 * call of that run and each error that the table CALLS has for the call. It reports each run
 * whose outcome the table does not allow, and in the last line the number of runs. INPUT is
 * standard input: "<FILE", or "|FILE" for a pipe. It works in the current directory. Before each
 * run it removes the files that the command is known to make.
 *
 * KIND says what may be written under a failure. stream: a prefix of the right output. blocks: the
 * same, of a stream too long to try each allocation. held: nothing at all when the failure comes
 * before the first write. place: the file place, a copy of INPUT, is replaced: afterwards it
 * is the old file or the new one, and no temporary file is left. made: the files report and
 * report.bats are made, and after a failure there is none, or the right ones and 74.
 */

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { ROWS_MAX = 256, LOG_MAX = 1 << 20, SECONDS_MAX = 60 };

/* What a run leaves: the output on descriptors 1 and 2, and the files that options name. */
enum { OUT, ERR, REPORT, BAD, PLACE, OLD, SECOND, RESULTS };
static const char *const file_name[RESULTS] = {[REPORT] = "report",
    [BAD] = "bad",
    [PLACE] = "place",
    [OLD] = "place.old",
    [SECOND] = "report.bats"};

struct bytes {
	char *ptr;
	size_t len;
};

struct result {
	int status;
	struct bytes left[RESULTS];
};

struct row {
	char call[32], error[32], outcomes[64];
};

static struct row row[ROWS_MAX];
static unsigned rows;

static const char *kind, *input;
static char **command;
static unsigned runs, failures;

static void
read_rows(const char *path)
{
	char line[256];
	FILE *file = fopen(path, "r");

	if (file == NULL)
		err(66, "%s", path);
	while (fgets(line, sizeof line, file) != NULL) {
		struct row *r = &row[rows];

		if (line[0] == '#')
			continue;
		if (rows == ROWS_MAX ||
		    sscanf(line, "%31[^\t]\t%31[^\t]\t%63[^\n]", r->call, r->error, r->outcomes) !=
			3)
			errx(65, "%s: a row has CALL, ERROR and OUTCOMES: %s", path, line);
		rows++;
	}
	fclose(file);
}

static struct bytes
read_all(int fd)
{
	struct bytes all = {NULL, 0};
	struct stat st;

	if (fd < 0)
		return all;
	if (fstat(fd, &st) != 0 || (all.ptr = malloc((size_t)st.st_size + 1)) == NULL ||
	    pread(fd, all.ptr, (size_t)st.st_size, 0) != st.st_size)
		err(74, "what a command wrote");
	all.len = (size_t)st.st_size;
	close(fd);
	return all;
}

/* Standard input of the next run. */
static int
open_input(void)
{
	int fd = open(input + 1, O_RDONLY), pipes[2];
	struct bytes text;

	if (fd < 0)
		err(66, "%s", input + 1);
	if (*input == '<')
		return fd;
	text = read_all(fd);
	if (text.len > 60000 || pipe(pipes) != 0 ||
	    write(pipes[1], text.ptr, text.len) != (ssize_t)text.len)
		errx(71, "%s: does not go into a pipe", input);
	close(pipes[1]);
	free(text.ptr);
	return pipes[0];
}

static void
become(int in, int out, int error, const char *fault)
{
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	for (int fd = STDERR_FILENO + 1; fd < 32; fd++)
		close(fd);
	setenv("CTX_FAULT", fault, 1);
	setenv("CTX_FAULT_LOG", *fault == '\0' ? "calls" : "failed", 1);
	alarm(SECONDS_MAX);
	execvp(command[0], command);
	_exit(127);
}

/* Makes the file that is replaced. */
static void
make_place(void)
{
	struct bytes text = read_all(open(input + 1, O_RDONLY));
	int fd = open(file_name[PLACE], O_WRONLY | O_CREAT | O_EXCL, 0640);

	if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len || close(fd) != 0)
		err(74, "%s", file_name[PLACE]);
	setxattr(file_name[PLACE], "user.ctx", "kept", 4, 0); /* where there are such */
	free(text.ptr);
}

/* Runs the command with the given failure. */
static struct result
run(const char *fault)
{
	int in = open_input(), out = memfd_create("out", 0), error = memfd_create("err", 0);
	struct result result;
	pid_t pid;

	for (int i = REPORT; i < RESULTS; i++)
		unlink(file_name[i]);
	if (strcmp(kind, "place") == 0)
		make_place();
	pid = fork();
	if (pid == 0)
		become(in, out, error, fault);
	if (pid < 0 || waitpid(pid, &result.status, 0) != pid)
		err(71, "fork");
	close(in);
	result.status =
	    WIFEXITED(result.status) ? WEXITSTATUS(result.status) : 128 + WTERMSIG(result.status);
	result.left[OUT] = read_all(out);
	result.left[ERR] = read_all(error);
	for (int i = REPORT; i < RESULTS; i++)
		result.left[i] = read_all(open(file_name[i], O_RDONLY));
	runs++;
	return result;
}

static void
forget(struct result *result)
{
	for (int i = 0; i < RESULTS; i++)
		free(result->left[i].ptr);
}

static bool
is_prefix(struct bytes a, struct bytes b)
{
	return a.len <= b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static bool
is_same(const struct result *a, const struct result *b, bool with_diagnostics)
{
	bool same = a->status == b->status;

	for (int i = 0; i < RESULTS; i++)
		if (i != ERR || with_diagnostics)
			same &=
			    a->left[i].len == b->left[i].len && is_prefix(a->left[i], b->left[i]);
	return same;
}

/* Whether the table's list of outcomes has that word. */
static bool
allows(const char *outcomes, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = outcomes; (at = strstr(at, word)) != NULL; at += len)
		if ((at == outcomes || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

static bool
is_equal(struct bytes a, struct bytes b)
{
	return a.len == b.len && is_prefix(a, b);
}

/* Removes the temporary files, whose names begin with a dot. Returns whether there was one. */
static bool
remove_temporary(void)
{
	DIR *directory = opendir(".");
	struct dirent *entry;
	bool was_there = false;

	if (directory == NULL)
		err(66, ".");
	while ((entry = readdir(directory)) != NULL)
		if (entry->d_name[0] == '.' && unlink(entry->d_name) == 0)
			was_there = true;
	closedir(directory);
	return was_there;
}

/* The defect of the files that are made, or NULL. Whether they are on the disk may be in doubt. */
static const char *
judge_made(const struct result *got, const struct result *right)
{
	bool is_whole = is_equal(got->left[REPORT], right->left[REPORT]) &&
	    is_equal(got->left[SECOND], right->left[SECOND]);
	bool is_there =
	    access(file_name[REPORT], F_OK) == 0 || access(file_name[SECOND], F_OK) == 0;

	if (remove_temporary())
		return "left a temporary file";
	return got->status != right->status && is_there && !(is_whole && got->status == 74) ?
	    "left a file and failed" :
	    NULL;
}

/* The defect of the file that is replaced, or NULL. It is the old one whatever fails before it has
 * the name, and the new one afterwards. */
static const char *
judge_place(const struct result *got, const struct result *right)
{
	struct bytes old = read_all(open(input + 1, O_RDONLY));
	bool is_new = is_equal(got->left[PLACE], right->left[PLACE]);
	bool is_whole = is_new || is_equal(got->left[PLACE], old);

	free(old.ptr);
	if (remove_temporary())
		return "left a temporary file";
	if (!is_whole)
		return "tore the file";
	return is_new && got->status != right->status && got->status != 74 ?
	    "replaced the file and failed" :
	    NULL;
}

/* The defect in the result of a run, or NULL. */
static const char *
judge(const struct row *r, const struct result *got, const struct result *right, bool wrote)
{
	const char *wrong = strcmp(kind, "place") == 0 ? judge_place(got, right) :
	    strcmp(kind, "made") == 0                  ? judge_made(got, right) :
							 NULL;
	char status[16];

	if (wrong != NULL)
		return wrong;
	if (got->status == 128 + SIGALRM)
		return "did not end";
	if (got->status > 128 && got->status != 141)
		return "crashed";
	if (allows(r->outcomes, "same") && is_same(got, right, true))
		return NULL;
	if (allows(r->outcomes, "quiet"))
		return is_same(got, right, false) ? NULL : "changed more than a diagnostic";
	if (got->status == right->status && strcmp(r->outcomes, "same") == 0)
		return "changed the output";
	snprintf(status, sizeof status, "%d", got->status);
	if (!allows(r->outcomes, status))
		return "ended with another status";
	if (!is_prefix(got->left[OUT], right->left[OUT]))
		return "wrote what is no prefix of the right output";
	if (!is_prefix(got->left[BAD], right->left[BAD]))
		return "wrote bad lines that are no prefix of the right ones";
	if (strcmp(kind, "held") == 0 && !wrote && got->left[OUT].len > 0)
		return "wrote a part of what it promises to write whole or not at all";
	if (is_prefix(got->left[ERR], right->left[ERR]) != (got->status == 141))
		return got->status == 141 ? "talked of a reader that left" : "said nothing";
	return NULL;
}

static void
try(const struct row *r, long number, const struct result *right, bool wrote)
{
	char fault[128];
	struct row asked = *r;
	struct result got;
	struct stat st;
	const char *wrong;

	snprintf(fault, sizeof fault, "%s:%ld:%s", r->call, number, r->error);
	unlink("failed");
	got = run(fault);
	/* How often a pipe is read differs from run to run: the last times may not come. */
	if (stat("failed", &st) != 0 || st.st_size == 0)
		snprintf(asked.outcomes, sizeof asked.outcomes, "same");
	wrong = judge(&asked, &got, right, wrote);
	if (wrong != NULL) {
		failures++;
		printf(
		    "not ok - %s: CTX_FAULT=%s %s: status %d (right: %s), %zu of %zu bytes: %.*s\n",
		    command[0], fault, wrong, got.status, asked.outcomes, got.left[OUT].len,
		    right->left[OUT].len,
		    (int)strcspn(got.left[ERR].len > 0 ? got.left[ERR].ptr : "\n", "\n"),
		    got.left[ERR].len > 0 ? got.left[ERR].ptr : "");
	}
	forget(&got);
}

/* Tries all failures of the calls that were made, in the order of the calls. Short transfers are
 * tried once for all calls of a name: that run covers the first call too. */
static void
try_all(const struct result *right)
{
	static long seen[ROWS_MAX];
	char call[64];
	FILE *log = fopen("calls", "r");
	bool wrote = false;

	if (log == NULL)
		err(66, "calls");
	while (fgets(call, sizeof call, log) != NULL) {
		bool known = false;

		call[strcspn(call, "\n")] = '\0';
		for (unsigned i = 0; i < rows; i++) {
			if (strcmp(row[i].call, call) != 0)
				continue;
			known = true;
			if (strcmp(kind, "blocks") == 0 && strcmp(call, "alloc") == 0)
				continue;
			/* No reader leaves a file. */
			if ((strcmp(kind, "place") == 0 || strcmp(kind, "made") == 0) &&
			    strcmp(row[i].error, "EPIPE") == 0)
				continue;
			if (seen[i]++ == 0 && strcmp(row[i].error, "SHORT") == 0)
				try(&row[i], 0, right, true);
			try(&row[i], seen[i], right, wrote);
		}
		if (!known)
			errx(65, "the table has no row for the call %s", call);
		wrote |= strcmp(call, "write") == 0;
	}
	fclose(log);
}

int
main(int argc, char *argv[])
{
	struct result right;

	if (argc < 6)
		errx(64, "usage: run calls kind status input command [argument]...");
	read_rows(argv[1]);
	kind = argv[2];
	input = argv[4];
	command = argv + 5;
	unlink("calls");
	right = run("");
	if (right.status != atoi(argv[3]))
		errx(1, "%s: status %d without a failure, not %s: %s", command[0], right.status,
		    argv[3], right.left[ERR].len > 0 ? right.left[ERR].ptr : "");
	try_all(&right);
	printf("%sok - %s: %u runs\n", failures > 0 ? "not " : "", command[0], runs);
	return failures > 0;
}
