#include "policy/profile/profile.h"

#include <stdlib.h>

#include "base/byte.h"
#include "base/list.h"

/* A text that is parsed: its lines, and the state of its sections. */
struct parser {
	struct profile *profile; /* NULL: the base alone is looked for */
	const char *file;
	struct profile_lines lines;
	bool has_begun;
	enum profile_level level;
	struct str target;
};

static bool
is_name_byte(char c)
{
	return byte_is_word(c) || c == '-';
}

bool
profile_is_name(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!is_name_byte(name.ptr[i]))
			return false;
	return name.len > 0 && name.ptr[0] != '-';
}

static struct profile_rule *
add_rule(struct profile *profile, enum profile_kind kind, enum profile_level level)
{
	struct profile_rule *rule;

	LIST_ROOM(profile->rules, profile->count, profile->cap);
	rule = &profile->rules[profile->count++];
	*rule = (struct profile_rule){.kind = kind, .level = level};
	return rule;
}

static char *
keep_word(struct profile *profile, struct str word)
{
	char *kept = arena_alloc(&profile->arena, word.len + 1);

	if (word.len > 0)
		memcpy(kept, word.ptr, word.len);
	kept[word.len] = '\0';
	return kept;
}

/* Adds a rule of the line, with the words that are left of it. */
static bool
add_line(struct parser *p, enum profile_kind kind, const char *stage)
{
	struct profile *profile = p->profile;
	struct profile_rule rule = {.count = 0}, *added;
	char *words[PROFILE_WORDS];
	bool is_there;

	for (;;) {
		if (!profile_lines_word(&p->lines, &is_there, NULL))
			return false;
		if (!is_there)
			break;
		if (rule.count == PROFILE_WORDS)
			return profile_lines_fail(&p->lines, p->lines.at, "more than 256 words");
		words[rule.count++] = keep_word(profile, buf_str(&p->lines.word));
	}
	added = add_rule(profile, kind, p->level);
	added->target = p->target;
	added->stage = stage;
	added->words = arena_zalloc(&profile->arena, rule.count + 1, sizeof *words);
	if (rule.count > 0)
		memcpy(added->words, words, rule.count * sizeof *words);
	added->count = rule.count;
	added->file = p->file;
	added->line = p->lines.number;
	return true;
}

/* The kept name of the stage, or NULL. */
static const char *
find_stage(const struct profile *profile, struct str name)
{
	for (unsigned i = 0; i < profile->stage_count; i++)
		if (str_eq(str_from(profile->stages[i]), name))
			return profile->stages[i];
	return NULL;
}

static bool
fail_stage(struct parser *p, struct str name)
{
	const struct profile *profile = p->profile;

	profile_lines_fail(&p->lines, (size_t)(name.ptr - p->lines.line.ptr), "no stage '");
	buf_add_fmt(&p->lines.error->message, "%.*s'", STR_ARG(name));
	for (unsigned i = 0; i < profile->stage_count; i++)
		buf_add_fmt(
		    &p->lines.error->message, "%s%s", i == 0 ? ": " : ", ", profile->stages[i]);
	return false;
}

/* "NAME: COMMAND [ARGUMENT]...": a new stage at the end, or another command for one that is. */
static bool
parse_stage(struct parser *p, struct str name)
{
	struct profile *profile = p->profile;
	const char *stage = find_stage(profile, name);
	size_t start = p->lines.at;

	if (stage == NULL) {
		if (p->level == PROFILE_PROVIDER || p->level == PROFILE_MODEL)
			return fail_stage(p, name);
		if (profile->stage_count == PROFILE_STAGES)
			return profile_lines_fail(&p->lines, 0, "more than 64 stages");
		stage = keep_word(profile, name);
		profile->stages[profile->stage_count++] = stage;
	}
	if (!add_line(p, PROFILE_STAGE, stage))
		return false;
	if (profile->rules[profile->count - 1].count == 0 ||
	    profile->rules[profile->count - 1].words[0][0] == '\0')
		return profile_lines_fail(&p->lines, start, "expected a command");
	return true;
}

