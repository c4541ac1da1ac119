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

/* Adds count texts to the digest. */
void session_stamp_add(struct session_stamp_digest *digest, const struct str *text, unsigned count);

/* Writes the digest as a UUID, with a NUL: of version 8, whose content is free to choose (RFC
 * 9562). */
void session_stamp_uuid(const struct session_stamp_digest *digest, char uuid[SESSION_UUID]);

/* A time in UTC. */
struct session_stamp_time {
	char number[24]; /* ms since 1970, in digits */
	char time[80];   /* YYYY-MM-DDThh:mm:ss.mmmZ */
	char day[16];    /* YYYY/MM/DD */
	char clock[32];  /* YYYY-MM-DDThh-mm-ss */
};

/* Sets all members for ms, which must not be negative. In the texts, a time after the year 9999
 * becomes a time of 1970. */
void session_stamp_set(struct session_stamp_time *time, int64_t ms);

#endif
