#include "policy/digest/text_call.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/change.h"

#define OBSERVATION "OBSERVATION:"
#define EXECUTION "EXECUTION RESULT of ["

static struct str
between(const char *start, const char *end)
{
	return str_trim(str_of(start, (size_t)(end - start)));
}

static struct str
rest_from(struct str text, const char *place)
{
	return str_of(place, (size_t)(text.ptr + text.len - place));
}

/* The last occurrence in the text, or NULL. */
static const char *
find_last(struct str text, struct str what)
{
	const char *last = NULL, *at;

	for (struct str rest = text; (at = str_find(rest, what)) != NULL;
	     rest = rest_from(text, at + what.len))
		last = at;
	return last;
}

/* A block that begins with the start tag and ends with the end tag. */
static bool
find_block(struct str text, struct str start, struct str end, struct text_call *call)
{
	const char *at = find_last(text, start), *close;

	if (at == NULL)
		return false;
	close = str_find(rest_from(text, at + start.len), end);
	if (close == NULL)
		return false;
	call->before = between(text.ptr, at);
	call->body = between(at + start.len, close);
	return call->body.len > 0;
}

/* The block between the last two fences, without the name of its language. */
static bool
find_fenced(struct str text, struct text_call *call)
{
	const char *close = find_last(text, STR("```")), *open;
	struct str fenced;

	if (close == NULL)
		return false;
	open = find_last(str_of(text.ptr, (size_t)(close - text.ptr)), STR("```"));
	if (open == NULL)
		return false;
	fenced = str_of(open, (size_t)(close - open));
	str_take_line(&fenced);
	call->before = between(text.ptr, open);
	call->body = between(fenced.ptr, close);
	return call->body.len > 0;
}

bool
text_call_find(struct str text, bool has_fences, struct text_call *call)
{
	const char *end;

	*call = (struct text_call){.name = STR("")};
	if (find_block(text, STR("<function="), STR("</function>"), call) &&
	    (end = memchr(call->body.ptr, '>', call->body.len)) != NULL) {
		call->name = between(call->body.ptr, end);
		call->body = rest_from(call->body, end + 1);
		return true;
	}
	return find_block(text, STR("<command>"), STR("</command>"), call) ||
	    (has_fences && find_fenced(text, call));
}

bool
text_call_next(struct str *body, struct str *value)
{
	const struct str start = STR_INIT("<parameter="), end = STR_INIT("</parameter>");
	const char *at = str_find(*body, start), *open, *close;

	if (at == NULL || (open = memchr(at, '>', rest_from(*body, at).len)) == NULL ||
	    (close = str_find(rest_from(*body, open), end)) == NULL)
		return false;
	*value = between(open + 1, close);
	*body = rest_from(*body, close + end.len);
	return true;
}

/* The message with the next place; NONE: that was dropped earlier, or is not there. */
static uint32_t
next_message(const struct session *t, const struct places *places, uint32_t index)
{
	for (uint32_t i = index + 1; i < t->count; i++)
		if (places_of(places, i) > 0)
			return places_of(places, i) == places_of(places, index) + 1 ? i : NONE;
	return NONE;
}

static bool
is_agents(const struct session *t, const struct places *places, uint32_t index)
{
	return t->entry[index].role == ROLE_ASSISTANT && places_of(places, index) > 0;
}

static bool
are_fenced(const struct session *t, const struct places *places)
{
	enum { LEAST = 3 };
	uint32_t said = 0, fenced = 0;
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < t->count; i++) {
		if (!is_agents(t, places, i))
			continue;
		said++;
		fenced += str_has_suffix(str_trim(change_base_text(t, i, &text)), STR("```"));
	}
	buf_free(&text);
	return fenced >= LEAST && fenced * 4 >= said * 3;
}

static bool
are_call_and_result(const struct session *t, uint32_t call, uint32_t result, bool has_fences)
{
	struct buf text = BUF_INIT, answer = BUF_INIT;
	struct text_call found;
	bool are;

	has_fences = has_fences ||
	    str_has_prefix(str_trim(change_base_text(t, result, &answer)), STR(OBSERVATION));
	are = text_call_find(change_base_text(t, call, &text), has_fences, &found);
	buf_free(&text);
	buf_free(&answer);
	return are;
}

static void
find_pairs(struct text_call_parts *calls, const struct session *t, const struct places *places,
    bool has_fences)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t next = is_agents(t, places, i) ? next_message(t, places, i) : NONE;

		if (next == NONE || t->entry[next].role != ROLE_USER ||
		    !are_call_and_result(t, i, next, has_fences))
			continue;
		calls->part[i] = TEXT_CALL_CALL;
		calls->part[next] = TEXT_CALL_RESULT;
	}
}

static struct str
place_text(const struct places *places, uint32_t entry, struct buf *text)
{
	buf_reset(text);
	buf_add_fmt(text, "%" PRIu64, places_of(places, entry));
	return buf_str(text);
}

static void
find_left(struct text_call_parts *calls, const struct session *t, const struct places *places,
    const struct things *known)
{
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].role == ROLE_USER &&
		    things_has(known, place_text(places, i, &text)))
			calls->part[i] = TEXT_CALL_RESULT;
	buf_free(&text);
}

void
text_call_learn(struct text_call_parts *calls, const struct session *t, const struct places *places,
    struct things *known)
{
	const struct str fenced = STR_INIT("\"fenced\"");
	bool has_own = t->call_count > 0 && !things_has(known, fenced);

	if (has_own && known->count == 0)
		return;
	calls->part = mem_alloc((size_t)t->count + 1, sizeof *calls->part);
	memset(calls->part, TEXT_CALL_NONE, t->count);
	find_left(calls, t, places, known);
	if (has_own)
		return;
	if (!things_has(known, fenced) && are_fenced(t, places))
		things_add(known, fenced);
	find_pairs(calls, t, places, things_has(known, fenced));
}

void
text_call_free(struct text_call_parts *calls)
{
	free(calls->part);
}

enum text_call_part
text_call_part_of(const struct text_call_parts *calls, uint32_t entry)
{
	return calls->part != NULL ? (enum text_call_part)calls->part[entry] : TEXT_CALL_NONE;
}

void
text_call_drop(const struct text_call_parts *calls, const struct session *t,
    const struct places *places, struct things *known, uint32_t entry)
{
	enum text_call_part part = text_call_part_of(calls, entry);
	struct buf text = BUF_INIT;
	uint32_t next;

	if (part == TEXT_CALL_RESULT)
		things_take_out(known, place_text(places, entry, &text));
	next = part == TEXT_CALL_CALL ? next_message(t, places, entry) : NONE;
	if (next != NONE && !t->entry[next].is_dropped)
		things_add(known, place_text(places, next, &text));
	buf_free(&text);
}

struct str
text_call_result(struct str text)
{
	const char *end;

	text = str_trim(text);
	if (str_has_prefix(text, STR(OBSERVATION)))
		return str_trim(rest_from(text, text.ptr + strlen(OBSERVATION)));
	if (str_has_prefix(text, STR(EXECUTION)) && (end = str_find(text, STR("]:"))) != NULL)
		return str_trim(rest_from(text, end + 2));
	return text;
}
