#include "dialects/parts/growth.h"

#include "base/hash/map.h"
#include "dialects/dialect.h"
#include "json/write.h"

bool
growth_may_compare(uint64_t compared, uint64_t records)
{
	enum { TIMES = 16, FREE = 4096 };

	return compared / TIMES <= FREE + records;
}

void
growth_name(struct joiner *joiner, struct draft *draft, struct str session, const char *format)
{
	struct buf *id = &joiner->scratch;

	if (draft_id(draft).type != JSON_ABSENT)
		return;
	if (session.len <= 2 || *session.ptr != '"')
		session = str_from(format);
	else
		session = str_of(session.ptr + 1, session.len - 2);
	buf_reset(id);
	buf_add_fmt(id, "\"%.*s-%ju\"", STR_ARG(session), (uintmax_t)++joiner->named);
	draft_meta(draft, STR("id"), buf_str(id));
}

void
growth_bury(struct joiner *joiner, const struct line *line, struct str session)
{
	const struct joiner_session *of = joiner->taken_of;
	const struct json_value *name =
	    of != NULL && of->name.type == JSON_STRING ? &of->name : NULL;
	struct buf *text = &joiner->scratch;
	struct json_writer w;

	if (joiner->taken.len == 0)
		return;
	if (name != NULL)
		session = json_span(*name);
	buf_reset(text);
	json_begin(&w, text, '{');
	json_member_string(&w, STR("role"), role_name(ROLE_SYSTEM));
	json_member_string(&w, STR("content"), STR(""));
	json_member_open(&w, STR("metadata"), '{');
	if (session.len > 0)
		json_member_raw(&w, STR("session_id"), session);
	json_member_open(&w, STR("forgets"), '[');
	json_put_raw(&w, buf_str(&joiner->taken));
	json_close(&w);
	json_close(&w);
	json_close(&w);
	buf_reset(&joiner->taken);
	dialect_emit_of(joiner->stage, line, text, name, 0, NULL);
}

/* The messages to be sent, and links between those that are taken back together. */
struct view {
	const struct growth_list *sent;
	struct map calls, results; /* where each call, and the result of each, is first */
	struct map ids;            /* and where each id is */
	size_t stays;              /* number of first messages that were sent, and stay */
	size_t followed;           /* bytes of joiner->lost that were read */
};

static struct hash
id_key(const struct joined *joined)
{
	return hash_bytes(buf_str(&joined->id), hash_seed(HASH_MESSAGE_ID));
}

static void
map_sent(struct view *view)
{
	for (size_t i = view->sent->count; i-- > 0;) {
		const struct joined *joined = view->sent->list[i];
		const struct hash *key = (const struct hash *)joined->calls.ptr;
		struct map *map = joined->is_result ? &view->results : &view->calls;

		if (joined->sent && joined->id.len > 0)
			map_set(&view->ids, id_key(joined), i);
		for (size_t k = 0; k < joined->calls.len / sizeof *key; k++)
			map_set(map, key[k], i);
	}
}

static void
stay_before(struct view *view, uint64_t at)
{
	if (at < view->stays)
		view->stays = at;
}

/* A tombstone takes whole groups: a result that is taken back takes its call with it, and a call
 * its result. Only messages before both stay. */
static void
follow_lost(struct view *view, const struct joiner *joiner)
{
	const struct joiner_lost *lost;
	uint64_t at;

	for (; view->followed < joiner->lost.len; view->followed += sizeof *lost) {
		lost = (const struct joiner_lost *)(joiner->lost.ptr + view->followed);
		at = map_get(lost->is_result ? &view->calls : &view->results, lost->call);
		stay_before(view, at);
	}
}

/* A message of another session than those before gets another tombstone. Messages with the same id
 * are taken back with it. */
static void
add_taken(struct view *view, struct joiner *joiner, struct joined *joined, const struct line *line)
{
	uint64_t at = joined->sent ? map_get(&view->ids, id_key(joined)) : MAP_NONE;

	stay_before(view, at);
	if (joined->session != joiner->taken_of)
		growth_bury(joiner, line, STR(""));
	joiner->taken_of = joined->session;
	joiner_take_back(joiner, joined);
}

static void
take_back(struct joiner *joiner, const struct growth_list *sent, const struct growth_list *left,
    const struct line *line)
{
	struct view view = {.sent = sent, .calls = MAP_INIT, .results = MAP_INIT, .ids = MAP_INIT};
	size_t end = sent->count;

	while (view.stays < end && sent->list[view.stays]->sent)
		view.stays++;
	map_sent(&view);
	for (size_t i = 0; i < left->count; i++)
		add_taken(&view, joiner, left->list[i], line);
	for (follow_lost(&view, joiner); end > view.stays; follow_lost(&view, joiner))
		add_taken(&view, joiner, sent->list[--end], line);
	buf_reset(&joiner->lost);
	map_free(&view.calls);
	map_free(&view.results);
	map_free(&view.ids);
}

void
growth_turn(struct joiner *joiner, const struct growth_list *sent, const struct growth_list *left,
    const struct line *line, struct str session)
{
	take_back(joiner, sent, left, line);
	growth_bury(joiner, line, session);
	for (size_t i = 0; i < sent->count; i++) {
		struct joined *joined = sent->list[i];

		if (joined->draft != NULL && !joined->is_shown)
			break;
		if (!joined->sent)
			joiner_send(joiner, joined);
	}
}
