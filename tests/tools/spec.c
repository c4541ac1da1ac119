/*
 * spec: reads a spec, as the head of tests/helper.bash describes it, from standard input, runs its
 * command and compares what came of it byte for byte. The command reads and writes files in memory.
 * spec same WHAT EXPECTED ACTUAL: compares two files; - is standard input.
 * spec unsource: passes standard input without source records and metadata.source, which neither of
 * the others compares with SPEC_UNSOURCED in the environment.
 *
 * Ends with 0 when all is as expected; with 1 after a difference, which is printed; with 70 when
 * the spec cannot be read or run.
 */

#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"

/* Lines of the diff that are shown, and how many bytes of each text are looked at for it. */
#define SHOWN_LINES "40"
#define SHOWN_BYTES 100000

struct names {
	char **name;
	size_t count;
};

struct spec {
	struct bytes command;
	struct bytes in, out, err;
	struct names files;
	const char *status;
};

static void
read_file(struct bytes *to, const char *path)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd == -1 || !bytes_read(to, fd))
		err(70, "%s", path);
	if (fd != STDIN_FILENO)
		close(fd);
}

/* The bytes as cat -A has them, so that a diff shows those that cannot be seen. */
static int
visible(const struct bytes *b)
{
	struct bytes text = {0};
	int fd;

	for (size_t i = 0; i < b->len && i < SHOWN_BYTES; i++) {
		unsigned char c = (unsigned char)b->ptr[i];

		if (c == '\n')
			bytes_putc(&text, '$');
		if (c >= 0x80)
			bytes_puts(&text, "M-");
		if (c != '\n' && ((c & 0x7f) < 0x20 || (c & 0x7f) == 0x7f)) {
			bytes_putc(&text, '^');
			c ^= 0x40;
		}
		bytes_putc(&text, (char)(c == '\n' ? c : c & 0x7f));
	}
	fd = bytes_file(&text);
	free(text.ptr);
	/* The programs that show the difference open it. */
	fcntl(fd, F_SETFD, 0);
	return fd;
}

/* How long the text from to end is without what it begins with, if that is the prefix; or 0. */
static size_t
begins(const char *text, const char *end, const char *prefix)
{
	size_t len = strlen(prefix);

	return (size_t)(end - text) >= len && memcmp(text, prefix, len) == 0 ? len : 0;
}

/* Takes source records out of the bytes, and the source that metadata begins with. */
static void
unsource(struct bytes *b)
{
	const char *from = b->ptr, *end = from + b->len, *start = from;
	char *to = b->ptr;

	while (from < end) {
		if ((from == start || from[-1] == '\n') &&
		    begins(from, end, "{\"type\":\"source\",\"format\":")) {
			from = (const char *)memchr(from, '\n', (size_t)(end - from)) + 1;
			continue;
		}
		if (!begins(from, end, ",\"metadata\":{\"source\":")) {
			*to++ = *from++;
			continue;
		}
		from += strlen(",\"metadata\":{\"source\":");
		from += strspn(from, "\".0123456789");
		if (*from == '}')
			from++;
		else
			to = mempcpy(to, ",\"metadata\":{", strlen(",\"metadata\":{"));
		from += *from == ',';
	}
	b->len = (size_t)(to - b->ptr);
}

/* What tests compare that are about something else than where messages come from. */
static void
prepare(struct bytes *b)
{
	if (getenv("SPEC_UNSOURCED") != NULL && b->len > 0)
		unsource(b);
}

static int
pass_unsourced(void)
{
	struct bytes line = {0};
	ssize_t len;

	while ((len = getline(&line.ptr, &line.cap, stdin)) > 0) {
		line.len = (size_t)len;
		unsource(&line);
		if (!bytes_write(&line, STDOUT_FILENO))
			return 70;
	}
	return 0;
}

static bool
same(const char *what, const struct bytes *expected, const struct bytes *actual)
{
	char command[256];

	if (expected->len == actual->len &&
	    (expected->len == 0 || memcmp(expected->ptr, actual->ptr, expected->len) == 0))
		return true;
	printf("--- %s: expected (-), actual (+)\n", what);
	fflush(stdout);
	snprintf(command, sizeof(command),
	    "diff -U2 /proc/self/fd/%d /proc/self/fd/%d | tail -n +3 | cut -c1-400 | "
	    "head -n " SHOWN_LINES,
	    visible(expected), visible(actual));
	if (system(command) == -1)
		warn("diff");
	return false;
}

