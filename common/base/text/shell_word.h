#ifndef TEXT_SHELL_WORD_H
#define TEXT_SHELL_WORD_H

/*
 * Words as a shell quotes them. Nothing is expanded:
 *
 *     a 'b c' "d \" e" f\ g      four words
 *     # to the end               a comment, where a word would begin
 *     | & ; < > ( ) $ `          mean something to a shell, and must be quoted
 */

#include "base/buf.h"

/*
 * Takes the next word of the line from *at on, without its quotes, and puts it into word, with a
 * NUL behind it. *is_there is false when there is none. Moves *at behind the word. Returns NULL, or
 * what is wrong with the byte at *at.
 */
const char *shell_word_take(struct str line, size_t *at, struct buf *word, bool *is_there);

/* Appends the word, quoted where a shell would not read it as it is. */
void shell_word_add(struct buf *buf, const char *word);

/* The same for a file, so that a name which begins with '-' is no option. */
void shell_word_add_file(struct buf *buf, const char *path);

/* The same for the first word of a command, which could be an assignment or a word of the shell's
 * grammar, too. */
void shell_word_add_command(struct buf *buf, const char *word);

#endif
