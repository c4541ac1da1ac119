#ifndef SECRET_TOKEN_H
#define SECRET_TOKEN_H

/*
 * Secrets that are recognized by their own bytes: tokens of the table of shapes, JSON Web Tokens,
 * and private keys in PEM.
 *
 * Each kind has a hint and a match. A hint is cheap and never wrong when it says no: it may also be
 * asked about JSON text that is not decoded, and reads up to 48 bytes from p on.
 */

#include "policy/secret/shapes.h"
#include "policy/redact/search.h"

bool token_hint_shape(const struct shape *shape, const char *p);
bool token_match_shape(
    struct search *text, const char *p, const struct shape *shape, struct search_found *found);

bool token_hint_jwt(const char *p);
bool token_match_jwt(struct search *text, const char *p, struct search_found *found);

/* Whether the whole value is such a token, which is named by its own rule. */
bool token_is_whole(struct search *text, struct str value);

/* A block from its BEGIN line to its END line, with any text of at most 64 kB between them. Of a
 * block without its end, the bytes that look like its lines: words of base64 of 40 bytes, or of 24
 * that look drawn at random, with what parts them, and a last short line. */
bool token_hint_pem(const char *p);
bool token_match_pem(struct search *text, const char *p, struct search_found *found);

/* The private part of a key of PuTTY: at p is a number, and so many lines of base64 follow. */
bool token_match_lines(struct search *text, const char *p, struct search_found *found);

/* How often, in the first 64 bytes, one of these three kinds follows another: digits, small and
 * capital letters. Other bytes are passed over. */
size_t token_changes(struct str value);

/* Whether a value looks drawn at random: bytes of two kinds of digits, small and capital letters;
 * if is_mixed, of three, or often changing between two. */
bool token_is_random(struct str value, bool is_mixed);

#endif
