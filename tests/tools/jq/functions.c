#include "functions.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const struct value *
string(struct bytes *text)
{
	const struct value *v = value_string(text->ptr, text->len);

	free(text->ptr);
	return v;
}

static void
want(bool holds)
{
	if (!holds)
		fail();
}

/* --- Places ------------------------------------------------------------------------------------ */

/* The index of an array that the number names, or -1. */
static long
place(const struct value *array, const struct value *key)
{
	double at = floor(key->number);

	if (at < 0)
		at += (double)array->count;
	return at < 0 || at > 1e6 ? -1 : (long)at;
}

const struct value *
function_get(const struct value *v, const struct value *key)
{
	size_t at;
	long i;

	if (v->kind == KIND_NULL && (key->kind == KIND_STRING || key->kind == KIND_NUMBER))
		return &value_null;
	if (v->kind == KIND_OBJECT && key->kind == KIND_STRING) {
		at = value_find(v, key);
		return at == (size_t)-1 ? &value_null : v->items[at];
	}
	if (v->kind == KIND_ARRAY && key->kind == KIND_NUMBER) {
		i = place(v, key);
		return i < 0 || (size_t)i >= v->count ? &value_null : v->items[i];
	}
	if (v->kind == KIND_ARRAY && key->kind == KIND_ARRAY)
		defer();
	fail();
}

static size_t
bound(const struct value *v, size_t count, size_t otherwise, bool up)
{
	double at;

	if (v->kind == KIND_NULL)
		return otherwise;
	want(v->kind == KIND_NUMBER);
	at = v->number < 0 ? v->number + (double)count : v->number;
	at = up ? ceil(at) : floor(at);
	return at < 0 ? 0 : at > (double)count ? count : (size_t)at;
}

const struct value *
function_slice(const struct value *v, const struct value *from, const struct value *to)
{
	size_t count, first, last;
	struct value *part;

	if (v->kind == KIND_NULL)
		return v;
	want(v->kind == KIND_STRING || v->kind == KIND_ARRAY);
	count = v->kind == KIND_STRING ? value_length(v) : v->count;
	first = bound(from, count, 0, false);
	last = bound(to, count, count, true);
	if (last < first)
		last = first;
	if (v->kind == KIND_STRING) {
		first = value_offset(v, first);
		return value_string(v->text + first, value_offset(v, last) - first);
	}
	part = value_new(KIND_ARRAY);
	for (; first < last; first++)
		value_add(part, v->items[first]);
	return part;
}

const struct value *
function_get_path(const struct value *v, const struct value *path, size_t at)
{
	for (; at < path->count && v->kind != KIND_NULL; at++)
		v = function_get(v, path->items[at]);
	return v;
}

const struct value *
function_set_path(
    const struct value *v, const struct value *path, size_t at, const struct value *item)
{
	const struct value *key;
	struct value *copy;
	long i;

	if (at == path->count)
		return item;
	key = path->items[at];
	want(key->kind == KIND_STRING || key->kind == KIND_NUMBER);
	item = function_set_path(function_get(v, key), path, at + 1, item);
	if (v->kind == KIND_NULL)
		copy = value_new(key->kind == KIND_STRING ? KIND_OBJECT : KIND_ARRAY);
	else
		copy = value_copy(v);
	if (key->kind == KIND_STRING) {
		value_set(copy, key, item);
		return copy;
	}
	i = place(copy, key);
	want(i >= 0);
	while (copy->count <= (size_t)i)
		value_add(copy, &value_null);
	copy->items[i] = item;
	return copy;
}

static const struct value *
delete_path(const struct value *v, const struct value *path, size_t at)
{
	const struct value *key = path->items[at];
	struct value *copy;
	size_t i;

	want(key->kind == KIND_STRING || key->kind == KIND_NUMBER);
	if (v->kind == KIND_NULL)
		return v;
	if (at + 1 < path->count) {
		if (function_get(v, key)->kind == KIND_NULL)
			return v;
		return function_set_path(v,
		    &(struct value){.kind = KIND_ARRAY, .items = &key, .count = 1}, 0,
		    delete_path(function_get(v, key), path, at + 1));
	}
	function_get(v, key);
	copy = value_copy(v);
	i = v->kind == KIND_OBJECT ? value_find(v, key) : (size_t)place(v, key);
	if (i < v->count)
		value_remove(copy, i);
	return copy;
}