static int
hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Appends the escape that text begins with, after its backslash. Returns how long it is. */
static size_t
put_escape(struct bytes *to, const char *text)
{
	static const char letters[] = "abefnrtv\\", meanings[] = "\a\b\033\f\n\r\t\v\\";
	const char *letter = *text == '\0' ? NULL : strchr(letters, *text);
	size_t len = 1;
	int c = 0;

	if (letter != NULL) {
		bytes_putc(to, meanings[letter - letters]);
		return 1;
	}
	if (*text == '0')
		for (; len < 4 && text[len] >= '0' && text[len] < '8'; len++)
			c = c * 8 + text[len] - '0';
	else if (*text == 'x' && isxdigit((unsigned char)text[1]))
		for (; len < 3 && isxdigit((unsigned char)text[len]); len++)
			c = c * 16 + hex(text[len]);
	else
		errx(70, "spec: unknown escape '\\%s'", text);
	bytes_putc(to, (char)c);
	return len;
}

/* Appends the bytes that the text of a mark is, by its flags. */
static void
put_text(struct bytes *to, const char *flags, const char *text)
{
	if (strcmp(flags, "@") == 0) {
		read_file(to, text);
		return;
	}
	if (*flags == '$') {
		flags++;
		while (*text != '\0') {
			if (*text != '\\')
				bytes_putc(to, *text++);
			else
				text += 1 + put_escape(to, text + 1);
		}
	} else {
		bytes_puts(to, text);
	}
	if (*flags == '\0')
		bytes_putc(to, '\n');
	else if (strcmp(flags, "-") != 0)
		errx(70, "spec: unknown flag '%s'", flags);
}

static void
add_name(struct names *names, const char *name)
{
	names->name = more(names->name, names->count + 1, sizeof(char *));
	names->name[names->count] = strdup(name);
	if (names->name[names->count++] == NULL)
		err(70, "memory");
}

/* Takes a line of the spec, which lives as long as the spec does. */
static void
take_line(struct spec *spec, char *line)
{
	struct bytes *to = NULL;
	char *text = strchr(line, ' ');
	char *flags = line + 3;

	text = text == NULL ? line + strlen(line) : text;
	if (strncmp(line, "<<<", 3) != 0 && strncmp(line, ">>>", 3) != 0) {
		bytes_puts(&spec->command, line);
		bytes_putc(&spec->command, '\n');
		return;
	}
	if (*text == ' ')
		*text++ = '\0';
	if (strcmp(line, ">>>=") == 0) {
		spec->status = text;
		return;
	}
	if (strcmp(line, ">>>+") == 0) {
		add_name(&spec->files, text);
		return;
	}
	to = *line == '<' ? &spec->in : &spec->out;
	if (strncmp(line, ">>>2", 4) == 0) {
		to = &spec->err;
		flags++;
	}
	put_text(to, flags, text);
}

static void
read_spec(struct spec *spec, struct bytes *text)
{
	char *line, *end;

	spec->status = "0";
	read_file(text, "-");
	for (line = text->ptr; line < text->ptr + text->len; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text->ptr + text->len - line));
		if (end == NULL)
			errx(70, "spec: the last line has no end");
		*end = '\0';
		take_line(spec, line);
	}
	if (spec->command.len == 0)
		errx(70, "spec: no command");
	bytes_putc(&spec->command, '\0');
}

