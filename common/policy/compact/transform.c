#include "policy/compact/transform.h"

#define ROW(name, variable) &variable,

const struct transform *const transform_table[] = {TRANSFORM_TABLE(ROW) NULL};

const struct transform *
transform_find(struct str name)
{
	const struct transform *const *row = transform_table;

	while (*row != NULL && !str_eq((*row)->name, name))
		row++;
	return *row;
}

bool
transform_is_in(const struct transform *transform, const struct transform *const *pipeline)
{
	while (*pipeline != NULL && *pipeline != transform)
		pipeline++;
	return *pipeline != NULL;
}