const struct value *
function_delete_paths(const struct value *v, const struct value *paths)
{
	struct value *sorted = value_copy(paths);

	value_sort(sorted->items, sorted->items, sorted->count);
	for (size_t i = sorted->count; i-- > 0;) {
		if (sorted->items[i]->count == 0)
			return &value_null;
		v = delete_path(v, sorted->items[i], 0);
	}
	return v;
}

/* --- Operators --------------------------------------------------------------------------------- */

static const struct value *
plus(const struct value *a, const struct value *b)
{
	struct bytes text = {0};
	struct value *all;

	if (a->kind == KIND_NULL || b->kind == KIND_NULL)
		return a->kind == KIND_NULL ? b : a;
	want(a->kind == b->kind && a->kind >= KIND_NUMBER);
	if (a->kind == KIND_NUMBER)
		return value_number(a->number + b->number);
	if (a->kind == KIND_STRING) {
		bytes_put(&text, a->text, a->len);
		bytes_put(&text, b->text, b->len);
		return string(&text);
	}
	all = value_copy(a);
	for (size_t i = 0; i < b->count; i++)
		if (a->kind == KIND_OBJECT)
			value_set(all, b->keys[i], b->items[i]);
		else
			value_add(all, b->items[i]);
	return all;
}

static const struct value *
minus(const struct value *a, const struct value *b)
{
	struct value *rest;
	size_t j;

	want(a->kind == b->kind && (a->kind == KIND_NUMBER || a->kind == KIND_ARRAY));
	if (a->kind == KIND_NUMBER)
		return value_number(a->number - b->number);
	rest = value_new(KIND_ARRAY);
	for (size_t i = 0; i < a->count; i++) {
		for (j = 0; j < b->count && value_compare(a->items[i], b->items[j]) != 0; j++)
			;
		if (j == b->count)
			value_add(rest, a->items[i]);
	}
	return rest;
}

const struct value *
function_operator(char op, const struct value *a, const struct value *b)
{
	int order;

	if (op == '+')
		return plus(a, b);
	if (op == '-')
		return minus(a, b);
	if (strchr("*/%", op) != NULL) {
		if (a->kind != KIND_NUMBER || b->kind != KIND_NUMBER || op == '%')
			defer();
		want(op == '*' || b->number != 0);
		return value_number(op == '*' ? a->number * b->number : a->number / b->number);
	}
	order = value_compare(a, b);
	switch (op) {
	case 'e':
		return value_bool(order == 0);
	case 'n':
		return value_bool(order != 0);
	case '<':
		return value_bool(order < 0);
	case '>':
		return value_bool(order > 0);
	case 'l':
		return value_bool(order <= 0);
	case 'g':
		return value_bool(order >= 0);
	default:
		defer();
	}
}

/* --- Formats ----------------------------------------------------------------------------------- */

static const struct value *
to_json(const struct value *v, const struct value **args)
{
	struct bytes text = {0};

	(void)args;
	value_print(&text, v, false);
	return string(&text);
}

static const struct value *
to_string(const struct value *v, const struct value **args)
{
	return v->kind == KIND_STRING ? v : to_json(v, args);
}

/* A string in a table; the escaped bytes, and what they become, a letter behind a mark. */
static void
put_escaped(
    struct bytes *to, const struct value *v, const char *bytes, const char *letters, char mark)
{
	for (size_t i = 0; i < v->len; i++) {
		const char *at = v->text[i] == '\0' ? NULL : strchr(bytes, v->text[i]);

		if (at != NULL)
			bytes_putc(to, mark);
		bytes_putc(to, at != NULL ? letters[at - bytes] : v->text[i]);
	}
}

