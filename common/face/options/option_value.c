#include "face/options/option_value.h"

#include <strings.h>

#include "base/number.h"
#include "base/text/distance.h"
#include "data/tool/own_tools.h"

/* The sizes that a type of option takes, as bits of enum size_unit, and their forms. */
struct size_form {
	unsigned units;
	const char *expected;
};

#define UNIT(unit) (1u << SIZE_##unit)

static const struct size_form size_forms[] = {
    [OPTION_TOKENS] = {UNIT(PLAIN) | UNIT(PERCENT) | UNIT(LESS), "a number of tokens such as 12k"},
    [OPTION_WINDOW] = {UNIT(PLAIN), "a number of tokens such as 200k"},
    [OPTION_ROOM] = {UNIT(PLAIN) | UNIT(MESSAGES), "a size such as 64M or 10000msgs"},
    [OPTION_TURNS] = {UNIT(TURNS), "turns such as 1turn"},
    [OPTION_MOST] = {UNIT(PLAIN) | UNIT(MESSAGES) | UNIT(TURNS),
	"a size such as 4k, 20msgs or 8turns"},
};

/* Sets the fault of a wrong argument. Returns false. */
static bool
refuse(const struct option *option, const char *argument, const char *expected, struct fault *fault)
{
	return fault_set(fault, STATUS_USAGE, "bad value '%s' of --%s, expected %s", argument,
	    option->name, expected);
}

/* The choice that the argument may be a slip or the beginning of, or NULL. */
static const char *
find_meant(const char *const *choice, const char *argument)
{
	enum { BEGUN_MIN = 3 }; /* fewer letters begin too much */
	size_t len = strlen(argument);

	for (; *choice != NULL; choice++)
		if ((len >= BEGUN_MIN && strncasecmp(*choice, argument, len) == 0) ||
		    distance_is_slip(str_from(argument), str_from(*choice)))
			return *choice;
	return NULL;
}

static bool
refuse_choice(const struct option *option, const char *argument, struct fault *fault)
{
	const char *meant = find_meant(option->choices, argument);
	struct buf text = BUF_INIT;

	if (meant != NULL)
		buf_add_fmt(&text, "did you mean '%s'? ", meant);
	for (const char *const *choice = option->choices; *choice != NULL; choice++)
		buf_add_fmt(
		    &text, "%s%s", choice == option->choices ? "expected one of " : ", ", *choice);
	fault_set(fault, STATUS_USAGE, "bad value '%s' of --%s, %.*s", argument, option->name,
	    STR_ARG(buf_str(&text)));
	buf_free(&text);
	return false;
}

static bool
set_choice(const struct option *option, const char *argument, int *value, struct fault *fault)
{
	for (int i = 0; option->choices[i] != NULL; i++)
		if (strcmp(option->choices[i], argument) == 0) {
			*value = i;
			return true;
		}
	return refuse_choice(option, argument, fault);
}

bool
option_value_add(struct option_list *list, const char *argument)
{
	if (list->count == OPTION_LIST_MAX)
		return false;
	list->item[list->count++] = argument;
	return true;
}

static bool
add_read(struct common_options *options, const char *path, struct fault *fault)
{
	return option_value_add(&options->reads, path) ||
	    fault_set(fault, STATUS_USAGE, "more than %d files are read", OPTION_LIST_MAX);
}

static bool
set_size(const struct option *option, const char *argument, struct size *size, struct fault *fault)
{
	const struct size_form *form = &size_forms[option->type];
	bool is_right = size_parse(argument, size) && (form->units >> size->unit & 1) != 0 &&
	    (option->type != OPTION_WINDOW || size->value > 0);

	return is_right || refuse(option, argument, form->expected, fault);
}

/* "20" is the habit of tail, and 20 tokens are hardly a message. */
static bool
set_last(const struct option *option, const char *argument, struct size *size, struct fault *fault)
{
	enum { TOKENS_MIN = 1000 };
	struct buf thousands = BUF_INIT;
	bool is_bare = argument[strspn(argument, "0123456789")] == '\0';

	if (size_parse_share(argument, size))
		return true;
	if (!size_parse(argument, size) || size->unit == SIZE_PERCENT || size->unit == SIZE_LESS)
		return refuse(option, argument, "a size such as 20msgs, 8turns or 4k", fault);
	if (!is_bare || size->value == 0 || size->value >= TOKENS_MIN)
		return true;
	number_write_thousands(&thousands, size->value);
	fault_set(fault, STATUS_USAGE,
	    "bad value '%s' of --%s, expected %smsgs, %sturns or, in tokens, %.*s", argument,
	    option->name, argument, argument, STR_ARG(buf_str(&thousands)));
	buf_free(&thousands);
	return false;
}

