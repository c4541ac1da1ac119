#ifndef PROCESS_PIPE_H
#define PROCESS_PIPE_H

/* Enlarges the buffer of a pipe from the usual 64 KB to the size of a block, so that reader and
 * writer wait for each other a quarter as often. Does nothing when fd is no pipe, or when the
 * system does not allow it. */
void pipe_widen(int fd);

#endif
