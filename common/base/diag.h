#ifndef BASE_DIAG_H
#define BASE_DIAG_H

/*
 * Diagnostics and exit statuses. This is the one module that prints to standard error: a diagnostic
 * is one line in one write(2), "program: file:line: what is wrong", control characters replaced,
 * because what it quotes comes from hostile text.
 */

#include <stdarg.h>
#include <stddef.h>

#include "base/str.h"

/* Exit statuses, after sysexits.h where it has one. */
enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,          /* the answer is no: a check fails, a budget cannot be met */
	STATUS_USAGE = 64,
	STATUS_DATA = 65,       /* bad lines, or no messages */
	STATUS_NO_INPUT = 66,
	STATUS_UNAVAILABLE = 69, /* an external command failed */
	STATUS_INVARIANT = 70,
	STATUS_OS = 71,
	STATUS_CANT_CREATE = 73,
	STATUS_IO = 74,
	STATUS_TRY_AGAIN = 75,
	STATUS_CONFIG = 78,
};

/* Names the program that diagnostics start with; name must live as long as the program. */
void diag_init(const char *name);

/* The program's name as given to diag_init. */
const char *diag_program(void);

/* Prints "program: message". */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "program: file:line: message"; line 0 is left out. */
void diag_warn_at(const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints like diag_warn and exits with status. */
_Noreturn void diag_die(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of two statuses of one run, the one to exit with. */
enum status status_worse(enum status a, enum status b);

#endif
