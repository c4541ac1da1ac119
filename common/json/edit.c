#include "json/edit.h"

#include "json/bytes.h"

void
json_edit_init(struct json_edit *edit, struct str text)
{
	edit->text = text;
	edit->count = 0;
}

static bool
add_splice(struct json_edit *edit, struct json_splice splice)
{
	if (edit->count == JSON_EDIT_MAX)
		return false;
	edit->splice[edit->count++] = splice;
	return true;
}

bool
json_edit_replace(struct json_edit *edit, struct str span, struct str with)
{
	return add_splice(edit, (struct json_splice){span.ptr, span.len, with, false});
}

/* Whether a member was already added at ptr. */
static bool
has_insertion(const struct json_edit *edit, const char *ptr)
{
	for (unsigned i = 0; i < edit->count; i++)
		if (edit->splice[i].ptr == ptr && edit->splice[i].len == 0)
			return true;
	return false;
}

bool
json_edit_add(struct json_edit *edit, struct json_value object, struct str name, struct str value,
    struct arena *arena)
{
	const char *at = object.ptr + object.len - 1; /* behind the last member */
	size_t len = name.len + value.len + 4;
	char *bytes, *to;

	while (json_byte_is_blank(at[-1]))
		at--;
	to = bytes = arena_alloc(arena, len);
	if (at != object.ptr + 1 || has_insertion(edit, at))
		*to++ = ',';
	*to++ = '"';
	memcpy(to, name.ptr, name.len);
	to += name.len;
	*to++ = '"';
	*to++ = ':';
	memcpy(to, value.ptr, value.len);
	to += value.len;
	return add_splice(edit,
	    (struct json_splice){at, 0, str_of(bytes, (size_t)(to - bytes)), false});
}

bool
json_edit_remove(struct json_edit *edit, struct json_value object, struct json_value name,
    struct json_value value)
{
	struct json_splice splice = {.ptr = name.ptr, .is_member = true};

	(void)object; /* which comma goes too is seen when all removals are known */
	splice.len = (size_t)(value.ptr + value.len - name.ptr);
	return add_splice(edit, splice);
}

/* By place in the text; what stands at one place keeps its order. */
static void
sort(struct json_splice *splice, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		struct json_splice moving = splice[i];
		unsigned j = i;

		for (; j > 0 && splice[j - 1].ptr > moving.ptr; j--)
			splice[j] = splice[j - 1];
		splice[j] = moving;
	}
}

static const char *
skip_blank(const char *p)
{
	while (json_byte_is_blank(*p))
		p++;
	return p;
}

/*
 * The removed members that stand side by side from splice[0] on are one gap:
 *
 *     { "a":1, "b":2, "c":3 }      b: to the next member; b and c: from the comma before;
 *              ^^^^^^^             all three: what is between the brackets stays blank
 *
 * Sets where it starts and ends, returns how many splices it took.
 */
static unsigned
find_gap(const struct json_splice *splice, unsigned count, const char **start, const char **end)
{
	unsigned taken = 0;
	const char *p = splice[0].ptr;

	do {
		p = skip_blank(p + splice[taken++].len);
		if (*p == ',') {
			*end = p = skip_blank(p + 1);
			*start = splice[0].ptr;
		} else { /* behind the last member */
			*end = splice[taken - 1].ptr + splice[taken - 1].len;
			*start = splice[0].ptr;
			while (json_byte_is_blank((*start)[-1]))
				--*start;
			*start = (*start)[-1] == ',' ? *start - 1 : splice[0].ptr;
			break;
		}
	} while (taken < count && splice[taken].is_member && splice[taken].ptr == p);
	return taken;
}

void
json_edit_write(const struct json_edit *edit, struct buf *buf)
{
	struct json_splice splice[JSON_EDIT_MAX];
	const char *at = edit->text.ptr, *text_end = at + edit->text.len;
	unsigned i = 0;

	memcpy(splice, edit->splice, edit->count * sizeof splice[0]);
	sort(splice, edit->count);
	while (i < edit->count) {
		const char *start = splice[i].ptr, *end = start + splice[i].len;
		struct str with = splice[i].with;

		i += splice[i].is_member ? find_gap(splice + i, edit->count - i, &start, &end) : 1;
		buf_add(buf, at, (size_t)(start - at));
		buf_add_str(buf, with);
		at = end;
	}
	buf_add(buf, at, (size_t)(text_end - at));
}
