#include "value.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 200
/* Whole numbers below are exact, and written alike by every jq. */
#define EXACT 1e15

const struct value value_null = {.kind = KIND_NULL};
const struct value value_false = {.kind = KIND_FALSE};
const struct value value_true = {.kind = KIND_TRUE};

void *
keep(size_t size)
{
	static char *chunk;
	static size_t left;
	void *ptr;

	size = (size + 15) & ~(size_t)15;
	if (size > left) {
		left = size > 1 << 20 ? size : 1 << 20;
		chunk = more(NULL, left, 1);
	}
	ptr = memset(chunk, 0, size);
	chunk += size;
	left -= size;
	return ptr;
}

struct value *
value_new(enum kind kind)
{
	struct value *v = keep(sizeof(*v));

	v->kind = kind;
	return v;
}

const struct value *
value_bool(bool b)
{
	return b ? &value_true : &value_false;
}

const struct value *
value_number(double number)
{
	struct value *v = value_new(KIND_NUMBER);

	v->number = number;
	return v;
}

const struct value *
value_string(const char *ptr, size_t len)
{
	struct value *v = value_new(KIND_STRING);

	/* A NUL is behind it. */
	v->text = len == 0 ? "" : memcpy(keep(len + 1), ptr, len);
	v->len = len;
	return v;
}

static void
make_room(struct value *v, size_t count)
{
	const struct value **items, **keys;

	if (count <= v->cap)
		return;
	v->cap = count < 4 ? 4 : 2 * count;
	items = keep(v->cap * sizeof(*items));
	keys = v->kind == KIND_OBJECT ? keep(v->cap * sizeof(*keys)) : NULL;
	if (v->count > 0)
		memcpy(items, v->items, v->count * sizeof(*items));
	if (v->count > 0 && keys != NULL)
		memcpy(keys, v->keys, v->count * sizeof(*keys));
	v->items = items;
	v->keys = keys;
}

struct value *
value_copy(const struct value *v)
{
	struct value *copy = keep(sizeof(*copy));

	*copy = *v;
	copy->cap = 0;
	make_room(copy, v->count);
	return copy;
}

void
value_add(struct value *array, const struct value *item)
{
	make_room(array, array->count + 1);
	array->items[array->count++] = item;
}

