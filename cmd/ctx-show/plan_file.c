#include "plan_file.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/list.h"
#include "data/message/message.h"
#include "json/string.h"

static struct hash
line_key(uint64_t line)
{
	return hash_label(str_of((const char *)&line, sizeof line));
}

/* Reads a line of the plan. Returns false when it is no line of a plan. Added messages have no
 * line. */
static bool
add(struct plan_file *plan, struct str text)
{
	struct buf record = BUF_INIT, action = BUF_INIT;
	struct message message;
	struct json_value line, what;
	bool is_right;

	buf_add_str(&record, text);
	buf_pad(&record);
	message_parse(&message, buf_str(&record));
	line = message.kind != RECORD_BAD ? json_find(message.value, STR("line")) : json_absent;
	what = line.type != JSON_ABSENT ? json_find(message.value, STR("action")) : line;
	is_right = what.type == JSON_STRING;
	if (is_right && line.type == JSON_NUMBER) {
		map_set(&plan->by_line, line_key(json_count(line)), plan->count);
		LIST_ADD(plan->action, plan->count, plan->cap,
		    arena_copy(&plan->arena, json_text(what, &action)));
	}
	buf_free(&record);
	buf_free(&action);
	return is_right;
}

bool
plan_file_read(struct plan_file *plan, const char *path, struct fault *fault)
{
	enum { MOST = 1 << 30 };
	struct buf text = BUF_INIT;
	struct str rest, line;
	size_t number = 0;
	bool is_right = file_read(path, MOST, &text, fault);

	for (rest = buf_str(&text); is_right && rest.len > 0;) {
		line = str_trim(str_take_line(&rest));
		number++;
		if (line.len == 0 || add(plan, line))
			continue;
		is_right = fault_set(fault, STATUS_DATA,
		    "%s:%zu: expected a line of a plan, as ctx-compact --plan writes it", path,
		    number);
	}
	buf_free(&text);
	return is_right;
}

struct str
plan_file_find(const struct plan_file *plan, uint64_t line)
{
	uint64_t index = map_get(&plan->by_line, line_key(line));

	return index != MAP_NONE ? plan->action[index] : STR("");
}

void
plan_file_free(struct plan_file *plan)
{
	free(plan->action);
	map_free(&plan->by_line);
	arena_free(&plan->arena);
}
