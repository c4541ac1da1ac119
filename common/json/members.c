#include "json/members.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "json/json_hold.h"
#include "json/path/path.h"
#include "json/string.h"

/* The length of the string whose opening quote is at ptr, if the string is short and has only plain
 * bytes, as most names do; otherwise 0. */
static inline uint32_t
short_len(const char *ptr)
{
	uint32_t len = 0;

#if defined(__x86_64__)
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(ptr + 1));
	unsigned ends = (unsigned)_mm_movemask_epi8(_mm_or_si128(
	    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));

	if (ends != 0)
		len = (uint32_t)__builtin_ctz(ends) + 2;
	if (len > 0 && ptr[len - 1] != '"')
		len = 0;
#else
	(void)ptr;
#endif
	return len;
}

static struct json_value
long_string_at(const char *ptr)
{
	struct json_value value = json_held(ptr);

	if (value.type != JSON_ABSENT)
		return value;
	value.ptr = ptr;
	value.type = JSON_STRING;
	value.len = (uint32_t)(json_path()->string_end(ptr, &value.escaped) - ptr);
	return value;
}

static inline struct json_value
string_at(const char *ptr)
{
	struct json_value value = {.ptr = ptr, .len = short_len(ptr), .type = JSON_STRING};

	return value.len > 0 ? value : long_string_at(ptr);
}

static struct json_value
container_at(const char *ptr)
{
	struct json_value value = json_held(ptr);

	if (value.type != JSON_ABSENT)
		return value;
	return json_value_of(
	    ptr, json_path()->container_end(ptr), *ptr == '{' ? JSON_OBJECT : JSON_ARRAY);
}

struct json_value
json_value_at(const char *ptr)
{
	switch (*ptr) {
	case '"':
		return string_at(ptr);
	case '{':
	case '[':
		return container_at(ptr);
	case 't':
		return json_value_of(ptr, ptr + 4, JSON_TRUE);
	case 'f':
		return json_value_of(ptr, ptr + 5, JSON_FALSE);
	case 'n':
		return json_value_of(ptr, ptr + 4, JSON_NULL);
	default:
		return json_value_of(ptr, json_number_end(ptr), JSON_NUMBER);
	}
}

struct json_value
json_whole(struct str text)
{
	static const uint8_t types[256] = {['"'] = JSON_STRING,
	    ['{'] = JSON_OBJECT,
	    ['['] = JSON_ARRAY,
	    ['t'] = JSON_TRUE,
	    ['f'] = JSON_FALSE,
	    ['n'] = JSON_NULL};
	uint8_t type = text.len > 0 ? types[(unsigned char)*text.ptr] : JSON_ABSENT;

	return (struct json_value){.ptr = text.ptr,
	    .len = (uint32_t)text.len,
	    .type = type == JSON_ABSENT && text.len > 0 ? JSON_NUMBER : type,
	    .escaped = type == JSON_STRING && memchr(text.ptr, '\\', text.len) != NULL};
}

struct json_walk
json_walk_list(struct json_value list)
{
	list.type = list.type == JSON_ARRAY ? JSON_ARRAY : JSON_ABSENT;
	return json_walk_of(list);
}

struct json_walk
json_walk_members(struct json_value object)
{
	object.type = object.type == JSON_OBJECT ? JSON_OBJECT : JSON_ABSENT;
	return json_walk_of(object);
}

struct json_walk
json_walk_of(struct json_value container)
{
	struct json_walk walk = {.noted = NULL};

	if (container.type != JSON_ARRAY && container.type != JSON_OBJECT)
		return walk;
	walk.at = container.ptr + 1;
	walk.end = container.ptr + container.len - 1;
	walk.name.type = container.type == JSON_OBJECT ? JSON_STRING : JSON_ABSENT;
	if (container.type == JSON_OBJECT)
		walk.noted = json_held_members(container.ptr, &walk.noted_end);
	return walk;
}

/* The start of the next element or member, or NULL at the end of the walk. */
static const char *
next_item(struct json_walk *walk)
{
	const char *p = walk->at;

	if (p == walk->end)
		return NULL;
	p = json_skip_blank(p);
	if (*p == ',')
		p = json_skip_blank(p + 1);
	walk->at = walk->end;
	return p == walk->end ? NULL : p;
}

/* The value at p, which may be one of the first count that are known: the outer ones are last. */
static inline struct json_value
value_at(const char *p, const struct json_value *known, unsigned count)
{
	uint32_t len = *p == '"' ? short_len(p) : 0;

	if (len > 0)
		return (struct json_value){.ptr = p, .len = len, .type = JSON_STRING};
	while (count-- > 0)
		if (known[count].ptr == p)
			return known[count];
	return json_value_at(p);
}

bool
json_walk_next(struct json_walk *walk)
{
	const char *p;

	if (walk->noted != NULL) {
		if (walk->noted == walk->noted_end)
			return false;
		walk->name = walk->noted->name;
		walk->name.type = JSON_STRING;
		walk->value = walk->noted++->value;
		return true;
	}
	p = next_item(walk);
	if (p == NULL)
		return false;
	if (walk->name.type == JSON_STRING) {
		walk->name = string_at(p);
		p = json_skip_blank(p + walk->name.len);
		p = json_skip_blank(p + 1); /* the colon */
	}
	walk->value = value_at(p, NULL, 0);
	walk->at = p + walk->value.len;
	return true;
}

/* Skips a comma and the name of the member at p, whose index in names goes to i. Returns where the
 * value starts. */
