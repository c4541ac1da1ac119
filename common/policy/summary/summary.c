#include "policy/summary/summary.h"

#include "base/number.h"
#include "policy/digest/section.h"
#include "policy/summary/summary_opening.h"
#include "policy/text/recall.h"

bool
summary_is(const struct entry *entry)
{
	return entry->is_summary && entry->role != ROLE_TOOL && !entry->has_calls;
}

uint32_t
summary_find(const struct session *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry_is_in_thread(entry) && summary_is(entry) && entry->is_compacted &&
		    !entry->is_pinned &&
		    json_find(facts_of(entry), STR("dropped")).type == JSON_NUMBER)
			return i;
	}
	return NONE;
}

uint32_t
summary_place(const struct compaction *c)
{
	const struct session *t = c->session;
	const struct framing *framing = &c->framing;
	uint32_t i = framing_begin(t);

	if (framing->last != NONE && framing->last >= i)
		i = framing->last + 1;
	if (i < c->cached_end)
		i = c->cached_end;
	/* Nothing may come before a byte order mark. */
	return i == 0 && t->count > 0 && t->entry[0].before > 0 ? 1 : i;
}

/* The agent of the stream is that of its first message. */
static void
find_agent(struct summary *summary)
{
	const struct session *t = summary->session;
	struct message message;
	uint32_t i = 0;

	while (i < t->count && t->entry[i].kind != RECORD_MESSAGE)
		i++;
	if (i == t->count)
		return;
	entry_parse(&t->entry[i], &message);
	if (message.metadata.type != JSON_OBJECT ||
	    message.meta[METADATA_PARENT_EXECUTION_ID].type != JSON_STRING)
		return;
	summary->agent_id = message.meta[METADATA_AGENT_ID];
	summary->parent_execution_id = message.meta[METADATA_PARENT_EXECUTION_ID];
}

/* Notes the key of a record that the artifact takes the place of, where these are archived. */
static void
add_gone(struct summary *summary, uint32_t entry)
{
	struct archive_key key;

	if (summary->session->recall.len == 0)
		return;
	key = archive_original_key(summary->session, entry);
	archive_list_add(&summary->gone, &key);
}

/* earlier is the artifact that is replaced, in the state from which its facts are taken. */
static void
begin(struct summary *summary, const struct compaction *c, size_t room, const struct entry *earlier)
{
	enum { FILES_SHARE = 8 }; /* rules of files have one part in so many of the target */
	struct session *session = c->session;
	uint32_t artifact = c->artifact;

	*summary = (struct summary){.session = session,
	    .estimator = c->estimator,
	    .artifact = artifact,
	    .framing = c->framing,
	    .room = room,
	    .rules = SIZE_MAX,
	    .gather = {.view = GATHER_NAMES,
		.files_room = (size_t)number_least(c->options->target / FILES_SHARE,
				  SIZE_MAX / SUMMARY_TOKEN_BYTES) *
		    SUMMARY_TOKEN_BYTES},
	    .request = c->request,
	    .title = c->options->title,
	    .role = c->options->artifact_role};
	find_agent(summary);
	section_open(&summary->facts, c->options->rules, &c->attempts);
	if (artifact != NONE) {
		section_read(&summary->facts, facts_of(earlier));
		add_gone(summary, artifact);
	}
	section_begin(&summary->facts, session, artifact);
	summary->place = artifact != NONE ? artifact + 1 : summary_place(c);
	for (uint32_t i = summary->place; i < session->count; i++)
		summary->kept +=
		    places_of(&summary->facts.places, i) > 0 && !session->entry[i].is_dropped;
}

void
summary_open(struct summary *summary, const struct compaction *c, size_t room)
{
	begin(summary, c, room, c->artifact != NONE ? &c->session->entry[c->artifact] : NULL);
}

void
summary_reopen(struct summary *summary, const struct compaction *c, size_t room)
{
	struct entry earlier = {.raw = NULL};

	if (c->artifact != NONE)
		earlier = change_original(c->session, c->artifact);
	begin(summary, c, room, &earlier);
}

void
summary_close(struct summary *summary)
{
	gather_close(&summary->gather);
	section_close(&summary->facts);
	buf_free(&summary->text);
	archive_list_free(&summary->gone);
}

void
summary_add(struct summary *summary, uint32_t entry)
{
	section_add(&summary->facts, summary->session, entry);
	summary->kept -= entry >= summary->place;
	add_gone(summary, entry);
}

void
summary_add_again(struct summary *summary, uint32_t entry)
{
	summary->kept += entry >= summary->place;
	summary_add(summary, entry);
}

