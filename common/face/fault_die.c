#include "face/fault_die.h"

#include "base/diag.h"

void
fault_die(const struct fault *fault)
{
	diag_die(fault->status, "%.*s", STR_ARG(buf_str(&fault->text)));
}
