#include "data/stream_session.h"

#include "data/line_id.h"

bool
stream_session_is_store(struct json_value record)
{
	struct json_value metadata = json_find(record, STR("metadata"));

	return json_find(metadata, STR("x_instructor")).type == JSON_OBJECT;
}

static bool
is_none(struct hash name)
{
	return name.a == 0 && name.b == 0;
}

bool
stream_session_parts(
    struct stream_session *session, const struct record *record, const struct message *message)
{
	struct json_value id = message->meta[METADATA_SESSION_ID];
	struct stream_session before = *session;
	bool is_marked = record->begins ||
	    (message->kind == RECORD_CONTEXT && stream_session_is_store(message->value));

	session->has_begun = true;
	if (is_marked)
		*session = (struct stream_session){.has_begun = true, .is_marked = true};
	if (record->session != NULL)
		id = *record->session;
	if (record->session != NULL || line_id_is(id))
		session->name = hash_bytes(json_span(id), hash_seed(HASH_SESSION));
	if (is_marked || is_none(session->name))
		return is_marked && before.has_begun;
	if (is_none(before.name))
		return before.has_begun && !before.is_marked && record->session == NULL;
	return !hash_eq(before.name, session->name);
}
