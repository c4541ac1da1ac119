#include "base/status.h"

#include <errno.h>
#include <stddef.h>

enum status
status_worse(enum status a, enum status b)
{
	/* From the weakest. Other statuses end the program at once, so they are never compared. */
	static const enum status order[] = {STATUS_OK, STATUS_DATA, STATUS_NO, STATUS_UNAVAILABLE,
	    STATUS_INVARIANT, STATUS_OS, STATUS_CANT_CREATE, STATUS_IO};
	size_t rank_a = 0, rank_b = 0;

	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if (order[i] == a)
			rank_a = i;
		if (order[i] == b)
			rank_b = i;
	}
	return rank_a >= rank_b ? a : b;
}

enum status
status_of_error(int error, enum status otherwise)
{
	switch (error) {
	case ENOMEM:
	case EAGAIN:
	case EMFILE:
	case ENFILE:
		return STATUS_OS;
	default:
		return otherwise;
	}
}
