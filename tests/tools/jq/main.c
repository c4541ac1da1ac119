/*
 * jq: the part of jq that the tests use, with the same options, which starts twenty times faster. What
 * it does not know, and what goes wrong, it leaves to the jq of the system, which it runs instead
 * before anything is written: a program, an option, an error, bytes that are no JSON, numbers that
 * versions of jq write differently. CTX_JQ=system leaves all to that, so that tests can be run with
 * the one and with the other.
 */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

struct options {
	bool compact, raw, join, slurp, null, lines, status, sorted;
	const char *program;
};

static char **arguments;
/* Which arguments are operands, and what was read: all of them, or standard input. */
static int *operands;
static size_t operand_count;
static struct bytes *inputs;
static bool was_read;
static size_t input_number, input_at;
static struct options options;

/* --- The jq of the system ---------------------------------------------------------------------- */

/* A path by which the jq of the system finds what was read of a pipe. */
static char *
file_of(const struct bytes *b, int *fd)
{
	char *path;

	*fd = bytes_file(b);
	fcntl(*fd, F_SETFD, 0);
	if (asprintf(&path, "/proc/self/fd/%d", *fd) == -1)
		err(70, "memory");
	return path;
}

static void
give_back(void)
{
	struct stat st;
	int fd;

	for (size_t i = 0; i < operand_count; i++)
		if (stat(arguments[operands[i]], &st) == 0 && !S_ISREG(st.st_mode))
			arguments[operands[i]] = file_of(&inputs[i], &fd);
	if (operand_count > 0)
		return;
	file_of(&inputs[0], &fd);
	if (dup2(fd, STDIN_FILENO) == -1)
		err(70, "dup2");
}

void
defer(void)
{
	struct stat own, other;
	char *path = strdup(getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin"), *file;

	if (was_read)
		give_back();
	if (path == NULL || stat("/proc/self/exe", &own) == -1)
		err(70, "jq");
	for (char *dir = strtok(path, ":"); dir != NULL; dir = strtok(NULL, ":")) {
		if (asprintf(&file, "%s/jq", dir) == -1)
			err(70, "memory");
		if (access(file, X_OK) == 0 && stat(file, &other) == 0 &&
		    (own.st_dev != other.st_dev || own.st_ino != other.st_ino))
			execv(file, arguments);
	}
	errx(127, "the jq of the system is not found");
}

/* --- Input ------------------------------------------------------------------------------------- */

static void
read_inputs(void)
{
	size_t count = operand_count == 0 ? 1 : operand_count;
	int fd = STDIN_FILENO;

	inputs = more(NULL, count, sizeof(*inputs));
	memset(inputs, 0, count * sizeof(*inputs));
	for (size_t i = 0; i < count; i++) {
		if (operand_count > 0)
			fd = open(arguments[operands[i]], O_RDONLY | O_CLOEXEC);
		was_read = was_read || fd != -1;
		if (fd == -1 || !bytes_read(&inputs[i], fd))
			defer();
		if (operand_count > 0)
			close(fd);
	}
}

/* The line at *at as a string, which is checked by reading it as one. */
static const struct value *
parse_line(const char **at, const char *end)
{
	const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
	struct bytes quoted = {0};
	const struct value *v;

	*at = stop == NULL ? end : stop + 1;
	if (stop == NULL || options.slurp)
		stop = end;
	if (options.slurp)
		*at = end;
	bytes_putc(&quoted, '"');
	for (; line < stop; line++) {
		if ((unsigned char)*line < 0x20 || *line == '"' || *line == '\\') {
			char escape[8];

			snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)*line);
			bytes_puts(&quoted, escape);
		} else {
			bytes_putc(&quoted, *line);
		}
	}
	bytes_putc(&quoted, '"');
	line = quoted.ptr;
	v = value_parse(&line, quoted.ptr + quoted.len);
	free(quoted.ptr);
	return v;
}

