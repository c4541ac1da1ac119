#include "face/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

const char *const terminal_colors[] = {"auto", "always", "never", NULL};

/* The value of an environment variable; NULL when the variable is not set or empty. */
static const char *
find_variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

static unsigned
find_width(void)
{
	enum { MOST = 10000 };
	const char *columns = find_variable("COLUMNS");
	struct winsize size;
	uint64_t width;

	if (columns != NULL && number_parse(columns, &width) && width > 0 && width <= MOST)
		return (unsigned)width;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

static bool
is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		const char *value = find_variable(names[i]);

		if (value != NULL)
			return strcasestr(value, "utf-8") != NULL ||
			    strcasestr(value, "utf8") != NULL;
	}
	return false;
}

bool
terminal_is_dumb(void)
{
	const char *kind = find_variable("TERM");

	return kind == NULL || strcmp(kind, "dumb") == 0;
}

static bool
has_color(void)
{
	const char *force = find_variable("CLICOLOR_FORCE");

	if (find_variable("NO_COLOR") != NULL)
		return false;
	if (force != NULL && strcmp(force, "0") != 0)
		return true;
	return terminal_is_output() && !terminal_is_dumb();
}

bool
terminal_is_output(void)
{
	return isatty(STDOUT_FILENO) == 1;
}

void
terminal_init(struct terminal *terminal, enum color color)
{
	*terminal = (struct terminal){
	    .width = find_width(),
	    .utf8 = is_utf8(),
	    .color = color == COLOR_ALWAYS || (color == COLOR_AUTO && has_color()),
	};
}
