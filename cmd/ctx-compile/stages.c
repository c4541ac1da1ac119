#include "stages.h"

#include "base/text/shell_word.h"
#include "face/programs.h"
#include "handed.h"

/* A list of words in the arena, with room for so many. */
struct stage_words {
	char **list;
	size_t count;
};

static void
add_words(struct stage_words *words, char *const *more)
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

/* Adds the operands, after "--" if one of them could be taken for an option. */
static void
add_operands(struct stage_words *words, char *const *operand, int count)
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
	struct stage_words words = {NULL, 0};

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
		bool is_ours = handed_is_filter(stage->words[0]);

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

bool
stages_find(struct stages *stages, struct profile *profile, struct fault *fault)
{
	char path[PATH_MAX];

	for (unsigned i = 0; i < stages->count; i++) {
		struct stages_command *command = &stages->command[i];
		const char *name = command->words[0];

		if (programs_find(name, path, &command->is_beside)) {
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
