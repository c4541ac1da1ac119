#ifndef CTX_SHOW_FOLLOW_H
#define CTX_SHOW_FOLLOW_H

/*
 * A file that grows: it is shown again each time that it has changed, by a process of its own, and
 * of its lines those are written that are new, or other ones than before. So a file of any format
 * can be followed, also one that is written anew, and one of which a later record changes an
 * earlier message.
 */

/* Follows the file until a signal ends the program. Returns in the processes that show it, of which
 * standard output is read; ends the program with their status where the first one fails. */
void follow(const char *path);

#endif
