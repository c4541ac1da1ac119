#include "base/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/utf8.h"
#include "base/text/visible.h"

enum { DIAG_MAX = 2048 }; /* longer diagnostics are cut */

/* Clears the line that the cursor is in (ECMA-48, EL). */
#define CLEAR_LINE "\r\033[K"

static const char *program = "ctx";
static const char *about; /* the file that diagnostics without a file are about, or NULL */
static volatile sig_atomic_t has_status; /* since the first status, until diag_end_status */

void
diag_init(const char *name)
{
	program = name;
}

void
diag_set_file(const char *name)
{
	about = name;
}

struct diag_subject
diag_set_subject(struct diag_subject subject)
{
	struct diag_subject before = {program, about};

	program = subject.program;
	about = subject.file;
	return before;
}

const char *
diag_program(void)
{
	return program;
}

static void
write_all(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDERR_FILENO, text, len);

		if (n < 0 && errno != EINTR)
			return; /* nowhere left to complain to */
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
}

static size_t
clamp(int printed, size_t room)
{
	if (printed < 0)
		return 0;
	return (size_t)printed < room ? (size_t)printed : room - 1;
}

/* Writes the text in its visible form, as one line. Uses no heap: the diagnostic may be that there
 * is no memory. */
static void
write_line(const char *text, size_t len)
{
	char shown[sizeof CLEAR_LINE + DIAG_MAX * VISIBLE_MAX + 1];
	const char *end = text + len;
	size_t used = 0;

	if (has_status)
		used = (size_t)(stpcpy(shown, CLEAR_LINE) - shown);

	while (text < end)
		used += visible_next(&text, end, shown + used);
	shown[used++] = '\n';
	write_all(shown, used);
}

__attribute__((format(printf, 3, 0))) static void
print(const char *file, size_t line, const char *format, va_list args)
{
	char text[DIAG_MAX];
	size_t len = clamp(snprintf(text, sizeof text, "%s: ", program), sizeof text);
	size_t room = sizeof text;

	if (file == NULL)
		file = about;
	if (file != NULL && line != 0)
		len += clamp(snprintf(text + len, room - len, "%s:%zu: ", file, line), room - len);
	else if (file != NULL)
		len += clamp(snprintf(text + len, room - len, "%s: ", file), room - len);
	len += clamp(vsnprintf(text + len, room - len, format, args), room - len);
	if (len + 1 == room) { /* perhaps cut: drop a part of a code point */
		size_t last = utf8_floor(str_of(text, len), len - 1);

		if (utf8_len_within(text + last, text + len) == 0)
			len = last;
	}
	write_line(text, len);
}

void
diag_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(NULL, 0, format, args);
	va_end(args);
}

void
diag_warn_at(const char *file, size_t line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(file, line, format, args);
	va_end(args);
}

void
diag_show_status(const char *text, size_t len)
{
	char shown[sizeof CLEAR_LINE + DIAG_MAX];
	int error = errno;
	size_t used = (size_t)(stpcpy(shown, CLEAR_LINE) - shown);

	len = len < DIAG_MAX ? len : DIAG_MAX;
	memcpy(shown + used, text, len);
	has_status = true;
	write_all(shown, used + len);
	errno = error;
}

void
diag_end_status(void)
{
	if (has_status)
		write_all(CLEAR_LINE, strlen(CLEAR_LINE));
	has_status = false;
}

void
diag_die(enum status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(NULL, 0, format, args);
	va_end(args);
	exit(status);
}
