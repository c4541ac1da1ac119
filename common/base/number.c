#include "base/number.h"

#include <ctype.h>
#include <string.h>

/* Reads a number at *text, with up to three decimals that count, and moves *text to the end of the
 * number. Returns false when there is no number or it overflows. */
static bool
take_digits(const char **text, uint64_t *thousandths)
{
	const char *p = *text;
	uint64_t number = 0;
	unsigned scale = 1000;

	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(number, 10u, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*p - '0'), &number))
			return false;
	if (__builtin_mul_overflow(number, 1000u, &number))
		return false;
	if (*p == '.' && isdigit((unsigned char)p[1]))
		for (p++; isdigit((unsigned char)*p) && scale > 1; p++) {
			scale /= 10;
			number += (uint64_t)(*p - '0') * scale;
		}
	*text = p;
	*thousandths = number;
	return true;
}

static bool
take_suffix(const char **text, uint64_t *factor)
{
	static const char letters[] = "kmgt";
	const char *found;
	uint64_t base = 1000;

	*factor = 1;
	if (**text == '\0')
		return true;
	found = strchr(letters, tolower((unsigned char)**text));
	if (found == NULL)
		return true;
	(*text)++;
	if (**text == 'i') {
		base = 1024;
		(*text)++;
	}
	for (const char *p = letters; p <= found; p++)
		*factor *= base;
	return true;
}

static bool
take_number(const char **text, uint64_t *number)
{
	uint64_t thousandths, factor, rest;

	if (!take_digits(text, &thousandths) || !take_suffix(text, &factor))
		return false;
	rest = thousandths % 1000 * factor; /* at most 999 Ti */
	return rest % 1000 == 0 && !__builtin_mul_overflow(thousandths / 1000, factor, number) &&
	    !__builtin_add_overflow(*number, rest / 1000, number) && *number <= INT64_MAX;
}

bool
number_parse(const char *text, uint64_t *number)
{
	return take_number(&text, number) && *text == '\0';
}

static bool
take_percent(const char **text, uint64_t *share)
{
	if (!take_digits(text, share) || **text != '%')
		return false;
	(*text)++;
	return *share <= SIZE_WHOLE;
}

static bool
parse_percent(const char *text, struct size *size)
{
	size->unit = SIZE_PERCENT;
	return take_percent(&text, &size->value) && *text == '\0';
}

/* "8msgs", whose m is no suffix. */
static bool
parse_count(const char *text, struct size *size)
{
	static const struct {
		const char *name;
		enum size_unit unit;
	} units[] = {{"msgs", SIZE_MESSAGES}, {"msg", SIZE_MESSAGES}, {"turns", SIZE_TURNS},
	    {"turn", SIZE_TURNS}};
	uint64_t thousandths;

	if (!take_digits(&text, &thousandths) || thousandths % 1000 != 0)
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (strcmp(text, units[i].name) == 0) {
			*size = (struct size){units[i].unit, thousandths / 1000};
			return true;
		}
	return false;
}

bool
size_parse(const char *text, struct size *size)
{
	bool less = *text == '-';

	if (!less && (parse_percent(text, size) || parse_count(text, size)))
		return true;
	text += less;
	size->unit = less ? SIZE_LESS : SIZE_PLAIN;
	return take_number(&text, &size->value) && *text == '\0';
}

/* The number is read by itself, since the t of tok would be its suffix. */
bool
size_parse_share(const char *text, struct size *size)
{
	size->unit = SIZE_MESSAGES_SHARE;
	return take_percent(&text, &size->value) &&
	    (strcmp(text, "msgs") == 0 || strcmp(text, "msg") == 0);
}

bool
size_parse_length(const char *text, struct size *size)
{
	static const struct {
		const char *name;
		enum size_unit unit;
	} units[] = {{"tok", SIZE_TOKENS}, {"chars", SIZE_CHARACTERS}, {"char", SIZE_CHARACTERS}};
	char number[32];

	for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
		size_t len = strlen(text), of_unit = strlen(units[i].name);

		if (len < of_unit || len - of_unit >= sizeof number ||
		    strcmp(text + len - of_unit, units[i].name) != 0)
			continue;
		memcpy(number, text, len - of_unit);
		number[len - of_unit] = '\0';
		size->unit = units[i].unit;
		return number_parse(number, &size->value);
	}
	size->unit = SIZE_PLAIN;
	return number_parse(text, &size->value);
}

uint64_t
size_of_window(struct size size, uint64_t window, uint64_t fallback)
{
	switch (size.unit) {
	case SIZE_PLAIN:
		return size.value;
	case SIZE_PERCENT:
		return window / SIZE_WHOLE * size.value +
		    window % SIZE_WHOLE * size.value / SIZE_WHOLE;
	case SIZE_LESS:
		return size.value < window ? window - size.value : 0;
	default:
		return fallback;
	}
}

struct number_text
number_grouped(uint64_t number)
{
	struct number_text grouped = {.text = ""};
	char digits[32], *to = grouped.text;
	unsigned count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0) {
		*to++ = digits[--count];
		if (count > 0 && count % 3 == 0)
			*to++ = ',';
	}
	*to = '\0';
	return grouped;
}

void
number_write_grouped(struct buf *buf, uint64_t number)
{
	buf_add_str(buf, str_from(number_grouped(number).text));
}

void
number_write_short(struct buf *buf, uint64_t number)
{
	static const char suffixes[] = "kMGT";
	double value = (double)number;
	const char *suffix = suffixes;

	if (number < 1000) {
		buf_add_fmt(buf, "%u", (unsigned)number);
		return;
	}
	for (value /= 1000; value >= 999.5 && suffix[1] != '\0'; suffix++)
		value /= 1000;
	if (value < 99.95 && (uint64_t)(value * 10 + 0.5) % 10 != 0)
		buf_add_fmt(buf, "%.1f%c", value, *suffix);
	else
		buf_add_fmt(buf, "%.0f%c", value, *suffix);
}

void
number_write_thousands(struct buf *buf, uint64_t number)
{
	unsigned rest = (unsigned)(number % 1000), digits = 3;

	buf_add_fmt(buf, "%ju", (uintmax_t)(number / 1000));
	for (; rest > 0 && rest % 10 == 0; rest /= 10)
		digits--;
	if (rest > 0)
		buf_add_fmt(buf, ".%0*u", (int)digits, rest);
	buf_add_char(buf, 'k');
}

void
number_write_size(struct buf *buf, uint64_t bytes)
{
	if (bytes >= 999500) {
		buf_add_fmt(buf, "%.1f MB", (double)bytes / 1000000);
		return;
	}
	number_write_grouped(buf, bytes < 1000 ? bytes : (bytes + 500) / 1000);
	buf_add_str(buf, bytes < 1000 ? STR(" B") : STR(" kB"));
}

bool
number_parse_time(const char *text, uint64_t *seconds)
{
	static const struct {
		char unit;
		unsigned factor;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	uint64_t thousandths;

	if (!take_digits(&text, &thousandths))
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (text[0] == units[i].unit && text[1] == '\0') {
			if (__builtin_mul_overflow(thousandths, units[i].factor, seconds))
				return false;
			*seconds /= 1000;
			return true;
		}
	*seconds = thousandths / 1000;
	return *text == '\0';
}
