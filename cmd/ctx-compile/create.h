#ifndef CTX_COMPILE_CREATE_H
#define CTX_COMPILE_CREATE_H

#include <stdbool.h>

/*
 * Writes a template of a profile as the file name in the current directory; or, with is_stage, a
 * stage that changes nothing as name, and its test as name.bats. Ends the program: with status 0;
 * with 64 when the name is not allowed, 73 when a file exists or cannot be created, 74 when it
 * cannot be written. After a failure no file is left.
 */
_Noreturn void create(const char *name, bool is_stage);

#endif