/* Gathers anew for the view; with symbols of a command, room is that of the others. */
static void
gather(struct summary *summary, enum gather_view view, size_t room, struct str symbols)
{
	struct gather_source g = {.gather = &summary->gather,
	    .session = summary->session,
	    .facts = &summary->facts,
	    .framing = &summary->framing,
	    .newest_user = summary->request.newest,
	    .artifact = summary->artifact,
	    .place = summary->place,
	    .room = room,
	    .told = symbols};

	gather_close(&summary->gather);
	section_gather(&g, view);
}

void
summary_gather(struct summary *summary, enum gather_view view)
{
	gather(summary, view, summary->room, STR(""));
}

void
summary_tell(struct summary *summary, struct str text, size_t room)
{
	summary->room = room;
	summary_gather(summary, GATHER_DIGEST);
	gather_tell(&summary->gather, text);
}

void
summary_tell_symbols(struct summary *summary, struct str lines, size_t room)
{
	summary->room = room;
	gather(summary, GATHER_SYMBOLS, 0, lines);
}

void
summary_shrink(struct summary *summary, uint64_t tokens, uint64_t allowed)
{
	enum { LEAST = 25 };

	if (summary->gather.view != GATHER_NAMES && tokens > allowed)
		summary->room = (size_t)(summary->room * 15 / 16 * allowed / tokens);
	else
		summary->room /= 2;
	if (summary->room <= LEAST)
		summary->room = 0;
}

bool
summary_is_cut(const struct summary *summary)
{
	return summary->gather.outline.is_cut;
}

static void
write_content(struct summary *summary, struct json_writer *w)
{
	const struct facts *facts = &summary->facts;
	struct buf text = BUF_INIT;

	summary_opening_write(summary->title, facts->dropped, &text);
	if (summary->gone.text.len > 0) {
		buf_add_str(&text, STR("; "));
		recall_add_list(summary->session, &summary->gone, &text);
		buf_add_str(&text,
		    STR(" lists them, a key below shows one, -F 'WORDS' finds what they said"));
	}
	buf_add_char(&text, '.');
	digest_write(&summary->gather, facts, summary->room, summary->rules, &text);
	json_member_string(w, STR("content"), buf_str(&text));
	buf_free(&text);
}

static void
write_facts(const struct summary *summary, enum summary_form form, struct json_writer *w)
{
	json_member_open(w, STR("facts"), '{');
	json_member_integer(w, STR("dropped"), (int64_t)summary->facts.dropped);
	if (form != SUMMARY_BRIEF) {
		json_member_integer(w, STR("kept"), (int64_t)summary->kept);
		section_write(&summary->facts, &summary->gather, form == SUMMARY_MEASURED, w);
		facts_write_request(
		    &summary->facts, summary->request.first, summary->request.newest, w);
		facts_write_framing(summary->framing.count, w);
	}
	if (form == SUMMARY_MEASURED) {
		json_member_open(w, STR("covers"), '[');
		json_close(w);
	} else if (form == SUMMARY_WHOLE) {
		json_name(w, STR("covers"));
		places_write(&summary->facts.places, w);
	}
	json_close(w);
}

uint64_t
summary_write(struct summary *summary, enum summary_form form)
{
	struct json_writer w;
	struct message message;

	buf_reset(&summary->text);
	json_begin(&w, &summary->text, '{');
	json_member_string(&w, STR("role"), role_name(summary->role));
	write_content(summary, &w);
	json_member_open(&w, STR("metadata"), '{');
	json_member_string(&w, STR("kind"), STR("summary"));
	json_member_string(&w, STR("scope"), STR("historical"));
	if (summary->agent_id.type != JSON_ABSENT)
		json_member_raw(&w, STR("agent_id"), json_span(summary->agent_id));
	if (summary->parent_execution_id.type != JSON_ABSENT)
		json_member_raw(
		    &w, STR("parent_execution_id"), json_span(summary->parent_execution_id));
	json_member_bool(&w, STR("compacted"), true);
	recall_write_key(&summary->gone, &w);
	write_facts(summary, form, &w);
	json_close(&w);
	json_close(&w);
	buf_pad(&summary->text);
	message_parse(&message, buf_str(&summary->text));
	return estimate_message(summary->estimator, &message);
}

void
summary_put(struct summary *summary, uint64_t tokens, const struct change_rule *added,
    const struct change_rule *updated)
{
	struct session *t = summary->session;

	if (summary->gone.text.len > 0)
		archive_list_put(&summary->gone, t);
	if (summary->artifact == NONE)
		change_add(t, summary->place, added, buf_str(&summary->text));
	else
		change_text(t, summary->artifact, updated, buf_str(&summary->text));
	change_weighed(t, (uint32_t)number_least(tokens, UINT32_MAX));
}