static bool
equal_strings(const struct value *a, const struct value *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

size_t
value_find(const struct value *object, const struct value *key)
{
	for (size_t i = 0; i < object->count; i++)
		if (equal_strings(object->keys[i], key))
			return i;
	return (size_t)-1;
}

void
value_set(struct value *object, const struct value *key, const struct value *item)
{
	size_t i = value_find(object, key);

	/* Looking for each of many members would take too long. */
	if (object->count > 5000)
		defer();
	if (i == (size_t)-1) {
		make_room(object, object->count + 1);
		i = object->count++;
		object->keys[i] = key;
	}
	object->items[i] = item;
}

void
value_remove(struct value *v, size_t index)
{
	size_t rest = v->count - index - 1;

	memmove(&v->items[index], &v->items[index + 1], rest * sizeof(*v->items));
	if (v->kind == KIND_OBJECT)
		memmove(&v->keys[index], &v->keys[index + 1], rest * sizeof(*v->keys));
	v->count--;
}

bool
value_is_true(const struct value *v)
{
	return v->kind != KIND_NULL && v->kind != KIND_FALSE;
}

const char *
value_type(const struct value *v)
{
	static const char *const names[] = {
	    "null", "boolean", "boolean", "number", "string", "array", "object"};

	return names[v->kind];
}

void
value_sort(const struct value **keys, const struct value **items, size_t count)
{
	size_t half = count / 2, a, b, n;
	const struct value **all;

	if (count < 2)
		return;
	value_sort(keys, items, half);
	value_sort(keys + half, items + half, count - half);
	all = keep(2 * count * sizeof(*all));
	for (a = 0, b = half, n = 0; n < count; n++) {
		bool first = b == count || (a < half && value_compare(keys[a], keys[b]) <= 0);
		size_t from = first ? a++ : b++;

		all[n] = keys[from];
		all[count + n] = items[from];
	}
	memcpy(keys, all, count * sizeof(*all));
	memcpy(items, all + count, count * sizeof(*all));
}

const struct value *
value_sorted(const struct value *v)
{
	struct value *copy;

	if (v->kind != KIND_ARRAY && v->kind != KIND_OBJECT)
		return v;
	copy = value_copy(v);
	for (size_t i = 0; i < copy->count; i++)
		copy->items[i] = value_sorted(copy->items[i]);
	if (v->kind == KIND_OBJECT)
		value_sort(copy->keys, copy->items, copy->count);
	return copy;
}

static int
compare_items(const struct value *a, const struct value *b)
{
	int order = 0;

	for (size_t i = 0; order == 0 && i < a->count && i < b->count; i++)
		order = value_compare(a->items[i], b->items[i]);
	if (order == 0)
		order = (a->count > b->count) - (a->count < b->count);
	return order;
}

/* Their sorted names are compared first, then the values in that order. */
static int
compare_objects(const struct value *a, const struct value *b)
{
	struct value *x = value_copy(a), *y = value_copy(b);
	struct value names_x, names_y;
	int order;

	value_sort(x->keys, x->items, x->count);
	value_sort(y->keys, y->items, y->count);
	names_x = (struct value){.kind = KIND_ARRAY, .items = x->keys, .count = x->count};
	names_y = (struct value){.kind = KIND_ARRAY, .items = y->keys, .count = y->count};
	order = compare_items(&names_x, &names_y);
	return order != 0 ? order : compare_items(x, y);
}

int
value_compare(const struct value *a, const struct value *b)
{
	int order;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	switch (a->kind) {
	case KIND_NUMBER:
		return (a->number > b->number) - (a->number < b->number);
	case KIND_STRING:
		order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
		return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
	case KIND_ARRAY:
		return compare_items(a, b);
	case KIND_OBJECT:
		return compare_objects(a, b);
	default:
		return 0;
	}
}

size_t
value_offset(const struct value *string, size_t point)
{
	size_t at;

	for (at = 0; at < string->len; at++)
		if (((unsigned char)string->text[at] & 0xc0) != 0x80 && point-- == 0)
			break;
	return at;
}

size_t
value_length(const struct value *string)
{
	size_t count = 0;

	for (size_t at = 0; at < string->len; at++)
		count += ((unsigned char)string->text[at] & 0xc0) != 0x80;
	return count;
}

/* --- Reading ----------------------------------------------------------------------------------- */

static void
skip_blanks(const char **at, const char *end)
{
	while (*at < end && memchr(" \t\r\n", **at, 4) != NULL)
		++*at;
}

static bool
hex4(const char *at, const char *end, uint32_t *code)
{
	char digits[5] = {0};

	if (end - at < 4)
		return false;
	memcpy(digits, at, 4);
	*code = (uint32_t)strtoul(digits, NULL, 16);
	return strspn(digits, "0123456789abcdefABCDEF") == 4;
}

static void
put_code(struct bytes *to, uint32_t c)
{
	if (c < 0x80) {
		bytes_putc(to, (char)c);
		return;
	}
	if (c < 0x800) {
		bytes_putc(to, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			bytes_putc(to, (char)(0xe0 | c >> 12));
		} else {
			bytes_putc(to, (char)(0xf0 | c >> 18));
			bytes_putc(to, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		bytes_putc(to, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	bytes_putc(to, (char)(0x80 | (c & 0x3f)));
}

/* Reads the escape at *at, behind its backslash. */
static bool
parse_escape(struct bytes *to, const char **at, const char *end)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	uint32_t code, low;

	if (*at == end)
		return false;
	letter = memchr(letters, **at, 8);
	if (letter != NULL) {
		++*at;
		bytes_putc(to, meanings[letter - letters]);
		return true;
	}
	if (**at != 'u' || !hex4(*at + 1, end, &code))
		return false;
	if ((code & 0xfc00) == 0xdc00)
		defer();
	*at += 5;
	if ((code & 0xfc00) == 0xd800) {
		if (end - *at < 6 || memcmp(*at, "\\u", 2) != 0 || !hex4(*at + 2, end, &low) ||
		    (low & 0xfc00) != 0xdc00)
			defer();
		*at += 6;
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
	}
	put_code(to, code);
	return true;
}

/* How long the character of UTF-8 is, or 0 when it is none. */
static size_t
character(const char *at, const char *end)
{
	unsigned char c = (unsigned char)*at;
	size_t len = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;

	if (len > (size_t)(end - at))
		return 0;
	for (size_t i = 1; i < len; i++)
		if (((unsigned char)at[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && (unsigned char)at[1] < 0xa0) ||
	    (c == 0xed && (unsigned char)at[1] > 0x9f) ||
	    (c == 0xf0 && (unsigned char)at[1] < 0x90) ||
	    (c == 0xf4 && (unsigned char)at[1] > 0x8f))
		return 0;
	return len;
}

static const struct value *
parse_string(const char **at, const char *end)
{
	struct bytes text = {0};
	const struct value *v;
	size_t len;

	for (++*at; *at < end && **at != '"'; *at += len) {
		len = 0;
		if (**at == '\\') {
			++*at;
			if (!parse_escape(&text, at, end))
				return NULL;
			continue;
		}
		len = character(*at, end);
		if (len == 0 || (unsigned char)**at < 0x20)
			defer();
		bytes_put(&text, *at, len);
	}
	if (*at == end)
		return NULL;
	++*at;
	v = value_string(text.ptr, text.len);
	free(text.ptr);
	return v;
}

static bool print_number(struct bytes *to, double number);

/* One that is written in another way than it was read is left to the jq of the system. */
static const struct value *
parse_number(const char **at, const char *end)
{
	struct bytes text = {0}, again = {0};
	const struct value *v;

	while (*at < end && (isalnum((unsigned char)**at) || memchr("+-.", **at, 3) != NULL))
		bytes_putc(&text, *(*at)++);
	bytes_putc(&text, '\0');
	v = value_number(strtod(text.ptr, NULL));
	if (!print_number(&again, v->number) || again.len != text.len - 1 ||
	    memcmp(text.ptr, again.ptr, again.len) != 0)
		defer();
	free(text.ptr);
	free(again.ptr);
	return v;
}

static const struct value *parse(const char **at, const char *end, int depth);

static const struct value *
parse_items(const char **at, const char *end, int depth)
{
	bool object = **at == '{';
	struct value *v = value_new(object ? KIND_OBJECT : KIND_ARRAY);
	const struct value *key = NULL, *item;

	++*at;
	skip_blanks(at, end);
	if (*at < end && **at == (object ? '}' : ']')) {
		++*at;
		return v;
	}
	do {
		skip_blanks(at, end);
		if (object) {
			key = *at < end && **at == '"' ? parse_string(at, end) : NULL;
			skip_blanks(at, end);
			if (key == NULL || *at == end || *(*at)++ != ':')
				return NULL;
		}
		item = parse(at, end, depth + 1);
		if (item == NULL)
			return NULL;
		if (object)
			value_set(v, key, item);
		else
			value_add(v, item);
		skip_blanks(at, end);
	} while (*at < end && *(*at)++ == ',');
	return (*at)[-1] == (object ? '}' : ']') ? v : NULL;
}

static const struct value *
parse(const char **at, const char *end, int depth)
{
	static const struct {
		const char *name;
		const struct value *value;
	} words[] = {{"null", &value_null}, {"true", &value_true}, {"false", &value_false}};

	skip_blanks(at, end);
	if (depth > DEEPEST)
		defer();
	if (*at == end)
		return NULL;
	if (**at == '"')
		return parse_string(at, end);
	if (**at == '[' || **at == '{')
		return parse_items(at, end, depth);
	if (**at == '-' || isdigit((unsigned char)**at))
		return parse_number(at, end);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t len = strlen(words[i].name);

		if ((size_t)(end - *at) < len || memcmp(*at, words[i].name, len) != 0 ||
		    (*at + len < end && isalnum((unsigned char)(*at)[len])))
			continue;
		*at += len;
		return words[i].value;
	}
	/* Some read nan and infinity. */
	if (isalpha((unsigned char)**at))
		defer();
	return NULL;
}

const struct value *
value_parse(const char **at, const char *end)
{
	return parse(at, end, 0);
}

/* --- Writing ----------------------------------------------------------------------------------- */

/* Returns false for a number that not every jq writes in the same way. */
static bool
print_number(struct bytes *to, double number)
{
	char text[40];
	int digits;

	if (!(fabs(number) < EXACT))
		return false;
	if (number == floor(number)) {
		snprintf(text, sizeof(text), "%.0f", number == 0 ? 0.0 : number);
	} else {
		for (digits = 1; digits <= 17; digits++) {
			snprintf(text, sizeof(text), "%.*g", digits, number);
			if (strtod(text, NULL) == number)
				break;
		}
		if (strchr(text, 'e') != NULL || digits > 15)
			return false;
	}
	bytes_puts(to, text);
	return !(number == 0 && signbit(number));
}

static void
print_string(struct bytes *to, const struct value *v)
{
	static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *letter;
	char escape[8];

	bytes_putc(to, '"');
	for (size_t i = 0; i < v->len; i++) {
		unsigned char c = (unsigned char)v->text[i];

		letter = memchr(letters, c, sizeof(letters) - 1);
		if (c == 0x7f)
			defer();
		if (letter != NULL) {
			bytes_putc(to, '\\');
			bytes_putc(to, names[letter - letters]);
		} else if (c < 0x20) {
			snprintf(escape, sizeof(escape), "\\u%04x", c);
			bytes_puts(to, escape);
		} else {
			bytes_putc(to, (char)c);
		}
	}
	bytes_putc(to, '"');
}

static void
new_line(struct bytes *to, bool pretty, int depth)
{
	if (!pretty)
		return;
	bytes_putc(to, '\n');
	for (int i = 0; i < depth; i++)
		bytes_puts(to, "  ");
}

static void print(struct bytes *to, const struct value *v, bool pretty, int depth);

static void
print_items(struct bytes *to, const struct value *v, bool pretty, int depth)
{
	bytes_putc(to, v->kind == KIND_OBJECT ? '{' : '[');
	for (size_t i = 0; i < v->count; i++) {
		if (i > 0)
			bytes_putc(to, ',');
		new_line(to, pretty, depth + 1);
		if (v->kind == KIND_OBJECT) {
			print_string(to, v->keys[i]);
			bytes_puts(to, pretty ? ": " : ":");
		}
		print(to, v->items[i], pretty, depth + 1);
	}
	if (v->count > 0)
		new_line(to, pretty, depth);
	bytes_putc(to, v->kind == KIND_OBJECT ? '}' : ']');
}

static void
print(struct bytes *to, const struct value *v, bool pretty, int depth)
{
	switch (v->kind) {
	case KIND_NUMBER:
		if (!print_number(to, v->number))
			defer();
		break;
	case KIND_STRING:
		print_string(to, v);
		break;
	case KIND_ARRAY:
	case KIND_OBJECT:
		print_items(to, v, pretty, depth);
		break;
	default:
		bytes_puts(to,
		    v->kind == KIND_NULL     ? "null" :
			v->kind == KIND_TRUE ? "true" :
					       "false");
	}
}

void
value_print(struct bytes *to, const struct value *v, bool pretty)
{
	print(to, v, pretty, 0);
}
