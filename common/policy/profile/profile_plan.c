#include "policy/profile/profile_plan.h"

#include <stdlib.h>

#include "base/list.h"
#include "policy/profile/profile_options.h"

/* The words of a stage, as they are gathered. */
struct words {
	char **list;
	size_t count, cap;
};

static void
add_word(struct words *words, char *word)
{
	LIST_ADD(words->list, words->count, words->cap, word);
}

/* Whether the rule is on the level, in a section that applies. */
static bool
holds(
    const struct profile_rule *rule, enum profile_level level, const struct profile_plan_choice *c)
{
	if (rule->level != level)
		return false;
	if (level == PROFILE_PROVIDER)
		return str_eq(rule->target, c->provider);
	if (level == PROFILE_MODEL)
		return str_eq(rule->target, c->model[0]) || str_eq(rule->target, c->model[1]) ||
		    str_eq(rule->target, c->model[2]);
	return true;
}

static bool
is_of(const struct profile_rule *rule, const char *stage)
{
	return rule->stage != NULL && strcmp(rule->stage, stage) == 0;
}

/* Finds the switch and the command of the stage. */
static void
settle(const struct profile *profile, const struct profile_plan_choice *choice,
    struct profile_plan_stage *stage)
{
	for (int level = PROFILE_DEFAULTS; level < PROFILE_LEVELS; level++)
		for (size_t i = 0; i < profile->count; i++) {
			const struct profile_rule *rule = &profile->rules[i];

			if (!is_of(rule, stage->name) ||
			    !holds(rule, (enum profile_level)level, choice))
				continue;
			if (rule->kind == PROFILE_ON || rule->kind == PROFILE_OFF)
				stage->is_on = rule->kind == PROFILE_ON;
			else if (rule->kind == PROFILE_STAGE)
				stage->rule = rule;
		}
}

/* Whether the rule for all stages names a model that the stages do not know. */
static bool
is_untold(const struct profile_rule *rule, const struct profile_plan_choice *choice)
{
	struct str name = profile_shared_name(rule);

	return (int)rule->level < choice->untold &&
	    (str_eq(name, STR("provider")) || str_eq(name, STR("model")));
}

/* Adds the words of the rules on the level that are of that kind: the options for all stages that
 * the command has, or the stage's own, from its command on. */
static void
add_level(const struct profile *profile, const struct profile_plan_choice *choice, int level,
    bool is_shared, const struct profile_plan_stage *stage, struct words *words)
{
	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_rule *rule = &profile->rules[i];
		bool is_late = level > (int)stage->rule->level ||
		    (level == (int)stage->rule->level && rule >= stage->rule);

		if ((rule->kind == PROFILE_SHARED) != is_shared ||
		    !holds(rule, (enum profile_level)level, choice))
			continue;
		if (is_shared) {
			if (!is_untold(rule, choice) &&
			    profile->options->is_of(
				profile_option_find(profile->options, profile_shared_name(rule)),
				stage->rule->words[0]))
				add_word(words, rule->words[0]);
		} else if (is_of(rule, stage->name) && is_late) {
			for (unsigned w = rule == stage->rule; w < rule->count; w++)
				add_word(words, rule->words[w]);
		}
	}
}

void
profile_plan(
    struct profile *profile, const struct profile_plan_choice *choice, struct profile_plan *plan)
{
	plan->count = 0;
	for (unsigned i = 0; i < profile->stage_count; i++) {
		struct profile_plan_stage *stage = &plan->stage[plan->count++];
		struct words words = {NULL, 0, 0};

		*stage = (struct profile_plan_stage){.name = profile->stages[i], .is_on = true};
		settle(profile, choice, stage);
		add_word(&words, stage->rule->words[0]);
		for (int level = PROFILE_DEFAULTS; level < PROFILE_LEVELS; level++) {
			add_level(profile, choice, level, true, stage, &words);
			add_level(profile, choice, level, false, stage, &words);
		}
		stage->count = (unsigned)words.count;
		add_word(&words, NULL);
		stage->words = arena_zalloc(&profile->arena, words.count, sizeof *stage->words);
		memcpy(stage->words, words.list, words.count * sizeof *words.list);
		free(words.list);
	}
}
