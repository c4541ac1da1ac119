/*
 * ctx lists the commands, runs them by their short names, and opens their pages. It reads no
 * session.
 */
#include <errno.h>
#include <unistd.h>

#include "../commands.h"
#include "base/diag.h"
#include "base/text/distance.h"
#include "face/options/options.h"
#include "face/programs.h"

struct options {
	struct common_options common;
	bool list;
};

static const struct option table[] = {
    {"list", 0, NULL, "print name, kind and purpose of each command, tab-separated", OPTION_FLAG,
	offsetof(struct options, list)},
    OPTIONS_END,
};

static const struct kind {
	const char *name;
	const char *heading;
} kinds[] = {
    [COMMAND_FILTER] = {"filter", "Filters, which read a stream and write it"},
    [COMMAND_LOOKS] = {"looks", "Commands that look, and say what they find"},
    [COMMAND_FRONT] = {"front", "Commands that run others"},
};

enum { KINDS = ARRAY_COUNT(kinds) };

/* The name without "ctx-"; a name that begins otherwise is whole. */
static const char *
short_name(const char *name)
{
	return strncmp(name, "ctx-", 4) == 0 ? name + 4 : name;
}

static void
write_overview(struct buf *text)
{
	buf_add_str(text, STR("usage: ctx NAME [argument]...\n       ctx help [NAME]\n"));
	for (unsigned kind = 0; kind < KINDS; kind++) {
		buf_add_fmt(text, "\n%s:\n", kinds[kind].heading);
		for (const struct command *const *c = commands; *c != NULL; c++)
			if ((*c)->kind == kind && *c != &ctx_command)
				buf_add_fmt(
				    text, "  %-10s %s\n", short_name((*c)->name), (*c)->purpose);
	}
	buf_add_str(text,
	    STR("\n'ctx NAME --help' prints the options of a command; 'ctx help' opens ctx(7).\n"));
}

/* The same commands for --help. */
static void
write_list(struct buf *text)
{
	for (const struct command *const *c = commands; *c != NULL; c++)
		if (*c != &ctx_command)
			buf_add_fmt(text, "  %-10s %s\n", short_name((*c)->name), (*c)->purpose);
	buf_add_char(text, '\n');
}

/* Runs the file with the words. Returns the exit status when that fails. */
static int
run(const char *path, char **words)
{
	execv(path, words);
	diag_warn("cannot run '%s': %s", path, strerror(errno));
	return STATUS_UNAVAILABLE;
}

/* Ends the program if the name may be a slip of a command's. */
static void
check_slip(const char *name)
{
	struct str typed = str_from(short_name(name));

	for (const struct command *const *c = commands; *c != NULL; c++)
		if (*c != &ctx_command && distance_is_slip(typed, str_from(short_name((*c)->name))))
			options_fail("unknown command '%s', did you mean '%s'?", name,
			    short_name((*c)->name));
}

/* Sets *full to "ctx-NAME", in heap memory; of a name that has that already, to the name. */
static void
add_full_name(struct buf *full, const char *name)
{
	buf_add_fmt(full, "%s%s", name == short_name(name) ? "ctx-" : "", name);
	buf_add_char(full, '\0');
}

static int
run_command(char **argv)
{
	struct buf full = BUF_INIT;
	char path[PATH_MAX];
	bool is_beside;

	add_full_name(&full, argv[0]);
	if (strchr(argv[0], '/') != NULL || !programs_find(full.ptr, path, &is_beside)) {
		if (commands_find(full.ptr) == NULL) {
			check_slip(argv[0]);
			options_fail("unknown command '%s'", argv[0]);
		}
		diag_warn("cannot find '%s', beside ctx or on PATH", full.ptr);
		buf_free(&full);
		return STATUS_UNAVAILABLE;
	}
	argv[0] = full.ptr;
	return run(path, argv);
}

/* Opens the page of a command or of a format; without a name, the overview. */
static int
help(char *const *operand, int count)
{
	struct buf full = BUF_INIT;
	char *words[] = {(char *)"man", (char *)"7", (char *)"ctx", NULL};
	char path[PATH_MAX];
	bool is_beside;

	if (count > 1)
		options_fail("expected one name after 'help'");
	if (!programs_find(words[0], path, &is_beside)) {
		diag_warn("cannot find 'man'; '--help' of each command says what it does");
		return STATUS_UNAVAILABLE;
	}
	if (count > 0 && strcmp(operand[0], "ctx") != 0) {
		add_full_name(&full, operand[0]);
		if (commands_find(full.ptr) == NULL)
			check_slip(operand[0]);
		words[1] = full.ptr;
		words[2] = NULL;
	}
	return run(path, words);
}

/* A command's own words are its own, so that options end with the name. */
static int
run_ctx(int argc, char **argv)
{
	struct options options = {.list = false};
	struct buf text = BUF_INIT;
	bool has_name = argc > 1 && (argv[1][0] != '-' || argv[1][1] == '\0');

	diag_init(ctx_command.name);
	if (has_name && strcmp(argv[1], "help") == 0)
		return help(argv + 2, argc - 2);
	if (has_name)
		return run_command(argv + 1);
	if (options_parse(&ctx_command, argc, argv, &options) < argc)
		options_fail("options of a command come after its name");
	for (const struct command *const *c = commands; options.list && *c != NULL; c++)
		buf_add_fmt(
		    &text, "%s\t%s\t%s\n", (*c)->name, kinds[(*c)->kind].name, (*c)->purpose);
	if (!options.list)
		write_overview(&text);
	options_print(&text, STATUS_OK);
}

const struct command ctx_command = {.name = "ctx",
    .synopsis = "[--list] | NAME [argument]... | help [NAME]",
    .purpose = "List the commands, run them, and open their pages.",
    .kind = COMMAND_FRONT,
    .options = table,
    .examples = {"ctx normalize session.jsonl | ctx compact --limit 64k >small.jsonl",
	"ctx help compact"},
    .list = write_list,
    .statuses = {0, 64, 69, 71, 74},
    .main = run_ctx};