static inline const char *
skip_name(const char *p, const struct json_names *names, int *i)
{
	struct json_value name;

	if (*p == ',')
		p = json_skip_blank(p + 1);
	name = string_at(p);
	p = json_skip_blank(p + name.len);
	*i = json_names_find(names, name);
	return json_skip_blank(p + 1); /* the colon */
}

/* Of members of one name the first is picked. */
static inline void
keep_first(struct json_value *member, int i, struct json_value value)
{
	if (i >= 0 && member[i].type == JSON_ABSENT)
		member[i] = value;
}

/* Picks from the object at p, and from its members whose bit is set in inside. Returns the end of
 * the object. */
static const char *
pick_object(const char *p, const struct json_names *names, uint32_t inside,
    struct json_value *member, const struct json_value *known, unsigned known_count)
{
	for (p = json_skip_blank(p + 1); *p != '}'; p = json_skip_blank(p)) {
		struct json_value value;
		int i;

		p = skip_name(p, names, &i);
		if (i >= 0 && *p == '{' && (inside >> i & 1) != 0)
			value = json_value_of(
			    p, pick_object(p, names, 0, member, NULL, 0), JSON_OBJECT);
		else
			value = value_at(p, known, known_count);
		keep_first(member, i, value);
		p += value.len;
	}
	return p + 1;
}

bool
json_walk_pick(struct json_walk *walk, const struct json_names *names, uint32_t inside,
    struct json_value *member)
{
	const char *p = next_item(walk);

	if (p == NULL)
		return false;
	memset(member, 0, names->count * sizeof *member);
	if (*p == '{')
		walk->value =
		    json_value_of(p, pick_object(p, names, inside, member, NULL, 0), JSON_OBJECT);
	else
		walk->value = json_value_at(p);
	walk->at = p + walk->value.len;
	return true;
}

void
json_reread(struct str text, const struct json_names *names, const struct json_value *known,
    unsigned count, struct json_scan *scan)
{
	const char *p = json_skip_blank(text.ptr);

	scan->repeated = 0;
	scan->elements = JSON_ELEMENTS_MAX + 1;
	scan->error_at = 0;
	scan->error = NULL;
	memset(scan->member, 0, names->count * sizeof scan->member[0]);
	if (*p == '{')
		scan->value = json_value_of(
		    p, pick_object(p, names, 0, scan->member, known, count), JSON_OBJECT);
	else
		scan->value = json_value_at(p);
}

void
json_note_object(const struct json_names *names, struct json_scan *scan)
{
	json_pick(scan->member[names->object_name], names->object, scan->object);
}

void
json_note_elements(const struct json_names *names, struct json_scan *scan)
{
	struct json_value list = scan->member[names->list_name];
	struct json_walk walk = json_walk_of(list);

	scan->elements = 0;
	while (list.type == JSON_ARRAY && scan->elements < JSON_ELEMENTS_MAX &&
	    json_walk_pick(
		&walk, names->element, names->inside, scan->element[scan->elements].member)) {
		scan->element[scan->elements].value = walk.value;
		scan->elements += walk.value.type == JSON_OBJECT;
	}
	if (list.type == JSON_ARRAY && json_walk_next(&walk))
		scan->elements = JSON_ELEMENTS_MAX + 1;
}

void
json_pick(struct json_value object, const struct json_names *names, struct json_value *member)
{
	const struct json_member *end, *at = NULL;
	unsigned missing = names->count;
	const char *p = object.ptr;

	memset(member, 0, names->count * sizeof *member);
	if (object.type != JSON_OBJECT)
		return;
	at = json_held_members(object.ptr, &end);
	if (at != NULL) {
		for (; at < end; at++)
			keep_first(member, json_names_find(names, at->name), at->value);
		return;
	}
	p = json_skip_blank(p + 1);
	while (missing > 0 && *p != '}') {
		struct json_value value;
		int i;

		p = skip_name(p, names, &i);
		value = value_at(p, NULL, 0);
		p = json_skip_blank(p + value.len);
		if (i < 0 || member[i].type != JSON_ABSENT)
			continue;
		member[i] = value;
		missing--;
	}
}

struct json_value
json_find(struct json_value object, struct str name)
{
	struct json_walk walk;

	if (object.type != JSON_OBJECT)
		return json_absent;
	walk = json_walk_of(object);
	while (json_walk_next(&walk))
		if (walk.name.escaped ? json_is(walk.name, name) :
					str_eq(json_inner(walk.name), name))
			return walk.value;
	return json_absent;
}

bool
json_has_type(struct json_value object, struct str type)
{
	static const char first[] = "{\"type\":\"";
	enum { QUOTE = sizeof first - 2 };

	/* Mostly it is the first member. */
	if (object.type == JSON_OBJECT && object.len > QUOTE &&
	    memcmp(object.ptr, first, QUOTE + 1) == 0)
		return json_is(string_at(object.ptr + QUOTE), type);
	return json_is(json_find(object, STR("type")), type);
}

bool
json_has(struct json_value object, struct str name)
{
	return json_find(object, name).type != JSON_ABSENT;
}

struct json_value
json_first(struct json_value list)
{
	struct json_walk walk = json_walk_list(list);

	return json_walk_next(&walk) ? walk.value : json_absent;
}

bool
json_has_elements(struct json_value container)
{
	struct json_walk walk = json_walk_of(container);

	return json_walk_next(&walk);
}

bool
json_is_list_of(struct json_value value, enum json_type type)
{
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);)
		if (walk.value.type != type)
			return false;
	return value.type == JSON_ARRAY;
}
