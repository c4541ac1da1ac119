#include "policy/secret/checks.h"

#include <stdint.h>

#include "policy/secret/alphabet.h"

enum { LOOKED_AT = 64 };

/* The CRC-32 of zlib and IEEE 802.3. */
static uint32_t
crc32(struct str bytes)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < bytes.len; i++) {
		crc ^= (unsigned char)bytes.ptr[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (UINT32_C(0xedb88320) & -(crc & 1));
	}
	return ~crc;
}

bool
check_base62(struct str body)
{
	static const char digits[] =
	    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	enum { LEN = 6 };
	uint32_t crc;

	if (body.len <= LEN)
		return false;
	crc = crc32(str_of(body.ptr, body.len - LEN));
	for (size_t i = 1; i <= LEN; i++, crc /= 62)
		if (body.ptr[body.len - i] != digits[crc % 62])
			return false;
	return true;
}

/* Whether the first four digits and the number of digits are those of an issuer. */
static bool
has_issuer(unsigned first, size_t len)
{
	unsigned two = first / 100, three = first / 10;

	if (two / 10 == 4)
		return len == 13 || len == 16 || len == 19;
	if ((two >= 51 && two <= 55) || (first >= 2221 && first <= 2720))
		return len == 16;
	if (two == 34 || two == 37)
		return len == 15;
	if (two == 36 || two == 38 || two == 39 || (three >= 300 && three <= 305))
		return len == 14;
	if (first >= 3528 && first <= 3589)
		return len >= 16;
	return (first == 6011 || two == 65 || (three >= 644 && three <= 649) || two == 62 ||
		   two == 60) &&
	    len >= 16;
}

bool
check_card(struct str digits)
{
	unsigned sum = 0, first = 0;

	for (size_t i = 0; i < digits.len; i++) {
		unsigned digit = (unsigned)(digits.ptr[i] - '0');
		bool is_doubled = (digits.len - i) % 2 == 0;

		if (i < 4)
			first = 10 * first + digit;
		sum += !is_doubled ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
	}
	return digits.len >= 13 && digits.len <= 19 && sum % 10 == 0 &&
	    has_issuer(first, digits.len);
}

/* The countries and the lengths of their IBANs, by the IBAN registry of SWIFT. */
static const char countries[] =
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29"
    "ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28"
    "LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25"
    "QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30";

static size_t
country_len(const char *code)
{
	for (const char *p = countries; *p != '\0'; p += 4)
		if (p[0] == code[0] && p[1] == code[1])
			return (size_t)(10 * (p[2] - '0') + p[3] - '0');
	return 0;
}

bool
check_iban(struct str text)
{
	unsigned rest = 0;

	if (text.len < 15 || country_len(text.ptr) != text.len)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[(i + 4) % text.len];

		if (alphabet_has(ALPHABET_DIGIT, c))
			rest = (10 * rest + (unsigned)(c - '0')) % 97;
		else
			rest = (100 * rest + (unsigned)(c - 'A' + 10)) % 97;
	}
	return rest == 1;
}

unsigned
check_variety(struct str text)
{
	uint64_t seen[4] = {0};
	unsigned count = 0;

	for (size_t i = 0; i < text.len && i < LOOKED_AT; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		count += (seen[c / 64] >> c % 64 & 1) == 0;
		seen[c / 64] |= UINT64_C(1) << c % 64;
	}
	return count;
}

unsigned
check_kinds(struct str text)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < text.len && i < LOOKED_AT; i++) {
		char c = text.ptr[i];

		if (alphabet_has(ALPHABET_DIGIT, c))
			kinds |= CHECK_HAS_DIGIT;
		else if (alphabet_has(ALPHABET_LOWER, c))
			kinds |= CHECK_HAS_LOWER;
		else if (alphabet_has(ALPHABET_UPPER, c))
			kinds |= CHECK_HAS_UPPER;
		else
			kinds |= CHECK_HAS_OTHER;
	}
	return kinds;
}
