#include "stages.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shell_word.h"
#include "policy/profile_options.h"

/* A list of words in the arena, with room for so many. */
struct words {
	char **list;
	size_t count;
};

static void
add_words(struct words *words, char *const *more)
{
	while (*more != NULL)
		words->list[words->count++] = *more++;
}

static size_t
count_words(char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return count;
}

/* Adds the operands, behind "--" where one of them could pass for an option. */
static void
add_operands(struct words *words, char *const *operand, int count)
{
	bool has_dash = false;

	for (int i = 0; i < count; i++)
		has_dash = has_dash || (operand[i][0] == '-' && operand[i][1] != '\0');
	if (has_dash)
		words->list[words->count++] = (char *)"--";
	for (int i = 0; i < count; i++)
		words->list[words->count++] = operand[i];
}

static void
add_command(struct stages *stages, struct profile *profile, const struct profile_plan_stage *stage,
    char *const *further, char *const *operand, int count)
{
	static char *const cat[] = {(char *)"cat", NULL};
	char *const *own = stage != NULL ? stage->words : cat;
	struct stages_command *command = &stages->command[stages->count++];
	struct words words = {NULL, 0};

	words.list = arena_zalloc(&profile->arena,
	    count_words(own) + count_words(further) + (size_t)count + 2, sizeof *words.list);
	add_words(&words, own);
	add_words(&words, further);
	add_operands(&words, operand, count);
	*command = (struct stages_command){stage, words.list, NULL, false};
}

bool
stages_init(struct stages *stages, struct profile *profile, const struct profile_plan *plan,
    char *const *further, char *const *operand, int count)
{
	static char *const none[] = {NULL};

	stages->count = 0;
	for (unsigned i = 0; i < plan->count; i++) {
		const struct profile_plan_stage *stage = &plan->stage[i];
		bool is_ours = profile_option_is_ours(stage->words[0]);

		if (!stage->is_on)
			continue;
		if (stages->count == 0 && count > 0 && !is_ours) {
			add_command(stages, profile, NULL, none, operand, count);
			count = 0;
		}
		add_command(stages, profile, stage, is_ours ? further : none, operand, count);
		further = is_ours ? none : further;
		count = 0;
	}
	if (stages->count == 0)
		add_command(stages, profile, NULL, none, operand, count);
	return *further == NULL;
}

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Sets path to the file of that name in the directory. Returns whether it can be run. */
static bool
is_in(struct str directory, const char *name, char path[PATH_MAX])
{
	struct str dot = STR(".");

	directory = directory.len > 0 ? directory : dot;
	return snprintf(path, PATH_MAX, "%.*s/%s", STR_ARG(directory), name) < PATH_MAX &&
	    is_program(path);
}

static bool
is_beside(const char *name, char path[PATH_MAX])
{
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program);

	while (len > 0 && program[len - 1] != '/')
		len--;
	return len > 1 && is_in(str_of(program, (size_t)len - 1), name, path);
}

static bool
is_on_path(const char *name, char path[PATH_MAX])
{
	const char *list = getenv("PATH");
	struct str directory;

	if (list == NULL)
		list = "/usr/bin:/bin";
	while (str_take_word(&list, ':', &directory))
		if (is_in(directory, name, path))
			return true;
	return false;
}

static bool
find_program(const char *name, char path[PATH_MAX], bool *beside)
{
	*beside = false;
	if (strchr(name, '/') != NULL)
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
	*beside = strncmp(name, "ctx-", 4) == 0 && is_beside(name, path);
	return *beside || is_on_path(name, path);
}

bool
stages_find(struct stages *stages, struct profile *profile, struct fault *fault)
{
	char path[PATH_MAX];

	for (unsigned i = 0; i < stages->count; i++) {
		struct stages_command *command = &stages->command[i];
		const char *name = command->words[0];

		if (find_program(name, path, &command->is_beside)) {
			command->path =
			    arena_copy(&profile->arena, str_of(path, strlen(path) + 1)).ptr;
			continue;
		}
		if (command->stage == NULL)
			return fault_set(fault, STATUS_UNAVAILABLE, "cannot find '%s'", name);
		return fault_set(fault, STATUS_UNAVAILABLE, "%s:%zu: stage '%s': %s '%s'",
		    command->stage->rule->file, command->stage->rule->line, command->stage->name,
		    strchr(name, '/') != NULL ? "cannot run" : "no command on PATH is called",
		    name);
	}
	return true;
}

void
stages_explain(const struct stages *stages, const char *output, struct buf *text)
{
	buf_add_str(text, STR("#!/usr/bin/env bash\nset -o pipefail\n"));
	for (unsigned i = 0; i < stages->count; i++) {
		char *const *words = stages->command[i].words;

		buf_add_str(text, i > 0 ? STR(" |\n    ") : STR(""));
		shell_word_add_command(text, *words);
		while (*++words != NULL) {
			buf_add_char(text, ' ');
			shell_word_add(text, *words);
		}
	}
	if (output != NULL) {
		buf_add_str(text, STR(" >"));
		shell_word_add(text, output);
	}
	buf_add_char(text, '\n');
}
