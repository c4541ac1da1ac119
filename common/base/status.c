#include "base/status.h"

#include <errno.h>
#include <stddef.h>

#include "base/array_count.h"

const char *
status_text(enum status status, const char *no)
{
	switch (status) {
	case STATUS_OK:
		return "all was done";
	case STATUS_NO:
		return no;
	case STATUS_USAGE:
		return "the command line is wrong";
	case STATUS_DATA:
		return "there were bad lines, or there was no message";
	case STATUS_NO_INPUT:
		return "a file is missing or cannot be read";
	case STATUS_UNAVAILABLE:
		return "a command that an option names failed";
	case STATUS_INVARIANT:
		return "an invariant did not hold, and nothing was written";
	case STATUS_OS:
		return "out of memory, or another limit of the system";
	case STATUS_CANT_CREATE:
		return "an output file cannot be created";
	case STATUS_IO:
		return "reading or writing failed";
	case STATUS_LATER:
		return "a file is locked, in use or changed meanwhile, or a command says not now";
	case STATUS_CONFIG:
		return "a vocabulary, profile, table or prompt is malformed";
	case STATUS_PIPE:
		break;
	}
	return "the reader left";
}

enum status
status_worse(enum status a, enum status b)
{
	/* From the weakest. A file that is in use heals by itself, and one that is missing does
	 * not. */
	static const enum status order[] = {STATUS_OK, STATUS_DATA, STATUS_NO, STATUS_UNAVAILABLE,
	    STATUS_LATER, STATUS_NO_INPUT, STATUS_USAGE, STATUS_CONFIG, STATUS_INVARIANT, STATUS_OS,
	    STATUS_CANT_CREATE, STATUS_IO};
	size_t rank_a = 0, rank_b = 0;

	for (size_t i = 0; i < ARRAY_COUNT(order); i++) {
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
