#ifndef SECRET_ASSIGNMENT_H
#define SECRET_ASSIGNMENT_H

/*
 * Secrets that are recognized by a word before them: a name and "=" or ":", a header, a command.
 * Only the value is found.
 *
 *     GITHUB_TOKEN=...   "client_secret": "..."   password: ...   Authorization: Bearer ...
 *     Cookie: sid=...    curl -u ann:...
 *
 * Hints as in policy/secret/token.h.
 */

#include "policy/redact/search.h"

/* What follows a word, and where the secret in it is. */
enum assignment_form {
	ASSIGNMENT_VALUE,  /* names end with the word: the value is the secret */
	ASSIGNMENT_KEY,    /* so too, of names in which "key" follows the word */
	ASSIGNMENT_HEADER, /* a scheme and the secret */
	ASSIGNMENT_COOKIE, /* names and values: those of cookies */
	ASSIGNMENT_PAIR,   /* a user and a password in base64 */
	ASSIGNMENT_LINES,  /* a number, and so many lines of a key */
	/* The word is no name: policy/secret/login.h. */
	ASSIGNMENT_USER,
	ASSIGNMENT_COOKIE_OPTION,
	ASSIGNMENT_OPTION,
	ASSIGNMENT_MACHINE,
};

struct assignment_word {
	struct str word; /* small letters */
	enum rule rule;
	enum assignment_form form;
};

enum { ASSIGNMENT_WORDS_MAX = 64 };

extern const struct assignment_word assignment_words[];
extern const unsigned assignment_word_count;

bool assignment_hint_word(const struct assignment_word *word, const char *p);
bool assignment_match_word(struct search *text, const char *p, const struct assignment_word *word,
    struct search_found *found);

/* Whether the value of a member of that name is a secret, or has one: after the scheme of an
 * Authorization header, or in cookies. Name and value are decoded texts. */
bool assignment_match_member(struct str name, struct str value, struct search_found *found);

#endif
