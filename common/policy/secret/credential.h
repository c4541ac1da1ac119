#ifndef SECRET_CREDENTIAL_H
#define SECRET_CREDENTIAL_H

/*
 * Secrets in HTTP: after the scheme of an Authorization header, in cookies, and as the user in a
 * URL.
 *
 *     Basic ...     Bearer ...     theme=dark; sid=...     ://admin:...@db
 *
 * Hints as in policy/secret/token.h.
 */

#include "policy/redact/search.h"

/* The value after the scheme of an Authorization header. */
bool credential_match_header(struct search *text, const char *p, struct search_found *found);

/* The cookies at p: from the first value that looks like a secret to the end of the last one that
 * does. A text is walked once: the first look covers all names in it. */
bool credential_match_cookies(struct search *text, const char *p, struct search_found *found);

/* Whether the value is base64 of a user and a password, as Docker and npm keep them. */
bool credential_is_pair(struct str value);

/* "bearer" and what follows it, without a header. */
bool credential_hint_bearer(const char *p);
bool credential_match_bearer(struct search *text, const char *p, struct search_found *found);

/* p is at "://". */
bool credential_hint_url(const char *p);
bool credential_match_url(struct search *text, const char *p, struct search_found *found);

#endif
