#ifndef SECRET_ALPHABET_H
#define SECRET_ALPHABET_H

/*
 * The sets of bytes that secrets are spelled in.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte.h"

#define ALPHABETS(X) \
	X(DIGIT, "0-9") \
	X(HEX, "0-9A-Fa-f") \
	X(UPPER, "0-9A-Z") \
	X(LOWER, "0-9a-z") \
	X(ALNUM, "0-9A-Za-z") \
	X(WORD, "0-9A-Za-z_") \
	X(DASH, "0-9A-Za-z_-") \
	X(BASE64, "0-9A-Za-z+/=") \
	X(DOTTED, "0-9A-Za-z_.-") \
	X(TOKEN, "0-9A-Za-z_.~+/=-") \
	X(LOCAL, "0-9A-Za-z_.%+-") \
	X(HOST, "0-9A-Za-z.-") \
	X(CODE, "0-9A-Z-") \
	X(URL, "0-9A-Za-z_.~+/=@%-")

#define ALPHABET_NAME(name, bytes) ALPHABET_##name,
enum alphabet { ALPHABETS(ALPHABET_NAME) ALPHABET_COUNT };
#undef ALPHABET_NAME

/* For each byte the alphabets that have it, bit by bit. */
extern const uint16_t alphabet_bits[256];

static inline bool
alphabet_has(enum alphabet alphabet, char c)
{
	return (alphabet_bits[(unsigned char)c] >> alphabet & 1) != 0;
}

#endif
