#ifndef TEXT_SHELL_WORD_H
#define TEXT_SHELL_WORD_H

/*
 * Words with the quotes of a shell. Nothing is expanded:
 *
 *     a 'b c' "d \" e" f\ g      four words
 *     # to the end               a comment, if '#' is where a word would begin
 *     | & ; < > ( ) $ `          have a meaning for a shell, and must be quoted
 */

#include "base/buf.h"

/*
 * Reads the next word of the line, from offset *at on, into word, without its quotes and with a NUL
 * after it. *is_there is set to false when there is no word. Moves *at to the end of the word.
 * Returns NULL, or a phrase that says what is wrong with the byte at *at.
 */
const char *shell_word_take(struct str line, size_t *at, struct buf *word, bool *is_there);

/* Appends the word, in quotes if a shell needs them to read it as this word. */
void shell_word_add(struct buf *buf, const char *word);

/* The same for a path. A path that begins with '-' is written so that it is not taken for an
 * option. */
void shell_word_add_file(struct buf *buf, const char *path);

/* The same for the first word of a command. It is also quoted if a shell could take it for an
 * assignment or for a word of the shell's grammar. */
void shell_word_add_command(struct buf *buf, const char *word);

#endif
