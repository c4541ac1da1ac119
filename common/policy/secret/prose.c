#include "policy/secret/prose.h"

#include "policy/secret/alphabet.h"

/* For each letter those that follow it in words: the 300 most frequent pairs in pages, names in
 * programs and transcripts of agents. */
static const char *const followers[26] = {
    /* a */ "bcdfgiklmnprstuvwxy",
    /* b */ "aeijlorsuy",
    /* c */ "acehiklmorstuy",
    /* d */ "adegilorsuy",
    /* e */ "abcdefghilmnopqrstvwxy",
    /* f */ "aefilorstu",
    /* g */ "aeghilnoprsu",
    /* h */ "aeiorstu",
    /* i */ "abcdefgklmnoprstvxz",
    /* j */ "eosu",
    /* k */ "eins",
    /* l */ "adefiklopstuvy",
    /* m */ "abceimopsu",
    /* n */ "acdefgijklmnoprstuvy",
    /* o */ "abcdefgiklmnoprstuvw",
    /* p */ "aehiloprstuy",
    /* q */ "u",
    /* r */ "abcdegiklmnorstuvy",
    /* s */ "acefhiklmopstuwy",
    /* t */ "acdefhiloprstuwy",
    /* u */ "abcdefgilmnoprst",
    /* v */ "aeio",
    /* w */ "aehinors",
    /* x */ "aeipt",
    /* y */ "empst",
    /* z */ "ei",
};

enum { LOOKED_AT = 64, COMMON = -2, RARE = 6, BESIDE_DIGIT = 4, NEW_WORD = 2 };

/* How much more two neighbours are of random text than of words. */
static int
weigh(char a, char b)
{
	if (!alphabet_has(ALPHABET_ALNUM, a) || !alphabet_has(ALPHABET_ALNUM, b) ||
	    (byte_is_digit(a) && byte_is_digit(b)))
		return 0;
	if (byte_is_digit(a) || byte_is_digit(b))
		return BESIDE_DIGIT;
	if (!byte_is_upper(a) && byte_is_upper(b))
		return NEW_WORD;
	return strchr(followers[(a | 0x20) - 'a'], b | 0x20) != NULL ? COMMON : RARE;
}

bool
prose_is(struct str value)
{
	int sum = 0;

	for (size_t i = 1; i < value.len && i < LOOKED_AT; i++)
		sum += weigh(value.ptr[i - 1], value.ptr[i]);
	return sum <= 0;
}

bool
prose_is_hash(struct str value)
{
	enum { HASH_MIN = 32, UUID = 36 };

	if (value.len == UUID)
		return str_is_uuid(value);
	for (size_t i = 0; i < value.len; i++)
		if (!alphabet_has(ALPHABET_HEX, value.ptr[i]))
			return false;
	return value.len >= HASH_MIN;
}
