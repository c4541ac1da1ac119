#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

/*
 * A profile is a pipeline as text (ctx-profile(5)). This module parses its lines into rules. The
 * caller reads the files, and parses the text of the base first, and then that of the profile that
 * names the base, into one struct profile:
 *
 *     base site                          profile_base
 *     view: ctx-project                  PROFILE_STAGE
 *     --window 200k                      PROFILE_SHARED
 *     [provider anthropic]               the level and the target of the rules below
 *     view off                           PROFILE_OFF
 *     view options --last 8k             PROFILE_OPTIONS
 *
 * A profile may come from anywhere: whatever the bytes, a text of PROFILE_BYTES is parsed in linear
 * time. All that is kept is copied into the profile's arena.
 */

#include "base/arena.h"
#include "policy/profile/profile_lines.h"
#include "policy/profile/profile_options.h"

enum {
	PROFILE_BYTES = 1 << 20, /* of one text */
	PROFILE_STAGES = 64,     /* in all */
	PROFILE_WORDS = 256,     /* of one line */
};

/* From the lowest priority up. */
enum profile_level {
	PROFILE_DEFAULTS,
	PROFILE_PROVIDER,
	PROFILE_MODEL,
	PROFILE_COMMAND_LINE,
	PROFILE_LEVELS,
};

enum profile_kind { PROFILE_STAGE, PROFILE_ON, PROFILE_OFF, PROFILE_OPTIONS, PROFILE_SHARED };

struct profile_rule {
	enum profile_kind kind;
	enum profile_level level;
	struct str target; /* the provider or the model of the level; else empty */
	const char *stage; /* the name; NULL in PROFILE_SHARED */
	char **words;      /* ended by NULL: of the command, or the options */
	unsigned count;
	const char *file; /* where the rule is written */
	size_t line;
};

struct profile {
	const struct profile_options *options; /* set by the owner */
	struct profile_rule *rules;            /* those of the base first */
	size_t count, cap;
	const char *stages[PROFILE_STAGES]; /* the names, in the order of the pipeline */
	unsigned stage_count;
	struct arena arena;
};

/* Whether the name may be that of a profile or a stage: letters, digits, - and _, not - first. */
bool profile_is_name(struct str name);

/* Sets base to the argument of the line "base NAME" at the start of the text, ended by a NUL; base
 * is empty without that line. Sets the place of the error to NAME, for a message of the caller.
 * Returns false with the error set. */
bool profile_base(struct str text, struct buf *base, struct profile_line_error *error);

/* Adds the rules of the text, which is called file. The rules begin on that level. Returns false
 * with the error set. */
bool profile_parse(struct profile *profile, const char *file, struct str text,
    enum profile_level level, struct profile_line_error *error);

/* Adds "--name=value", or "--name" where value is NULL, for all stages, as if the command line had
 * it as a rule. */
void profile_add_shared(struct profile *profile, const char *name, const char *value);

/* The name of the option for all stages that the rule is, without the dashes. */
struct str profile_shared_name(const struct profile_rule *rule);

void profile_free(struct profile *profile);

#endif
