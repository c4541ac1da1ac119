#include "stream/process/pipe.h"

#include <fcntl.h>

#include "stream/block.h"

void
pipe_widen(int fd)
{
	int size = fcntl(fd, F_GETPIPE_SZ);

	if (size > 0 && size < BLOCK_SIZE)
		fcntl(fd, F_SETPIPE_SZ, BLOCK_SIZE);
}
