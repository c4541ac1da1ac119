#ifndef UNIT_H
#define UNIT_H

/*
 * Checks of a unit test program. The program is a main that runs CHECKs and returns unit_end(). It
 * names the failed checks, at most UNIT_NAMED of them, and goes on. At the end it prints "N passed,
 * M failed", and exits 1 when M is not 0.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_NAMED = 20 };
static unsigned unit_passed, unit_failed;

#define CHECK(cond) unit_check((cond), __FILE__, __LINE__, #cond)
/* Checks that the len bytes at ptr equal a C string. */
#define CHECK_STR(s, expected) unit_check_str((s).ptr, (s).len, (expected), __FILE__, __LINE__)

static inline int
unit_check(int holds, const char *file, int line, const char *cond)
{
	if (holds) {
		unit_passed++;
		return 1;
	}
	if (unit_failed++ < UNIT_NAMED)
		printf("%s:%d: failed: %s\n", file, line, cond);
	return 0;
}

static inline int
unit_check_str(const char *ptr, size_t len, const char *expected, const char *file, int line)
{
	if (len == strlen(expected) && (len == 0 || memcmp(ptr, expected, len) == 0)) {
		unit_passed++;
		return 1;
	}
	if (unit_failed++ < UNIT_NAMED)
		printf("%s:%d: got '%.*s', expected '%s'\n", file, line, (int)len, ptr, expected);
	return 0;
}

static inline int
unit_end(void)
{
	printf("%u passed, %u failed\n", unit_passed, unit_failed);
	return unit_failed == 0 ? 0 : 1;
}

#endif
