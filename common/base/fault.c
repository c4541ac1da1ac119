#include "base/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

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

bool
fault_set_error(struct fault *fault, enum status status, const char *format, ...)
{
	const char *what = strerror(errno);
	struct buf text = BUF_INIT;
	va_list args;

	status = status_of_error(errno, status);
	va_start(args, format);
	buf_add_args(&text, format, args);
	va_end(args);
	fault_set(fault, status, "%.*s: %s", STR_ARG(buf_str(&text)), what);
	buf_free(&text);
	return false;
}

void
fault_free(struct fault *fault)
{
	buf_free(&fault->text);
	fault->status = STATUS_OK;
}
