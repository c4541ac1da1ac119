#ifndef PROCESS_PIPE_H
#define PROCESS_PIPE_H

/* Lets a pipe hold a whole block instead of the usual 64 KB, so that reader and writer take turns a
 * quarter as often. Does nothing when fd is no pipe, or when the pipe may not grow. */
void pipe_widen(int fd);

#endif
