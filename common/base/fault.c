#include "base/fault.h"

#include <stdarg.h>

bool
fault_set(struct fault *fault, enum status status, const char *format, ...)
{
	va_list args;

	if (fault_is_set(fault))
		return false;
	fault->status = status;
	va_start(args, format);
	buf_add_args(&fault->text, format, args);
	va_end(args);
	return false;
}

void
fault_free(struct fault *fault)
{
	buf_free(&fault->text);
	fault->status = STATUS_OK;
}
