#include "policy/compact/facts.h"

#include "base/number.h"
#include "json/text.h"
#include "json/write.h"
#include "policy/cut.h"

enum {
	SHOWN_MAX = 20,   /* things of a list that the content names */
	SHOWN_BYTES = 200, /* of each */
};

/* The members of a list: the things, and how many more there are. */
static const struct str read_names[2] = {STR_INIT("files_read"), STR_INIT("files_read_more")};
static const struct str modified_names[2] = {STR_INIT("files_modified"),
    STR_INIT("files_modified_more")};
static const struct str unresolved_names[2] = {STR_INIT("unresolved"),
    STR_INIT("unresolved_more")};

static uint64_t
total(const struct fact_list *list)
{
	return list->lost + list->known.count;
}

/* A thing as people read it: a JSON string is its text, other JSON stays as it is. */
static void
write_shown(struct str item, bool is_json, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (is_json && item.ptr[0] == '"')
		item = json_text(json_value_at(item.ptr), &text);
	cut_middle(item, SHOWN_BYTES, out);
	buf_free(&text);
}

static void
write_list(const struct fact_list *list, const char *title, bool is_json, struct buf *out)
{
	unsigned first = list->count > SHOWN_MAX ? list->count - SHOWN_MAX : 0;
	uint64_t others = total(list) - (list->count - first);

	if (total(list) == 0)
		return;
	buf_add_fmt(out, "\n%s: ", title);
	for (unsigned i = first; i < list->count; i++) {
		if (i > first)
			buf_add_str(out, STR(", "));
		write_shown(list->item[i], is_json, out);
	}
	if (others > 0) {
		buf_add_str(out, list->count > 0 ? STR(" and ") : STR(""));
		number_write_grouped(out, others);
		buf_add_str(out, STR(" more"));
	}
}

static void
write_content(const struct facts *facts, struct buf *out)
{
	buf_add_str(out, STR("[summary] "));
	number_write_grouped(out, facts->dropped);
	buf_add_str(out, facts->dropped == 1 ? STR(" earlier message was") :
	    STR(" earlier messages were"));
	buf_add_str(out, STR(" dropped to save context."));
	write_list(&facts->files_read, "Files read", false, out);
	write_list(&facts->files_modified, "Files modified", false, out);
	write_list(&facts->unresolved, "Unresolved", true, out);
}

static void
put_list(struct json_writer *w, const struct fact_list *list, const struct str name[2],
    bool is_json)
{
	uint64_t more = total(list) - list->count;

	json_name(w, name[0]);
	json_open(w, '[');
	for (unsigned i = 0; i < list->count; i++) {
		if (is_json)
			json_put_raw(w, list->item[i]);
		else
			json_put_string(w, list->item[i]);
	}
	json_close(w);
	if (more > 0)
		json_member_integer(w, name[1], (int64_t)more);
}

/* Ranges that come in ascending order, neighbours joined. */
struct range_writer {
	struct json_writer *w;
	struct fact_range open;
};

static void
put_range(struct range_writer *ranges)
{
	if (ranges->open.last == 0)
		return;
	json_open(ranges->w, '[');
	json_put_integer(ranges->w, (int64_t)ranges->open.first);
	json_put_integer(ranges->w, (int64_t)ranges->open.last);
	json_close(ranges->w);
}

static void
add_range(struct range_writer *ranges, struct fact_range range)
{
	if (ranges->open.last + 1 != range.first || ranges->open.last == 0) {
		put_range(ranges);
		ranges->open = range;
	}
	ranges->open.last = range.last;
}

/*
 * The messages that are here take the places that the earlier artifact leaves them:
 *
 *     covered     2-4           7
 *     here      1       5  6       8 ...
 */
static void
put_covers(struct json_writer *w, const struct facts *facts, const struct session *t,
    uint32_t artifact)
{
	struct range_writer ranges = {w, {0, 0}};
	uint64_t place = 0, left = facts->entries;
	size_t next = 0;

	json_name(w, STR("covers"));
	json_open(w, '[');
	for (uint32_t i = 0; i < t->count && left > 0; i++) {
		const struct entry *entry = &t->entry[i];

		if (entry->kind != RECORD_MESSAGE || entry->outside || i == artifact)
			continue;
		while (next < facts->covered_count && facts->covered[next].first <= place + 1) {
			place = facts->covered[next].last;
			add_range(&ranges, facts->covered[next++]);
		}
		place++;
		if (!entry->is_dropped)
			continue;
		add_range(&ranges, (struct fact_range){place, place});
		left--;
	}
	while (next < facts->covered_count)
		add_range(&ranges, facts->covered[next++]);
	put_range(&ranges);
	json_close(w);
}

/* The messages of the thread that stay behind the artifact. */
static uint64_t
count_kept(const struct session *t, uint32_t artifact)
{
	uint64_t count = 0;

	for (uint32_t i = artifact != NONE ? artifact + 1 : facts_place(t); i < t->count; i++)
		count += t->entry[i].kind == RECORD_MESSAGE && !t->entry[i].outside &&
		    !t->entry[i].is_dropped;
	return count;
}

/* All up to the facts, which are left open. */
static void
open_artifact(const struct facts *facts, struct json_writer *w, struct buf *buf)
{
	struct buf text = BUF_INIT;

	write_content(facts, &text);
	json_writer_init(w, buf);
	json_open(w, '{');
	json_member_string(w, STR("role"), STR("user"));
	json_member_string(w, STR("content"), buf_str(&text));
	json_name(w, STR("metadata"));
	json_open(w, '{');
	json_member_string(w, STR("kind"), STR("summary"));
	json_member_string(w, STR("scope"), STR("historical"));
	if (facts->agent_id.type != JSON_ABSENT)
		json_member_raw(w, STR("agent_id"), json_span(facts->agent_id));
	if (facts->parent_execution_id.type != JSON_ABSENT)
		json_member_raw(w, STR("parent_execution_id"),
		    json_span(facts->parent_execution_id));
	json_member_bool(w, STR("compacted"), true);
	json_name(w, STR("facts"));
	json_open(w, '{');
	json_member_integer(w, STR("dropped"), (int64_t)facts->dropped);
	buf_free(&text);
}

static void
close_artifact(struct json_writer *w)
{
	while (w->depth > 0)
		json_close(w);
}

void
facts_write(const struct facts *facts, const struct session *t, uint32_t artifact,
    struct buf *buf)
{
	struct json_writer w;

	open_artifact(facts, &w, buf);
	json_member_integer(&w, STR("kept"), (int64_t)count_kept(t, artifact));
	put_list(&w, &facts->files_read, read_names, false);
	put_list(&w, &facts->files_modified, modified_names, false);
	put_list(&w, &facts->unresolved, unresolved_names, true);
	put_covers(&w, facts, t, artifact);
	close_artifact(&w);
}

void
facts_write_brief(const struct facts *facts, struct buf *buf)
{
	struct json_writer w;

	open_artifact(facts, &w, buf);
	close_artifact(&w);
}