static bool
set_messages(
    const struct option *option, const char *argument, struct size *size, struct fault *fault)
{
	size->unit = SIZE_MESSAGES;
	return number_parse(argument, &size->value) ||
	    refuse(option, argument, "a number such as 20", fault);
}

static bool
set_length(
    const struct option *option, const char *argument, struct size *size, struct fault *fault)
{
	return (size_parse_length(argument, size) && size->unit != SIZE_CHARACTERS) ||
	    refuse(option, argument, "bytes or tokens, such as 2k or 500tok", fault);
}

static bool
set_sequence(const struct option *option, const char *argument, struct option_sequence *sequence,
    struct fault *fault)
{
	if (sequence->count == OPTION_SEQUENCE_MAX)
		return fault_set(fault, STATUS_USAGE, "too many times --%s, %d are the most",
		    option->name, OPTION_SEQUENCE_MAX);
	sequence->item[sequence->count].option = option;
	sequence->item[sequence->count++].argument = argument;
	return true;
}

static bool
set_command(
    const struct option *option, const char *argument, const char **value, struct fault *fault)
{
	*value = argument;
	return str_trim(str_from(argument)).len > 0 || refuse(option, argument, "a command", fault);
}

/* The tools are not in the command's struct: the whole program knows them. */
static bool
set_tool(const struct option *option, const char *argument, struct common_options *options,
    struct fault *fault)
{
	struct buf message = BUF_INIT;

	if (argument[0] == '@')
		return add_read(options, argument + 1, fault) &&
		    own_tools_read(argument + 1, fault);
	if (own_tools_add(str_from(argument), &message))
		return true;
	fault_set(fault, STATUS_USAGE, "bad value '%s' of --%s, %.*s", argument, option->name,
	    STR_ARG(buf_str(&message)));
	buf_free(&message);
	return false;
}

static bool
set_string(const struct option *option, const char *argument, void *member, void *values,
    struct fault *fault)
{
	if (option->type == OPTION_FILE && !add_read(values, argument, fault))
		return false;
	*(const char **)member = argument;
	return true;
}

bool
option_value_set(
    const struct option *option, const char *argument, void *values, struct fault *fault)
{
	void *member = (char *)values + option->offset;

	if (option->given != 0)
		*((bool *)((char *)values + option->given)) = true;
	switch (option->type) {
	case OPTION_HEADING:
		return true;
	case OPTION_FLAG:
		return *(bool *)member = true;
	case OPTION_FILE:
	case OPTION_STRING:
	case OPTION_OPTIONAL:
		return set_string(option, argument, member, values, fault);
	case OPTION_COMMAND:
		return set_command(option, argument, member, fault);
	case OPTION_COUNT:
		return number_parse(argument, member) ||
		    refuse(option, argument, "a number such as 200 or 12k", fault);
	case OPTION_TIME:
		return number_parse_time(argument, member) ||
		    refuse(option, argument, "a time such as 90s or 5m", fault);
	case OPTION_TOKENS:
	case OPTION_WINDOW:
	case OPTION_ROOM:
	case OPTION_TURNS:
	case OPTION_MOST:
		return set_size(option, argument, member, fault);
	case OPTION_LAST:
		return set_last(option, argument, member, fault);
	case OPTION_MESSAGES:
		return set_messages(option, argument, member, fault);
	case OPTION_LENGTH:
		return set_length(option, argument, member, fault);
	case OPTION_CHOICE:
		return set_choice(option, argument, member, fault);
	case OPTION_LIST:
		return option_value_add(member, argument) ||
		    fault_set(fault, STATUS_USAGE, "more than %d times --%s", OPTION_LIST_MAX,
			option->name);
	case OPTION_SEQUENCE:
		return set_sequence(option, argument, member, fault);
	case OPTION_TOOL:
		break;
	}
	return set_tool(option, argument, values, fault);
}
