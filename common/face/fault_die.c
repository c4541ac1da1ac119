#include "face/fault_die.h"

#include <signal.h>
#include <stdlib.h>

#include "base/diag.h"

void
fault_die(const struct fault *fault)
{
	if (fault->status == STATUS_PIPE) {
		raise(SIGPIPE);
		exit(STATUS_PIPE); /* where the signal is ignored */
	}
	diag_die(fault->status, "%.*s", STR_ARG(buf_str(&fault->text)));
}