/* "NAME on", "NAME off", "NAME options OPTION..." */
static bool
parse_setting(struct parser *p, struct str name)
{
	static const char expected[] = "expected ':' and a command, or on, off, or options";
	const char *stage = find_stage(p->profile, name);
	struct profile_lines *lines = &p->lines;
	struct str word;
	size_t start;
	bool is_there;

	if (lines->at == lines->line.len || !profile_lines_skip(lines))
		return profile_lines_fail(lines, lines->at, expected);
	start = lines->at;
	if (!profile_lines_word(lines, &is_there, expected))
		return false;
	word = buf_str(&lines->word);
	if (!str_eq(word, STR("on")) && !str_eq(word, STR("off")) && !str_eq(word, STR("options")))
		return profile_lines_fail(lines, start, expected);
	if (stage == NULL)
		return fail_stage(p, name);
	if (str_eq(word, STR("options")))
		return add_line(p, PROFILE_OPTIONS, stage);
	is_there = str_eq(word, STR("on"));
	return profile_lines_end(lines, "expected nothing after on and off") &&
	    add_line(p, is_there ? PROFILE_ON : PROFILE_OFF, stage);
}

static bool
fail_shared(struct parser *p, const struct profile_rule *rule)
{
	bool is_long = str_has_prefix(str_from(rule->words[0]), STR("--"));
	const struct profile_option *meant =
	    is_long ? profile_option_near(p->profile->options, profile_shared_name(rule)) : NULL;

	if (meant == NULL)
		return profile_lines_fail(&p->lines, 0,
		    "no option for all stages; an option of one stage comes after its name, "
		    "as in 'compact options --force'");
	profile_lines_fail(&p->lines, 0, "no option for all stages, did you mean '--");
	buf_add_fmt(&p->lines.error->message, "%s'?", meant->name);
	return false;
}

/* "--NAME VALUE" or "--NAME=VALUE", for all stages that have the option. */
static bool
parse_shared(struct parser *p)
{
	struct profile_rule *rule;
	const struct profile_option *option;
	const char *equals;
	struct buf joined = BUF_INIT;

	if (!add_line(p, PROFILE_SHARED, NULL))
		return false;
	rule = &p->profile->rules[p->profile->count - 1];
	equals = strchr(rule->words[0], '=');
	option = str_has_prefix(str_from(rule->words[0]), STR("--")) ?
	    profile_option_find(p->profile->options, profile_shared_name(rule)) :
	    NULL;
	if (option == NULL)
		return fail_shared(p, rule);
	if (option->is_flag)
		return (equals == NULL && rule->count == 1) ||
		    profile_lines_fail(&p->lines, 0, "expected no value of this option");
	if (rule->count != (equals != NULL ? 1 : 2))
		return profile_lines_fail(&p->lines, 0, "expected one option and its value");
	if (equals == NULL) {
		buf_add_fmt(&joined, "%s=%s", rule->words[0], rule->words[1]);
		rule->words[0] = keep_word(p->profile, buf_str(&joined));
		rule->words[1] = NULL;
		rule->count = 1;
		buf_free(&joined);
	}
	return true;
}

/* Takes a name of the line; an empty one if something else is there. */
static struct str
take_name(struct parser *p)
{
	size_t start = p->lines.at;

	while (p->lines.at < p->lines.line.len && is_name_byte(p->lines.line.ptr[p->lines.at]))
		p->lines.at++;
	return str_of(p->lines.line.ptr + start, p->lines.at - start);
}

/* Takes the words between "[" and "]", and sets the level and its target. */
static bool
take_level(struct parser *p, const char *end)
{
	struct str word, target;
	bool is_parted;

	profile_lines_skip(&p->lines);
	word = take_name(p);
	is_parted = profile_lines_skip(&p->lines);
	target.ptr = p->lines.line.ptr + p->lines.at;
	target = str_trim(str_of(target.ptr, (size_t)(end - target.ptr)));
	p->target = arena_copy(&p->profile->arena, target);
	if (str_eq(word, STR("defaults")))
		p->level = PROFILE_DEFAULTS;
	else if (str_eq(word, STR("provider")))
		p->level = PROFILE_PROVIDER;
	else if (str_eq(word, STR("model")))
		p->level = PROFILE_MODEL;
	else
		return false;
	return p->level == PROFILE_DEFAULTS ? target.len == 0 : is_parted && target.len > 0;
}

/* "[defaults]", "[provider NAME]" or "[model NAME]". */
static bool
parse_section(struct parser *p)
{
	const char *end = memchr(p->lines.line.ptr, ']', p->lines.line.len);

	if (p->level == PROFILE_COMMAND_LINE)
		return profile_lines_fail(&p->lines, p->lines.at, "expected no section here");
	if (end == NULL)
		return profile_lines_fail(&p->lines, p->lines.line.len, "expected ']'");
	p->lines.at++;
	if (!take_level(p, end))
		return profile_lines_fail(
		    &p->lines, 0, "expected [defaults], [provider NAME] or [model NAME]");
	p->lines.at = (size_t)(end + 1 - p->lines.line.ptr);
	return profile_lines_end(&p->lines, "expected nothing after ']'");
}