static const struct value *
table_row(const struct value *v, bool tabs)
{
	struct bytes row = {0};
	const struct value *item;

	want(v->kind == KIND_ARRAY);
	for (size_t i = 0; i < v->count; i++) {
		item = v->items[i];
		if (i > 0)
			bytes_putc(&row, tabs ? '\t' : ',');
		want(item->kind < KIND_ARRAY);
		if (item->kind == KIND_STRING && tabs) {
			put_escaped(&row, item, "\t\n\r\\", "tnr\\", '\\');
		} else if (item->kind == KIND_STRING) {
			bytes_putc(&row, '"');
			put_escaped(&row, item, "\"", "\"", '"');
			bytes_putc(&row, '"');
		} else if (item->kind != KIND_NULL) {
			value_print(&row, item, false);
		}
	}
	return string(&row);
}

const struct value *
function_format(const char *name, const struct value *v)
{
	if (strcmp(name, "text") == 0)
		return to_string(v, NULL);
	if (strcmp(name, "json") == 0)
		return to_json(v, NULL);
	if (strcmp(name, "tsv") != 0 && strcmp(name, "csv") != 0)
		defer();
	return table_row(v, *name == 't');
}

/* --- Functions --------------------------------------------------------------------------------- */

static const struct value *
length(const struct value *in, const struct value **args)
{
	(void)args;
	want(in->kind != KIND_TRUE && in->kind != KIND_FALSE);
	if (in->kind == KIND_NUMBER)
		return value_number(fabs(in->number));
	return value_number((double)(in->kind == KIND_STRING ? value_length(in) : in->count));
}

static const struct value *
byte_length(const struct value *in, const struct value **args)
{
	(void)args;
	want(in->kind == KIND_STRING);
	return value_number((double)in->len);
}

static const struct value *
negation(const struct value *in, const struct value **args)
{
	(void)args;
	return value_bool(!value_is_true(in));
}

static const struct value *
type(const struct value *in, const struct value **args)
{
	const char *name = value_type(in);

	(void)args;
	return value_string(name, strlen(name));
}

static const struct value *
keys_unsorted(const struct value *in, const struct value **args)
{
	struct value *names = value_new(KIND_ARRAY);

	(void)args;
	want(in->kind == KIND_OBJECT || in->kind == KIND_ARRAY);
	for (size_t i = 0; i < in->count; i++)
		value_add(names, in->kind == KIND_OBJECT ? in->keys[i] : value_number((double)i));
	return names;
}

static const struct value *
sort(const struct value *in, const struct value **args)
{
	struct value *sorted;

	(void)args;
	want(in->kind == KIND_ARRAY);
	sorted = value_copy(in);
	value_sort(sorted->items, sorted->items, sorted->count);
	return sorted;
}

static const struct value *
keys(const struct value *in, const struct value **args)
{
	return sort(keys_unsorted(in, args), args);
}

/* The elements by their keys, which are an array as long: groups of those with equal keys. */
static const struct value *
groups(const struct value *in, const struct value **args)
{
	struct value *by, *items, *all = value_new(KIND_ARRAY), *group = NULL;

	want(in->kind == KIND_ARRAY);
	by = value_copy(args[0]);
	items = value_copy(in);
	value_sort(by->items, items->items, in->count);
	for (size_t i = 0; i < in->count; i++) {
		if (i == 0 || value_compare(by->items[i - 1], by->items[i]) != 0) {
			group = value_new(KIND_ARRAY);
			value_add(all, group);
		}
		value_add(group, items->items[i]);
	}
	return all;
}

static const struct value *
has(const struct value *in, const struct value **args)
{
	if (in->kind == KIND_OBJECT && args[0]->kind == KIND_STRING)
		return value_bool(value_find(in, args[0]) != (size_t)-1);
	want(in->kind == KIND_ARRAY && args[0]->kind == KIND_NUMBER);
	return value_bool(args[0]->number >= 0 && args[0]->number < (double)in->count);
}

