#include "policy/secret/alphabet.h"

#define BIT(name) (1u << ALPHABET_##name)

enum {
	MANY = BIT(WORD) | BIT(DASH) | BIT(DOTTED) | BIT(TOKEN) | BIT(LOCAL) | BIT(URL),
	LETTER = MANY | BIT(ALNUM) | BIT(BASE64) | BIT(HOST),
	CAPITAL = LETTER | BIT(UPPER) | BIT(CODE),
	SMALL = LETTER | BIT(LOWER),
	CAPITAL_HEX = CAPITAL | BIT(HEX),
	SMALL_HEX = SMALL | BIT(HEX),
	DIGIT = LETTER | BIT(DIGIT) | BIT(HEX) | BIT(UPPER) | BIT(LOWER) | BIT(CODE),
};

const uint16_t alphabet_bits[256] = {
    ['0' ... '9'] = DIGIT,
    ['A' ... 'F'] = CAPITAL_HEX,
    ['G' ... 'Z'] = CAPITAL,
    ['a' ... 'f'] = SMALL_HEX,
    ['g' ... 'z'] = SMALL,
    ['_'] = MANY,
    ['-'] = BIT(DASH) | BIT(DOTTED) | BIT(TOKEN) | BIT(LOCAL) | BIT(HOST) | BIT(CODE) | BIT(URL),
    ['.'] = BIT(DOTTED) | BIT(TOKEN) | BIT(LOCAL) | BIT(HOST) | BIT(URL),
    ['+'] = BIT(BASE64) | BIT(TOKEN) | BIT(LOCAL) | BIT(URL),
    ['/'] = BIT(BASE64) | BIT(TOKEN) | BIT(URL),
    ['='] = BIT(BASE64) | BIT(TOKEN) | BIT(URL),
    ['~'] = BIT(TOKEN) | BIT(URL),
    ['@'] = BIT(URL),
    ['%'] = BIT(LOCAL) | BIT(URL),
};
