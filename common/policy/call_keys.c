#include "policy/call_keys.h"

#include "data/session/call_digest.h"

struct str
call_keys_of(const struct session *t, const struct group *group, struct json_edit *edit)
{
	struct buf json = BUF_INIT;
	struct str kept;

	for (uint32_t i = group->first_call; i < group->first_call + group->calls; i++) {
		buf_add_str(&json, json.len > 0 ? STR(",\"") : STR("[\""));
		call_digest_of(t->call[i].name, t->call[i].arguments, &json);
		buf_add_char(&json, '"');
	}
	buf_add_char(&json, ']');
	kept = json_edit_keep(edit, buf_str(&json));
	buf_free(&json);
	return kept;
}
