#ifndef SESSION_FILE_SESSION_STAMP_H
#define SESSION_FILE_SESSION_STAMP_H

/*
 * The ids and times of records, as text.
 */

#include <stdint.h>

#include "base/str.h"

enum { SESSION_DIGEST = 16, SESSION_UUID = 36 + 1 };

/* A hash of all texts so far; zero at first. */
struct session_stamp_digest {
	uint8_t byte[SESSION_DIGEST];
};

/* Goes on with count texts. */
void session_stamp_add(struct session_stamp_digest *digest, const struct str *text, unsigned count);

/* Writes the digest as a UUID, with a NUL: of version 8, whose rule is one's own (RFC 9562). */
void session_stamp_uuid(const struct session_stamp_digest *digest, char uuid[SESSION_UUID]);

/* A time in UTC. */
struct session_stamp_time {
	int64_t ms;      /* since 1970 */
	char number[24]; /* the same */
	char time[80];   /* YYYY-MM-DDThh:mm:ss.mmmZ */
	char day[16];    /* YYYY/MM/DD */
	char clock[32];  /* YYYY-MM-DDThh-mm-ss */
};

/* Sets all of it to ms, which is not negative. A time after the year 9999 is of 1970 in texts. */
void session_stamp_set(struct session_stamp_time *time, int64_t ms);

#endif
