#include "policy/profile/profile_options.h"

#include "base/text/distance.h"

const struct profile_option *
profile_option_find(const struct profile_options *options, struct str name)
{
	for (const struct profile_option *o = options->option; o->name != NULL; o++)
		if (str_eq(str_from(o->name), name))
			return o;
	return NULL;
}

const struct profile_option *
profile_option_near(const struct profile_options *options, struct str name)
{
	for (const struct profile_option *o = options->option; o->name != NULL; o++)
		if (distance_is_slip(name, str_from(o->name)))
			return o;
	return NULL;
}
