#include "dialects/session_file/session_stamp.h"

#include <stdio.h>
#include <time.h>

#include "base/buf.h"
#include "base/hash/blake2b.h"

void
session_stamp_add(struct session_stamp_digest *digest, const struct str *text, unsigned count)
{
	struct blake2b state;

	blake2b_init(&state, SESSION_DIGEST);
	blake2b_add(&state, str_of((const char *)digest->byte, SESSION_DIGEST));
	for (unsigned i = 0; i < count; i++) {
		blake2b_add(&state, text[i]);
		blake2b_add(&state, str_of("", 1)); /* the end of each */
	}
	blake2b_end(&state, digest->byte);
}

void
session_stamp_uuid(const struct session_stamp_digest *digest, char uuid[SESSION_UUID])
{
	struct session_stamp_digest marked = *digest;
	struct buf hex = BUF_INIT;

	marked.byte[6] = (uint8_t)((marked.byte[6] & 0x0f) | 0x80);
	marked.byte[8] = (uint8_t)((marked.byte[8] & 0x3f) | 0x80);
	buf_add_hex(&hex, marked.byte, SESSION_DIGEST);
	snprintf(uuid, SESSION_UUID, "%.8s-%.4s-%.4s-%.4s-%.12s", hex.ptr, hex.ptr + 8,
	    hex.ptr + 12, hex.ptr + 16, hex.ptr + 20);
	buf_free(&hex);
}

void
session_stamp_set(struct session_stamp_time *time, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL || tm.tm_year + 1900 > 9999)
		tm = (struct tm){.tm_year = 70, .tm_mday = 1};
	snprintf(time->number, sizeof time->number, "%jd", (intmax_t)ms);
	/* Not by strftime, which reads the zone of the machine. */
	snprintf(time->time, sizeof time->time, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
	    tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
	    (int)(ms % 1000));
	snprintf(time->day, sizeof time->day, "%.4s/%.2s/%.2s", time->time, time->time + 5,
	    time->time + 8);
	snprintf(time->clock, sizeof time->clock, "%.13s-%.2s-%.2s", time->time, time->time + 14,
	    time->time + 17);
}
