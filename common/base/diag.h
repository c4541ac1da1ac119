#ifndef BASE_DIAG_H
#define BASE_DIAG_H

/*
 * Diagnostics. This is the one module that prints to standard error: a diagnostic
 * is one line in one write(2), "program: file:line: what is wrong", in the visible form of
 * base/visible.h, because what it quotes comes from hostile text.
 */

#include <stdarg.h>
#include <stddef.h>

#include "base/status.h"

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

#endif