static bool
holds(const struct value *a, const struct value *b)
{
	size_t i, j, at;

	if (a->kind != b->kind)
		return false;
	if (a->kind == KIND_STRING)
		return memmem(a->text, a->len, b->text, b->len) != NULL;
	if (a->kind < KIND_ARRAY)
		return value_compare(a, b) == 0;
	for (i = 0; i < b->count; i++) {
		if (a->kind == KIND_OBJECT) {
			at = value_find(a, b->keys[i]);
			if (at == (size_t)-1 || !holds(a->items[at], b->items[i]))
				return false;
			continue;
		}
		for (j = 0; j < a->count; j++)
			if (holds(a->items[j], b->items[i]))
				break;
		if (j == a->count)
			return false;
	}
	return true;
}

static const struct value *
contains(const struct value *in, const struct value **args)
{
	want(in->kind == args[0]->kind);
	return value_bool(holds(in, args[0]));
}

static bool
is_affix(const struct value *in, const struct value *affix, bool end)
{
	return in->kind == KIND_STRING && affix->kind == KIND_STRING && in->len >= affix->len &&
	    memcmp(in->text + (end ? in->len - affix->len : 0), affix->text, affix->len) == 0;
}

static const struct value *
starts_with(const struct value *in, const struct value **args)
{
	want(in->kind == KIND_STRING && args[0]->kind == KIND_STRING);
	return value_bool(is_affix(in, args[0], false));
}

static const struct value *
ends_with(const struct value *in, const struct value **args)
{
	want(in->kind == KIND_STRING && args[0]->kind == KIND_STRING);
	return value_bool(is_affix(in, args[0], true));
}

static const struct value *
trim_start(const struct value *in, const struct value **args)
{
	if (!is_affix(in, args[0], false))
		return in;
	return value_string(in->text + args[0]->len, in->len - args[0]->len);
}

static const struct value *
split(const struct value *in, const struct value **args)
{
	struct value *parts = value_new(KIND_ARRAY);
	const char *at, *next, *end;

	want(in->kind == KIND_STRING && args[0]->kind == KIND_STRING);
	if (args[0]->len == 0)
		defer();
	end = in->text + in->len;
	for (at = in->text; in->len > 0; at = next + args[0]->len) {
		next = memmem(at, (size_t)(end - at), args[0]->text, args[0]->len);
		value_add(parts, value_string(at, (size_t)((next == NULL ? end : next) - at)));
		if (next == NULL)
			break;
	}
	return parts;
}

static const struct value *
from_json(const struct value *in, const struct value **args)
{
	const struct value *v;
	const char *at = in->text;

	(void)args;
	want(in->kind == KIND_STRING);
	if (strspn(in->text, " \t\r\n") == in->len || memchr(in->text, '\0', in->len) != NULL)
		defer();
	v = value_parse(&at, in->text + in->len);
	want(v != NULL);
	while (at < in->text + in->len && isspace((unsigned char)*at))
		at++;
	want(at == in->text + in->len);
	return v;
}

/*
 * Whether jq and POSIX read the pattern alike: text, escaped marks, classes without escapes, groups,
 * alternatives, anchors and what repeats them. A dot is not, which takes a line feed here alone.
 */
static bool
is_plain_pattern(const char *at)
{
	static const char marks[] = "\\^$.|?*+()[]{}";
	bool repeated = false;

	for (; *at != '\0'; at++) {
		bool repeats = strchr("*+?{", *at) != NULL;

		if ((repeats && repeated) || *at == '.' || (*at & 0x80) != 0)
			return false;
		repeated = repeats;
		if (*at == '\\') {
			if (*++at == '\0' || strchr(marks, *at) == NULL)
				return false;
		} else if (*at == '(' && at[1] == '?') {
			return false;
		} else if (*at == '{') {
			size_t digits = strspn(at + 1, "0123456789");

			at += digits + strspn(at + 1 + digits, "0123456789,") + 1;
			if (digits == 0 || *at != '}')
				return false;
		} else if (*at == '[') {
			/* A bracket that comes first would end the class in jq. */
			at += at[1] == '^' ? 2 : 1;
			size_t len = *at == ']' ? 0 : strcspn(at, "]");

			if (len == 0 || at[len] == '\0' || memchr(at, '[', len) != NULL ||
			    memchr(at, '\\', len) != NULL || memchr(at, '&', len) != NULL)
				return false;
			at += len;
		}
	}
	return true;
}

