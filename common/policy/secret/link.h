#ifndef SECRET_LINK_H
#define SECRET_LINK_H

/*
 * The link between a name that asks for a secret and its value. Each row of a table is a form; the
 * weaker the form, the stricter the test of the value:
 *
 *     NAME=V   "NAME": "V"   **NAME:** V     a sign: V looks like a value
 *     --NAME V                               an option: so too
 *     <NAME>V</NAME>                         an element: as if V were in quotes
 *     name: NAME, value: V                   so too, as with a sign
 *     NAME is V   NAME for x: V   `NAME` `V` prose: V looks drawn at random
 */

#include "policy/secret/secret.h"

/* A name in a text. start is the beginning of the word that asks for a secret; other words of the
 * name may be before it. */
struct link_name {
	const char *start, *end;
	bool is_capital; /* as a name of an environment is */
};

/* The rows that are asked for by name, and how many there are: that of a sign, of an option. */
enum { LINK_SIGN, LINK_OPTION = 2, LINK_ROWS = 8 };

/* Where the value is by that row, perhaps in quotes; NULL when the name has no such link. Sets the
 * sign before it, and how it is written as far as the name says. */
const char *link_pass(const struct search *text, const struct link_name *name, unsigned row,
    char *sign, enum secret_style *style);

/* Sets *value to the value that the row links. Returns false when there is none. */
bool link_take(struct search *text, const struct link_name *name, unsigned row,
    enum secret_style *style, struct str *value);

/* Whether a row may link a value to a name that ends at p, in JSON text that is not decoded: false
 * is certain. Reads up to 32 bytes. */
bool link_hint(const char *p);

#endif
