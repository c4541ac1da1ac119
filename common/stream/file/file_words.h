#ifndef FILE_FILE_WORDS_H
#define FILE_FILE_WORDS_H

/* Words in a file, which is looked through before it is read. */

#include <stdbool.h>

enum { FILE_WORDS_MAX = 64 }; /* bytes of a word */

/* Whether one of the words, a list ended by NULL, may be in the file, or in the standard input
 * where path is "-". It may be wherever that is no regular file, or cannot be read. The place where
 * the file is read stays. */
bool file_words_may_be_in(const char *path, const char *const *words);

#endif
