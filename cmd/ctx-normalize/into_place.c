#include "into_place.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "data/message/message.h"
#include "data/message/timestamp.h"
#include "dialects/session_file/session_layout.h"
#include "writer_lock.h"

/* Where agents write the time of a record, or of the newest one. */
static const char *const stamps[] = {
    "timestamp", "lastUpdated", "$set.lastUpdated", "info.time.updated"};

/* Adds the name of the file to the fault. Returns false. */
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

	*place = (struct into_place){.how = in_place_how(&choices->place), .lock = -1};
	diag_set_file(choices->into);
	place->path = choices->into;
	if (!replace_open(&place->replace, choices->into, &place->how, fault) ||
	    !writer_lock_take(place->replace.copy.old.directory, place->replace.copy.old.name,
		&place->lock, fault))
		return name_file(fault, place->path);
	error = file_read_all(place->replace.copy.old.fd, INPUT_LINE_MAX, text);
	buf_pad(text);
	return error == 0 ||
	    fault_set(fault, error == EFBIG ? STATUS_NO_INPUT : status_of_error(error, STATUS_IO),
		"cannot read '%s': %s", place->path, strerror(error));
}

int64_t
into_place_time(struct str line)
{
	struct message message;
	int64_t newest = -1;

	message_parse(&message, line);
	for (size_t i = 0;
	     message.kind != RECORD_BAD && message.kind != RECORD_BLANK && i < ARRAY_COUNT(stamps);
	     i++) {
		int64_t ms = timestamp_read(session_layout_at(message.value, stamps[i]));

		newest = ms > newest ? ms : newest;
	}
	return newest;
}

bool
into_place_may_write(int64_t newest, uint64_t age, struct fault *fault)
{
	int64_t now = (int64_t)time(NULL);

	return newest < 0 || age == 0 ||
	    (now > newest / 1000 && (uint64_t)(now - newest / 1000) >= age) ||
	    fault_set(fault, STATUS_LATER,
		"was written to in the last %ju seconds; try again later", (uintmax_t)age);
}

bool
into_place_is_old(struct into_place *place, struct str text)
{
	int64_t newest = -1;

	while (text.len > 0) {
		int64_t ms = into_place_time(str_take_line(&text));

		newest = ms > newest ? ms : newest;
	}
	return into_place_may_write(newest, place->how.min_age, place->replace.copy.fault) ||
	    name_file(place->replace.copy.fault, place->path);
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
	if (place->lock >= 0)
		close(place->lock);
	diag_set_file(NULL);
}