/* Adds the names of all files below the folder, and of folders. */
static void
list_files(struct names *names, const char *folder)
{
	DIR *dir = opendir(*folder == '\0' ? "." : folder);
	struct dirent *entry;
	struct stat st;
	char *path;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (asprintf(&path, "%s%s%s", folder, *folder == '\0' ? "" : "/", entry->d_name) ==
		    -1)
			err(70, "memory");
		add_name(names, path);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			list_files(names, path);
		free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in order, a line each, without repetitions. */
static struct bytes
name_lines(struct names *names)
{
	struct bytes lines = {0};

	if (names->count > 0)
		qsort(names->name, names->count, sizeof(char *), by_name);
	for (size_t i = 0; i < names->count; i++) {
		if (i > 0 && strcmp(names->name[i], names->name[i - 1]) == 0)
			continue;
		bytes_puts(&lines, names->name[i]);
		bytes_putc(&lines, '\n');
	}
	return lines;
}

/*
 * Splits a command of ctx that no shell is needed for: words of plain characters, or within quotes,
 * on one line. Returns the words, a NULL after the last; or NULL, when the shell must read it.
 */
static char **
plain_words(const char *command)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_-./,:+=@%";
	char *to = more(NULL, strlen(command) + 1, 1);
	char **words = more(NULL, strlen(command) + 2, sizeof(char *));
	size_t count = 0, len;

	if (strncmp(command, "ctx-", 4) != 0 || strchr(command, '\n')[1] != '\0')
		return NULL;
	while (*command != '\n') {
		words[count++] = to;
		while (*command != ' ' && *command != '\n') {
			char quote = *command == '\'' || *command == '"' ? *command : '\0';

			if (quote == '\0')
				len = strspn(command, plain);
			else
				len = strcspn(++command, quote == '"' ? "\"$`\\" : "'");
			if (quote == '\0' ? len == 0 : command[len] != quote)
				return NULL;
			to = mempcpy(to, command, len);
			command += len + (quote != '\0');
		}
		*to++ = '\0';
		command += strspn(command, " ");
	}
	words[count] = NULL;
	return words;
}

/* Runs the command; its standard streams are the open files. Returns its status, as a shell has it. */
static int
run(const char *command, int in, int out, int error)
{
	char **words = plain_words(command);
	int status;
	pid_t pid = fork();

	if (pid == -1)
		err(70, "fork");
	if (pid == 0) {
		if (dup2(in, 0) == -1 || dup2(out, 1) == -1 || dup2(error, 2) == -1)
			err(70, "dup2");
		/* What is not found is for the shell to say. */
		if (words != NULL)
			execvp(words[0], words);
		execlp("bash", "bash", "-o", "pipefail", "-c", command, (char *)NULL);
		err(70, "bash");
	}
	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			err(70, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct bytes
written(int fd)
{
	struct bytes text = {0};

	if (lseek(fd, 0, SEEK_SET) == -1 || !bytes_read(&text, fd))
		err(70, "a file in memory");
	return text;
}

static bool
run_spec(void)
{
	struct bytes text = {0}, none = {0}, got, want;
	struct spec spec = {0};
	struct names files = {0};
	char status[16];
	int out = bytes_file(&none), error = bytes_file(&none);
	bool good;

	read_spec(&spec, &text);
	list_files(&spec.files, "");
	snprintf(
	    status, sizeof(status), "%d", run(spec.command.ptr, bytes_file(&spec.in), out, error));
	list_files(&files, "");

	got = written(out);
	prepare(&spec.out);
	prepare(&got);
	good = same("standard output", &spec.out, &got);
	got = written(error);
	good = same("standard error", &spec.err, &got) && good;
	want = name_lines(&spec.files);
	got = name_lines(&files);
	good = same("files", &want, &got) && good;
	if (strcmp(status, spec.status) != 0) {
		printf("--- status: expected %s, got %s\n", spec.status, status);
		good = false;
	}
	if (!good)
		printf("--- command: %s\n", spec.command.ptr);
	return good;
}

int
main(int argc, char *argv[])
{
	struct bytes expected = {0}, actual = {0};

	if (argc == 1)
		return run_spec() ? 0 : 1;
	if (argc == 2 && strcmp(argv[1], "unsource") == 0)
		return pass_unsourced();
	if (argc != 5 || strcmp(argv[1], "same") != 0)
		errx(70, "usage: spec [unsource | same what expected actual]");
	read_file(&expected, argv[3]);
	read_file(&actual, argv[4]);
	prepare(&expected);
	prepare(&actual);
	return same(argv[2], &expected, &actual) ? 0 : 1;
}
