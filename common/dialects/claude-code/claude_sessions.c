#include "dialects/claude-code/claude_sessions.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"

static struct hash
key_of(struct claude_sessions *sessions, struct json_value string)
{
	return hash_bytes(json_text(string, &sessions->scratch), hash_seed(HASH_MESSAGE_ID));
}

static struct claude_session *
find(struct claude_sessions *sessions, const struct map *map, struct json_value key)
{
	uint64_t found = MAP_NONE;

	if (key.type == JSON_STRING)
		found = map_get(map, key_of(sessions, key));
	return found == MAP_NONE ? NULL : sessions->list[found];
}

static struct claude_session *
add(struct claude_sessions *sessions)
{
	struct claude_session *session = mem_alloc(1, sizeof *session);

	*session = (struct claude_session){.thread = CLAUDE_THREAD_INIT,
	    .index = sessions->count,
	    .prompt = CLAUDE_TREE_NONE,
	    .leaf = CLAUDE_TREE_NONE};
	LIST_ROOM(sessions->list, sessions->count, sessions->cap);
	sessions->list[sessions->count++] = session;
	return session;
}

/* The session of a line by its own uuid or that of its parent, where the name tells none. */
static struct claude_session *
find_linked(struct claude_sessions *sessions, const struct claude_place *place)
{
	struct claude_session *session = find(sessions, &sessions->by_uuid, place->uuid);

	return session != NULL ? session : find(sessions, &sessions->by_uuid, place->parent);
}

static struct claude_session *
find_session(struct claude_sessions *sessions, const struct claude_place *place)
{
	struct claude_session *current = claude_sessions_at(sessions, place->file);
	struct claude_session *session = NULL;

	if (place->name.type == JSON_STRING)
		session = find(sessions, &sessions->by_name, place->name);
	else if (current != NULL)
		session = current;
	if (session == NULL)
		session = find_linked(sessions, place);
	if (session == NULL && current != NULL && !current->is_named)
		session = current;
	return session != NULL ? session : add(sessions);
}

struct claude_session *
claude_sessions_find(struct claude_sessions *sessions, const struct claude_place *place)
{
	struct claude_session *session = find_session(sessions, place);

	if (place->name.type == JSON_STRING) {
		session->is_named = true;
		map_set(&sessions->by_name, key_of(sessions, place->name), session->index);
	}
	if (place->uuid.type == JSON_STRING)
		map_set(&sessions->by_uuid, key_of(sessions, place->uuid), session->index);
	sessions->current = session;
	sessions->file = place->file;
	return session;
}

struct claude_session *
claude_sessions_at(const struct claude_sessions *sessions, const char *file)
{
	return sessions->file == file ? sessions->current : NULL;
}

void
claude_sessions_free(struct claude_sessions *sessions)
{
	for (uint32_t i = 0; i < sessions->count; i++) {
		free(sessions->list[i]->called);
		free(sessions->list[i]);
	}
	free(sessions->list);
	map_free(&sessions->by_name);
	map_free(&sessions->by_uuid);
	buf_free(&sessions->scratch);
}
