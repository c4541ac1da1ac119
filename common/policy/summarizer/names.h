#ifndef POLICY_SUMMARIZER_NAMES_H
#define POLICY_SUMMARIZER_NAMES_H

/*
 * The names in a text that the next step may refer to and could not write from memory.
 *
 *     path          src/a.c  ./run  /etc/hosts  a.c
 *     identifier    snake_case  camelCase  PascalCase  dotted.name
 *     flag          --keep-turns
 *     number        404  1.2.3  TS2345  deadbee1
 *
 * A name has 4 to 120 bytes, a number 3 or more. Names are ASCII, so that they are found in JSON
 * text without decoding, at any depth of nesting: an escape separates names.
 */

#include "base/str.h"

/* Calls found for the names of the text, in order, until found returns false. */
void names_of_text(struct str text, bool (*found)(void *context, struct str name), void *context);

#endif