static bool
is_ascii(const struct value *string)
{
	for (size_t i = 0; i < string->len; i++)
		if ((string->text[i] & 0x80) != 0)
			return false;
	return true;
}

/* What a class leaves out is bytes here, and characters in jq, whose $ passes over a last line feed. */
static const struct value *
test(const struct value *in, const struct value **args)
{
	regex_t pattern;
	bool found;

	want(in->kind == KIND_STRING && args[0]->kind == KIND_STRING);
	if (memchr(args[0]->text, '\0', args[0]->len) != NULL ||
	    memchr(in->text, '\0', in->len) != NULL || !is_plain_pattern(args[0]->text) ||
	    (strstr(args[0]->text, "[^") != NULL && !is_ascii(in)) ||
	    (in->len > 0 && in->text[in->len - 1] == '\n' && strchr(args[0]->text, '$') != NULL) ||
	    regcomp(&pattern, args[0]->text, REG_EXTENDED | REG_NOSUB) != 0)
		defer();
	found = regexec(&pattern, in->text, 0, NULL, 0) == 0;
	regfree(&pattern);
	return value_bool(found);
}

static const struct value *
number_of(const struct value *in, const struct value **args)
{
	if (in->kind != KIND_NUMBER && in->kind != KIND_STRING)
		fail();
	if (in->kind == KIND_NUMBER)
		return in;
	in = from_json(in, args);
	if (in->kind != KIND_NUMBER)
		defer();
	return in;
}

static const struct value *
floor_of(const struct value *in, const struct value **args)
{
	(void)args;
	want(in->kind == KIND_NUMBER);
	return value_number(floor(in->number));
}

static const struct value *
absolute(const struct value *in, const struct value **args)
{
	(void)args;
	want(in->kind == KIND_NUMBER);
	return value_number(fabs(in->number));
}

static const struct value *
reverse(const struct value *in, const struct value **args)
{
	struct value *other = value_new(KIND_ARRAY);

	(void)args;
	if (in->kind != KIND_ARRAY)
		defer();
	for (size_t i = in->count; i-- > 0;)
		value_add(other, in->items[i]);
	return other;
}

static const struct value *
error_of(const struct value *in, const struct value **args)
{
	(void)in;
	(void)args;
	fail();
}

static const struct value *
delete_paths(const struct value *in, const struct value **args)
{
	want(args[0]->kind == KIND_ARRAY);
	return function_delete_paths(in, args[0]);
}

builtin *
function_find(const char *name, size_t count)
{
	static const struct {
		const char *name;
		size_t count;
		builtin *function;
	} table[] = {
	    {"length", 0, length},
	    {"utf8bytelength", 0, byte_length},
	    {"not", 0, negation},
	    {"type", 0, type},
	    {"keys", 0, keys},
	    {"keys_unsorted", 0, keys_unsorted},
	    {"sort", 0, sort},
	    {"reverse", 0, reverse},
	    {"tostring", 0, to_string},
	    {"tojson", 0, to_json},
	    {"fromjson", 0, from_json},
	    {"tonumber", 0, number_of},
	    {"floor", 0, floor_of},
	    {"fabs", 0, absolute},
	    {"error", 0, error_of},
	    {"error", 1, error_of},
	    {"has", 1, has},
	    {"contains", 1, contains},
	    {"startswith", 1, starts_with},
	    {"endswith", 1, ends_with},
	    {"ltrimstr", 1, trim_start},
	    {"split", 1, split},
	    {"test", 1, test},
	    {"_groups", 1, groups},
	    {"delpaths", 1, delete_paths},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].count == count && strcmp(table[i].name, name) == 0)
			return table[i].function;
	return NULL;
}
