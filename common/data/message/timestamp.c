#include "data/message/timestamp.h"

#include <stdio.h>
#include <time.h>

#include "base/byte.h"
#include "json/string.h"

/* The offset from UTC at the end of an ISO time, in seconds; east is positive. */
static int64_t
zone_offset(const char *text)
{
	int hours, minutes = 0;

	if ((*text != '+' && *text != '-') ||
	    (sscanf(text + 1, "%2d:%2d", &hours, &minutes) < 2 &&
		sscanf(text + 1, "%2d%2d", &hours, &minutes) < 1))
		return 0;
	return (*text == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/* Reads date and time in the usual spelling, much faster than sscanf does. Returns their length, or
 * 0 when the text has another spelling. */
static int
parse_usual(const char *text, struct tm *tm)
{
	static const char shape[] = "0000-00-00T00:00:00";
	int *const field[] = {
	    &tm->tm_year, &tm->tm_mon, &tm->tm_mday, &tm->tm_hour, &tm->tm_min, &tm->tm_sec};
	unsigned at = 0;

	for (unsigned i = 0; shape[i] != '\0'; i++) {
		bool is_digit = byte_is_digit(text[i]);

		if (shape[i] == '0' ? !is_digit : text[i] != shape[i])
			return 0;
		if (is_digit)
			*field[at] = *field[at] * 10 + (text[i] - '0');
		else
			at++;
	}
	return sizeof shape - 1;
}

static int64_t
parse_iso(const char *text)
{
	struct tm tm = {.tm_isdst = 0};
	int used = parse_usual(text, &tm), millis = 0;

	if (used == 0 &&
	    (sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		 &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &used) != 6 ||
		used == 0))
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	text += used;
	if (*text == '.' || *text == ',') {
		int scale = 100;

		for (text++; byte_is_digit(*text); text++, scale /= 10)
			millis += (*text - '0') * scale;
	}
	return ((int64_t)timegm(&tm) - zone_offset(text)) * 1000 + millis;
}

int64_t
timestamp_read(struct json_value timestamp)
{
	const int64_t milliseconds = 100000000000; /* a larger number counts milliseconds */
	char text[40];
	struct str inner;
	double number;

	if (timestamp.type == JSON_NUMBER) {
		number = json_real(timestamp, -1);
		if (number < 0 || number > 1e15)
			return -1;
		return number > (double)milliseconds ? (int64_t)number : (int64_t)(number * 1000);
	}
	if (timestamp.type != JSON_STRING)
		return -1;
	inner = json_inner(timestamp);
	if (inner.len >= sizeof text)
		return -1;
	memcpy(text, inner.ptr, inner.len);
	text[inner.len] = '\0';
	return parse_iso(text);
}

/* Not by strftime, which reads the zone of the machine. */
bool
timestamp_add_day(int64_t ms, struct buf *buf)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	if (ms < 0 || gmtime_r(&seconds, &tm) == NULL)
		return false;
	buf_add_fmt(buf, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	return true;
}
