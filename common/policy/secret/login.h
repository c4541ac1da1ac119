#ifndef SECRET_LOGIN_H
#define SECRET_LOGIN_H

/*
 * Passwords and cookies that have no name before them, but a place: on the command line of a
 * program, and in .netrc. Each function looks at what follows the word, at p, and sets *secret to
 * the password.
 *
 *     curl -u ann:... -b sid=...     mysql -u ann -p...
 *     machine harbour.example login ann password ...
 *
 * A command line is looked at to its end, or to where the word comes again, so that a text that
 * repeats the word is walked once.
 */

#include "policy/redact/search.h"

/* The password of a user, of an option such as curl's -u and --proxy-user. A name without a
 * password may be a key. */
bool login_match_user(struct search *text, const char *p, struct str word, struct str *secret);

/* The cookies that are the argument of the option -b, as credential_match_cookies finds them. */
bool login_match_cookies(
    struct search *text, const char *p, struct str word, struct search_found *found);

/* The password that is part of the option -p; one that is asked for has none. */
bool login_match_option(struct search *text, const char *p, struct str word, struct str *secret);

/* The password of a machine in .netrc. */
bool login_match_machine(const struct search *text, const char *p, struct str *secret);

#endif
