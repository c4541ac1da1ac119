#include "into_place.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"

enum { AGE_MIN = 60 }; /* seconds */

/* Says of which file the fault is. Returns false. */
static bool
name_file(struct fault *fault, const char *path)
{
	struct buf text = fault->text;

	fault->text = (struct buf)BUF_INIT;
	buf_add_fmt(&fault->text, "%s: %.*s", path, STR_ARG(buf_str(&text)));
	buf_free(&text);
	return false;
}

bool
into_place_open(
    struct into_place *place, const struct choices *choices, struct buf *text, struct fault *fault)
{
	int error;

	*place = (struct into_place){.how = in_place_how(&choices->place)};
	if (!place->how.has_min_age) {
		place->how.has_min_age = true;
		place->how.min_age = AGE_MIN;
	}
	diag_set_file(choices->into);
	place->path = choices->into;
	if (!replace_open(&place->replace, choices->into, &place->how, fault))
		return name_file(fault, place->path);
	error = file_read_all(place->replace.copy.old.fd, INPUT_LINE_MAX, text);
	buf_pad(text);
	return error == 0 ||
	    fault_set(fault, error == EFBIG ? STATUS_NO_INPUT : status_of_error(error, STATUS_IO),
		"cannot read '%s': %s", place->path, strerror(error));
}

void
into_place_write(struct into_place *place, struct str old, struct str new)
{
	struct output out;

	output_init(&out, -1, "the new file", place->replace.copy.fault);
	out.filter = &place->replace.copy.filter;
	output_add(&out, new);
	output_close(&out);
	hash_stream_add(&place->replace.sum, old);
	if (!replace_commit(&place->replace, old.len, !str_has_suffix(old, STR("\n"))))
		name_file(place->replace.copy.fault, place->path);
}

void
into_place_close(struct into_place *place)
{
	replace_close(&place->replace);
	diag_set_file(NULL);
}
