#include "face/sessions/lanes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text/text.h"
#include "json/string.h"

/* Without the key. */
static size_t
lane_size(const struct lanes *lanes)
{
	const struct command *command = lanes->command;

	return sizeof(struct lane) +
	    (command->session.size_of != NULL ? command->session.size_of(lanes->self) :
						command->session.size);
}

struct lane *
lane_open(struct lanes *lanes, struct json_value key, uint64_t begin)
{
	struct stage *stages[1 + SESSIONS_STAGES] = {NULL}, **first = &stages[1];
	size_t size = lane_size(lanes);
	struct lane *lane = mem_alloc(1, size + key.len + JSON_PADDING);

	memset(lane, 0, size);
	lane->begin = begin;
	lane->key = key;
	lane->key.ptr = (char *)lane + size;
	if (key.len > 0)
		memcpy((char *)lane + size, key.ptr, key.len);
	memset((char *)lane + size + key.len, 0, JSON_PADDING);
	lanes->run->session = json_span(lane->key);
	lanes->command->session.stages(lanes->self, lane->session, first);
	tombstone_init(&lane->tombstone, lanes->forgotten == COMMAND_FORGOTTEN_PASS);
	if (lanes->forgotten != COMMAND_FORGOTTEN_STAY)
		*--first = &lane->tombstone.stage;
	lane->first = first[0] != NULL ? first[0] : lanes->outlet;
	if (lanes->outlet != NULL)
		stage_link(first, lanes->outlet, &lanes->run->fault);
	else
		run_link(lanes->run, first);
	lanes->last = lane;
	return lane;
}

void
lane_fetch(const struct lanes *lanes, const struct lane *lane)
{
	enum { LINE = 64, MOST = 32 * LINE };
	size_t size = lane_size(lanes);

	for (size_t at = 0; at < size && at < MOST; at += LINE)
		__builtin_prefetch((const char *)lane + at, 1);
}

void
lane_label(struct buf *label, struct json_value key, struct buf *scratch)
{
	if (key.type == JSON_STRING)
		text_add_visible(label, json_text(key, scratch));
	else
		buf_add_str(label, json_span(key));
	buf_add_char(label, '\0');
}

static const char *
file_of(const struct lanes *lanes)
{
	return lanes->run->file != NULL ? lanes->run->file->path : NULL;
}

static void
name(struct lanes *lanes, const struct lane *lane)
{
	const char *file = file_of(lanes);

	if (!lanes->has_names)
		return;
	lanes->run->session = json_span(lane->key);
	buf_reset(&lanes->name);
	if (file != NULL)
		buf_add_fmt(&lanes->name, "%s: ", file);
	buf_add_str(&lanes->name, STR("session "));
	lanes->label = lanes->name.len;
	if (lane->key.type != JSON_ABSENT)
		lane_label(&lanes->name, lane->key, &lanes->scratch);
	else
		buf_add(&lanes->name, "without a key", sizeof "without a key");
	diag_set_file(lanes->name.ptr);
}

void
lanes_unname(struct lanes *lanes)
{
	if (!lanes->has_names)
		return;
	lanes->run->session = STR("");
	diag_set_file(file_of(lanes));
}

void
lane_end(struct lanes *lanes, struct lane *lane)
{
	lanes->last = lane;
	name(lanes, lane);
	if (lanes->outlet != NULL)
		stage_end(lane->first);
	else
		run_end(lanes->run);
	if (lanes->command->session.ended != NULL)
		lanes->command->session.ended(lanes->self, lane->session);
}

void
lane_finish(struct lanes *lanes, struct lane *lane)
{
	lanes->last = lane;
	name(lanes, lane);
	if (lanes->command->session.finish != NULL)
		lanes->command->session.finish(lanes->self, lane->session);
	lanes_unname(lanes);
}

void
lane_free(struct lanes *lanes, struct lane *lane)
{
	if (lanes->command->session.free != NULL)
		lanes->command->session.free(lanes->self, lane->session);
	tombstone_free(&lane->tombstone);
	free(lane);
}
