#include "base/diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DIAG_MAX = 2048 }; /* longer diagnostics are cut */

static const char *program = "ctx";

void
diag_init(const char *name)
{
	program = name;
}

const char *
diag_program(void)
{
	return program;
}

/* Replaces what a terminal would act on: C0, DEL, and C1 in its UTF-8 form. */
static void
neutralize(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f)
			text[i] = '?';
		else if (c == 0xc2 && i + 1 < len && (unsigned char)text[i + 1] < 0xa0)
			text[i] = text[i + 1] = '?';
	}
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

__attribute__((format(printf, 3, 0))) static void
print(const char *file, size_t line, const char *format, va_list args)
{
	char text[DIAG_MAX];
	size_t len = clamp(snprintf(text, sizeof text - 1, "%s: ", program), sizeof text - 1);
	size_t room = sizeof text - 1;

	if (file != NULL && line != 0)
		len += clamp(snprintf(text + len, room - len, "%s:%zu: ", file, line), room - len);
	else if (file != NULL)
		len += clamp(snprintf(text + len, room - len, "%s: ", file), room - len);
	len += clamp(vsnprintf(text + len, room - len, format, args), room - len);
	neutralize(text, len);
	text[len++] = '\n';
	write_all(text, len);
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
diag_die(enum status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(NULL, 0, format, args);
	va_end(args);
	exit(status);
}
