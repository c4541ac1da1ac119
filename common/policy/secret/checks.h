#ifndef SECRET_CHECKS_H
#define SECRET_CHECKS_H

/*
 * Checks that distinguish a secret from a text that only begins like one: checksums, and the
 * variety of bytes.
 */

#include "base/str.h"

/* Whether the last six bytes are the CRC-32 of those before, in base 62 (0-9A-Za-z) and padded with
 * zeros: GitHub, "Behind GitHub's new authentication token formats"; npm has the same. */
bool check_base62(struct str body);

/* Whether the digits, 13 to 19, are a payment card's by Luhn's checksum and by the ranges and
 * lengths of issuers (ISO/IEC 7812). */
bool check_card(struct str digits);

/* Whether text, without blanks, is an IBAN: a country's length, and 1 modulo 97 (ISO 13616). */
bool check_iban(struct str text);

/* How many different bytes the text has; only the first 64 bytes are looked at. */
unsigned check_variety(struct str text);

/* The kinds of bytes in the first 64 bytes, as bits. */
enum { CHECK_HAS_DIGIT = 1, CHECK_HAS_LOWER = 2, CHECK_HAS_UPPER = 4, CHECK_HAS_OTHER = 8 };
unsigned check_kinds(struct str text);

#endif