/* "base NAME", which only the first line may be. With NULL for word, it has been read before. */
static bool
parse_base(struct parser *p, struct buf *base)
{
	static const char expected[] = "expected the name of a profile";
	bool is_there;
	size_t start;

	if (p->has_begun)
		return profile_lines_fail(&p->lines, 0, "expected the base in the first line");
	if (p->level == PROFILE_COMMAND_LINE)
		return profile_lines_fail(&p->lines, 0, "expected no base here");
	profile_lines_skip(&p->lines);
	start = p->lines.at;
	if (!profile_lines_word(&p->lines, &is_there, expected))
		return false;
	if (p->lines.word.len == 0)
		return profile_lines_fail(&p->lines, start, expected);
	if (base != NULL) {
		buf_set(base, buf_str(&p->lines.word));
		profile_lines_mark(&p->lines, start);
	}
	return profile_lines_end(&p->lines, "expected one name");
}

static bool
parse_line(struct parser *p, struct buf *base)
{
	struct str name;
	bool is_stage;

	if (p->lines.line.ptr[p->lines.at] == '[')
		return p->profile == NULL || parse_section(p);
	if (p->lines.line.ptr[p->lines.at] == '-')
		return p->profile == NULL || parse_shared(p);
	name = take_name(p);
	is_stage = p->lines.at < p->lines.line.len && p->lines.line.ptr[p->lines.at] == ':';
	if (str_eq(name, STR("base")) && !is_stage)
		return parse_base(p, base);
	if (p->profile == NULL)
		return true;
	if (name.len == 0)
		return profile_lines_fail(&p->lines, p->lines.at,
		    "expected a stage such as 'view: ctx-project', with letters, digits, - and _ "
		    "in its name");
	if (str_eq(name, STR("base")))
		return profile_lines_fail(&p->lines, 0, "a stage has another name than base");
	p->lines.at += is_stage;
	return is_stage ? parse_stage(p, name) : parse_setting(p, name);
}

/* Parses lines until one of them is wrong. A line with the base must be the first. */
static bool
parse_text(struct parser *p, struct buf *base)
{
	bool is_good = true;

	while (is_good && profile_lines_next(&p->lines)) {
		is_good = profile_lines_check(&p->lines);
		profile_lines_skip(&p->lines);
		if (!is_good || p->lines.at == p->lines.line.len ||
		    p->lines.line.ptr[p->lines.at] == '#')
			continue;
		is_good = parse_line(p, base);
		p->has_begun = true;
		if (p->profile == NULL)
			break;
	}
	buf_free(&p->lines.word);
	return is_good;
}

bool
profile_base(struct str text, struct buf *base, struct profile_line_error *error)
{
	struct parser p = {.lines = {.rest = text, .error = error}};

	buf_reset(base);
	if (!parse_text(&p, base))
		return false;
	*buf_reserve(base, 1) = '\0';
	return true;
}

bool
profile_parse(struct profile *profile, const char *file, struct str text, enum profile_level level,
    struct profile_line_error *error)
{
	struct parser p = {
	    .profile = profile,
	    .file = keep_word(profile, str_from(file)),
	    .lines = {.rest = text, .error = error},
	    .level = level,
	};

	return parse_text(&p, NULL);
}

void
profile_add_shared(struct profile *profile, const char *name, const char *value)
{
	struct profile_rule *rule = add_rule(profile, PROFILE_SHARED, PROFILE_COMMAND_LINE);
	struct buf joined = BUF_INIT;

	buf_add_fmt(
	    &joined, "--%s%s%s", name, value != NULL ? "=" : "", value != NULL ? value : "");
	rule->words = arena_zalloc(&profile->arena, 2, sizeof *rule->words);
	rule->words[0] = keep_word(profile, buf_str(&joined));
	rule->count = 1;
	buf_free(&joined);
}

struct str
profile_shared_name(const struct profile_rule *rule)
{
	const char *name = rule->words[0] + strlen("--");

	return str_of(name, strcspn(name, "="));
}

void
profile_free(struct profile *profile)
{
	free(profile->rules);
	arena_free(&profile->arena);
}