static const struct value *
next_value(void)
{
	const struct value *v;
	const char *at, *end;

	if (inputs == NULL)
		read_inputs();
	for (; input_number < (operand_count == 0 ? 1 : operand_count); input_number++) {
		const struct bytes *input = &inputs[input_number];

		at = input->ptr + input_at;
		end = input->ptr + input->len;
		while (!options.lines && at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
			at++;
		if (at == end) {
			input_at = 0;
			continue;
		}
		v = options.lines ? parse_line(&at, end) : value_parse(&at, end);
		/* Lines and values that go on in the next file are for the jq of the system. */
		if (v == NULL || (at == end && end[-1] != '\n' && operand_count > 1))
			defer();
		input_at = (size_t)(at - input->ptr);
		return v;
	}
	return NULL;
}

const struct value *
next_input(void)
{
	static bool slurped;
	struct value *all;
	const struct value *v;

	if (!options.slurp)
		return next_value();
	if (slurped)
		return NULL;
	slurped = true;
	if (options.lines) {
		if (operand_count > 1)
			defer();
		v = next_value();
		return v == NULL ? value_string("", 0) : v;
	}
	all = value_new(KIND_ARRAY);
	while ((v = next_value()) != NULL)
		value_add(all, v);
	return all;
}

/* --- Options ----------------------------------------------------------------------------------- */

static void
take_letters(const char *letters)
{
	static const char known[] = "crjsnReS";
	bool *const set[] = {&options.compact, &options.raw, &options.join, &options.slurp,
	    &options.null, &options.lines, &options.status, &options.sorted};
	const char *at;

	for (; *letters != '\0'; letters++) {
		at = strchr(known, *letters);
		if (at == NULL)
			defer();
		*set[at - known] = true;
	}
}

/* --arg NAME VALUE and --argjson NAME VALUE. */
static void
take_value(const char *option, const char *name, const char *text)
{
	const char *at = text;
	const struct value *v;

	if (name == NULL || text == NULL)
		defer();
	if (strcmp(option, "--arg") == 0) {
		struct bytes all = {(char *)(size_t)text, strlen(text), strlen(text)};
		bool slurp = options.slurp;

		options.slurp = true;
		at = all.ptr;
		v = parse_line(&at, all.ptr + all.len);
		options.slurp = slurp;
	} else {
		v = value_parse(&at, text + strlen(text));
	}
	if (v == NULL || *at != '\0')
		defer();
	run_define(name, v);
}

/* $ARGS, of which positional is what follows --args. */
static void
define_args(size_t count)
{
	struct value *args = value_new(KIND_OBJECT), *positional = value_new(KIND_ARRAY);
	bool slurp = options.slurp;

	options.slurp = true;
	for (size_t i = 0; i < count; i++) {
		const char *at = arguments[operands[i]];

		value_add(positional, parse_line(&at, at + strlen(at)));
	}
	options.slurp = slurp;
	value_set(args, value_string("positional", 10), positional);
	run_define("ARGS", args);
}

static void
read_options(int argc, char *argv[])
{
	bool positional = false;

	operands = more(NULL, (size_t)argc + 1, sizeof(*operands));
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--arg") == 0 || strcmp(argv[i], "--argjson") == 0) {
			if (i + 2 >= argc)
				defer();
			take_value(argv[i], argv[i + 1], argv[i + 2]);
			i += 2;
		} else if (strcmp(argv[i], "--args") == 0) {
			positional = true;
			if (operand_count > 0)
				defer();
		} else if (argv[i][0] == '-' && argv[i][1] != '\0' && argv[i][1] != '-') {
			take_letters(argv[i] + 1);
		} else if (argv[i][0] == '-') {
			defer();
		} else if (options.program == NULL) {
			options.program = argv[i];
		} else {
			operands[operand_count++] = i;
		}
	}
	if (options.program == NULL)
		defer();
	if (positional) {
		define_args(operand_count);
		operand_count = 0;
	}
}

/* --- Output ------------------------------------------------------------------------------------ */

struct output {
	struct sink sink;
	struct bytes text;
	const struct value *last;
};

static bool
put(struct sink *sink, const struct value *v)
{
	struct output *output = (struct output *)sink;

	if (options.sorted)
		v = value_sorted(v);
	if ((options.raw || options.join) && v->kind == KIND_STRING)
		bytes_put(&output->text, v->text, v->len);
	else
		value_print(&output->text, v, !options.compact);
	if (!options.join)
		bytes_putc(&output->text, '\n');
	output->last = v;
	return true;
}

int
main(int argc, char *argv[])
{
	struct output output = {.sink = {put}};
	const char *which = getenv("CTX_JQ");
	const struct node *program;
	const struct value *v;

	arguments = argv;
	/* Colours are for a terminal. */
	if ((which != NULL && strcmp(which, "system") == 0) || isatty(STDOUT_FILENO))
		defer();
	read_options(argc, argv);
	program = program_parse(options.program);
	if (options.null)
		run(program, &value_null, &output.sink);
	else
		while ((v = next_input()) != NULL)
			run(program, v, &output.sink);
	if (!bytes_write(&output.text, STDOUT_FILENO))
		err(2, "standard output");
	if (!options.status)
		return 0;
	return output.last == NULL ? 4 : !value_is_true(output.last);
}
