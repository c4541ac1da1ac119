#ifndef SECRET_PROSE_H
#define SECRET_PROSE_H

/*
 * Whether a value is made of words, as the names in a program and prose are, or looks drawn at
 * random. Of the 676 pairs of letters 300 make up 99 % of those in words, and 44 % of those in
 * random text; a digit beside a letter is as rare in words as it is common in random text.
 */

#include "base/str.h"

/* Whether a value may be words, parted by other bytes, or by capitals, perhaps with numbers. Of
 * texts of small letters and digits that are drawn at random 98 in 100 are none with 8 bytes, and
 * 997 in 1,000 with 12. The first 64 bytes are looked at. */
bool prose_is(struct str value);

/* Whether a value is a hash in hexadecimal, of 32 bytes or more, or a UUID. */
bool prose_is_hash(struct str value);

#endif
