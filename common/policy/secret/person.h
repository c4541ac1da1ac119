#ifndef SECRET_PERSON_H
#define SECRET_PERSON_H

/*
 * Personal data: e-mail addresses, phone numbers, payment cards, IBANs. Hints as in
 * policy/secret/token.h.
 */

#include "policy/redact/search.h"

/* p is at "@". */
bool person_hint_email(const char *p);
bool person_match_email(struct search *text, const char *p, struct search_found *found);

/* +49 30 1234567, (212) 555-0123, 212-555-0123 */
bool person_hint_phone(const char *p);
bool person_match_phone(struct search *text, const char *p, struct search_found *found);

/* The digits of a card in one row, or parted as cards are by blanks or hyphens. */
bool person_hint_card(const char *p);
bool person_match_card(struct search *text, const char *p, struct search_found *found);

/* In one row, or in groups of four. */
bool person_hint_iban(const char *p);
bool person_match_iban(struct search *text, const char *p, struct search_found *found);

#endif
