#include "policy/redact/pointer.h"

#include "json/string.h"

enum { NAME_MAX_SHOWN = 64, DEPTH_MAX_SHOWN = 16 };

static bool
matches(const struct rule_set *rules, struct str name)
{
	struct search_found found;
	bool is_found = false;

	for (unsigned i = 0; i < rules->pattern_count && !is_found; i++)
		is_found = pattern_next(
		    &rules->pattern[i], &found, name.ptr, name.ptr + name.len, true, true);
	return is_found;
}

void
pointer_add(struct buf *path, const struct json_leaves *leaves, const struct rule_set *rules)
{
	for (unsigned i = 0; i < leaves->depth; i++) {
		const struct json_level *level = &leaves->level[i];

		buf_add_char(path, '/');
		if (i == DEPTH_MAX_SHOWN) {
			buf_add_str(path, STR("..."));
			return;
		}
		if (level->is_object) {
			struct buf text = BUF_INIT;

			if (level->name.type == JSON_STRING && level->name.len <= NAME_MAX_SHOWN &&
			    !finder_hints(&rules->finder, json_inner(level->name))) {
				json_decode(level->name, &text);
				if (matches(rules, buf_str(&text)))
					buf_add_char(path, '*');
				else
					json_add_step(path, buf_str(&text));
			} else {
				buf_add_char(path, '*');
			}
			buf_free(&text);
		} else {
			buf_add_fmt(path, "%u", level->index);
		}
	}
}
