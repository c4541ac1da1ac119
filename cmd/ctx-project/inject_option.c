#include "inject_option.h"

#include "base/file.h"
#include "base/text/utf8.h"
#include "face/fault_die.h"

static const struct inject_place {
	struct str suffix;
	enum injection_place place;
} places[] = {
    {STR_INIT("@start"), INJECTION_START},
    {STR_INIT("@before-last-user"), INJECTION_BEFORE_LAST_USER},
    {STR_INIT("@end"), INJECTION_END},
};

/* Takes the place from the end of an argument. Returns the file or the command before it, as a
 * string of its own. */
static const char *
take_place(struct inject_option *injecting, const char *argument, enum injection_place *place)
{
	struct str text = str_from(argument);
	char *copy;

	*place = INJECTION_START;
	for (size_t i = 0; i < ARRAY_COUNT(places); i++)
		if (str_has_suffix(text, places[i].suffix)) {
			*place = places[i].place;
			text.len -= places[i].suffix.len;
			break;
		}
	copy = arena_alloc(&injecting->arena, text.len + 1);
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	return copy;
}

static bool
reads_input(char *const *operand, int count)
{
	for (int i = 0; i < count; i++)
		if (file_is_stdin(operand[i]))
			return true;
	return count == 0;
}

static void
add_file(struct inject_option *injecting, struct options *options, const char *argument,
    bool may_be_input)
{
	struct injection injection = {.lines = BUF_INIT};
	const char *path = take_place(injecting, argument, &injection.place);
	struct fault fault = FAULT_INIT;
	struct buf content = BUF_INIT;

	if (*path == '\0' || (file_is_stdin(path) && !may_be_input))
		options_fail("bad value '%s' of --inject, expected a file%s", argument,
		    *path == '\0' ? "" : ": standard input has the log");
	options_read(&options->common, path);
	if (!file_read(path, INPUT_LINE_MAX, &content, &fault) ||
	    !injection_read(&injection, path, buf_str(&content), &fault))
		fault_die(&fault);
	inject_add(&injecting->inject, &injection);
	buf_free(&content);
}

void
inject_option_open(
    struct inject_option *injecting, struct options *options, char *const *operand, int count)
{
	const struct option_list *files = &options->inject, *commands = &options->inject_command;
	struct inject *inject = &injecting->inject;

	message_init();
	*injecting = (struct inject_option){.arena = ARENA_INIT};
	inject_init(inject, options->with_system);
	inject->timeout = limits_command_timeout(&options->estimator);
	for (unsigned i = 0; i < files->count; i++)
		add_file(injecting, options, files->item[i], !reads_input(operand, count));
	for (unsigned i = 0; i < commands->count; i++) {
		struct injection injection = {.lines = BUF_INIT};

		injection.command = take_place(injecting, commands->item[i], &injection.place);
		if (str_trim(str_from(injection.command)).len == 0)
			options_fail("bad value '%s' of --inject-command, expected a command",
			    commands->item[i]);
		inject_add(&injecting->inject, &injection);
	}
	injecting->is_used = options->with_system || inject->count > 0;
}

void
inject_option_link(struct inject_option *injecting, struct project_choice *choice)
{
	if (injecting->is_used)
		choice->inject = &injecting->inject;
}

void
inject_option_close(struct inject_option *injecting, const struct project_choice *choice)
{
	if (injecting->inject.count > 0)
		json_member_integer(
		    &choice->run->members, STR("injected"), (int64_t)choice->injected);
	inject_free(&injecting->inject);
	arena_free(&injecting->arena);
}
