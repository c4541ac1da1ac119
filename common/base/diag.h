#ifndef BASE_DIAG_H
#define BASE_DIAG_H

/*
 * Diagnostics, and the status of long work. No other module prints to standard error. A diagnostic
 * is one line, written by one write(2): "program: file:line: what is wrong". Diagnostics quote
 * hostile text, so each is written in the visible form of base/text/visible.h.
 */

#include <stdarg.h>
#include <stddef.h>

#include "base/status.h"

/* Sets the name that diagnostics start with. The name must live as long as the program. */
void diag_init(const char *name);

/* The name that was given to diag_init. */
const char *diag_program(void);

/* Sets the file that diagnostics name when the caller gives none; NULL: no file. The name is not
 * copied and must live until another one is set. */
void diag_set_file(const char *name);

/* The names that diagnostics begin with: the program, and the file that was set, or NULL. */
struct diag_subject {
	const char *program, *file;
};

/* Sets both names, which are not copied. Returns the former names. */
struct diag_subject diag_set_subject(struct diag_subject subject);

/* Prints "program: message". */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "program: file:line: message", or "program: file: message" when line is 0. */
void diag_warn_at(const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Shows text, one line, as the last line of the terminal on standard error. It replaces the status
 * shown before, and the next diagnostic replaces it. A signal handler may call this function. */
void diag_show_status(const char *text, size_t len);

/* Removes the status. */
void diag_end_status(void);

/* Prints like diag_warn and exits with status. */
_Noreturn void diag_die(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
