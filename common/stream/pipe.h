#ifndef STREAM_PIPE_H
#define STREAM_PIPE_H

/* Lets a pipe hold a block: reader and writer then take turns a quarter as often as with the usual
 * 64 KB. Nothing happens to what is no pipe, or may not grow. */
void pipe_widen(int fd);

#endif
