#ifndef TEXT_PLACEHOLDER_H
#define TEXT_PLACEHOLDER_H

/*
 * The template of a placeholder, the text that replaces a result. Words in braces are replaced by
 * properties of the result.
 *
 *     [{tool} {target}: {outcome}, {bytes}]        [read a.c: ok, 9 kB]
 *
 *     {tool}     the name of the tool        {bytes}    the size of the text, such as 9 kB
 *     {target}   what it was called on       {tokens}   the tokens of the message
 *     {outcome}  ok or error                 {archive}  the command that brings the text back,
 *                                                       where the text is archived
 *
 * "{{" is a brace, and "}" without a word is itself.
 */

#include "policy/budget/weigh.h"

/* The words that there are, for a diagnostic. */
#define PLACEHOLDER_WORDS "{tool}, {target}, {outcome}, {bytes}, {tokens} or {archive}"

/* Sets *wrong to the first brace of the template that begins no word, up to its closing brace, if
 * it has one. Returns whether there is none. */
bool placeholder_check(struct str template, struct str *wrong);

/* Whether {archive} is a word of the template, which must have been checked. */
bool placeholder_names_archive(struct str template);

/* Appends the placeholder of the result of a call, whose parsed message is at hand. The template
 * must have been checked. */
void placeholder_write(struct str template, struct session *session, uint32_t entry,
    const struct message *message, struct estimator *estimator, struct buf *buf);

#endif
