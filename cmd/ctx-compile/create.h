#ifndef CTX_COMPILE_CREATE_H
#define CTX_COMPILE_CREATE_H

#include <stdbool.h>

/*
 * Writes what a new profile begins with, as the file name in the current directory; or a stage that
 * changes nothing, as name, and its test, as name.bats. Ends the program: with status 0, with 64
 * when there can be no such name, with 73 when a file is there or cannot be created, and with 74
 * when it cannot be written. Then nothing is left.
 */
_Noreturn void create(const char *name, bool is_stage);

#endif
