#include "dialects/dialect_reader.h"

#include "dialects/request/chat.h"
#include "dialects/rows/row_reader.h"

struct dialect_stage *
dialect_reader_open(const struct dialect *dialect, struct dialect_reading *reading)
{
	if (dialect->reader != NULL)
		return dialect->reader(reading);
	if (dialect->rows != NULL)
		return row_reader(dialect->rows, reading);
	return chat_reader(reading, dialect);
}
