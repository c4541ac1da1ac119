#ifndef PROFILE_PROFILE_PLAN_H
#define PROFILE_PROFILE_PLAN_H

/*
 * The commands that the stages of a profile run for one model: the rules of all levels that hold
 * are applied, from the defaults up to the command line. Of a stage
 *
 *     the switch      is that of the highest level that has one; on without
 *     the command     is that of the highest level that has one, and the options that stand below
 *                     it go with the one that it takes the place of
 *     the options     stand in the order of the levels, so that of an option that is given twice
 *                     that of the higher level holds; on one level those for all stages come first
 */

#include "policy/profile/profile.h"

struct profile_plan_stage {
	const char *name;
	bool is_on;
	char **words; /* the command and its arguments, ended by NULL */
	unsigned count;
	const struct profile_rule *rule; /* the rule that gives the command */
};

struct profile_plan {
	struct profile_plan_stage stage[PROFILE_STAGES];
	unsigned count;
};

/* Which sections hold: those of that provider, and of a model of one of these names. An empty name
 * is none. */
struct profile_plan_choice {
	struct str provider;
	struct str model[3];
	int untold; /* --provider and --model of so many lowest levels are not handed on */
};

/* Sets the plan. Its words are in the profile's arena, or in its rules. */
void profile_plan(
    struct profile *profile, const struct profile_plan_choice *choice, struct profile_plan *plan);

#endif
