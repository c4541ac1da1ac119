#ifndef CTX_SHOW_FOLLOW_H
#define CTX_SHOW_FOLLOW_H

/*
 * Follows a growing file: after each change, a new process shows the file again, and only those
 * lines are written that are new or differ from before. So a file of any format can be followed,
 * even if it is rewritten, or if a later record changes an earlier message.
 */

/* Follows the file until a signal ends the program. Returns only in the processes that show the
 * file, whose standard output is read. If the first of them fails, ends the program with its
 * status. */
void follow(const char *path);

#endif
