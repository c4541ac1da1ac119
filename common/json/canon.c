#include "json/canon.h"

#include "json/path/path.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"

/*
 * Members are written in another order than they are read, so the value is read into a tree:
 *
 *     {"b":[1],"a":2}      node {  first -> node b [ first -> node 1
 *                                              next -> node a 2
 */
struct node {
	struct node *parent, *next, *first;
	struct node **tail; /* the place of the next child, while reading */
	struct str name;    /* decoded, of a member */
	struct json_value value;
};

static struct str
decoded(struct json_value string, struct buf *scratch, struct arena *arena)
{
	struct str text = json_text(string, scratch);

	return string.escaped ? arena_copy(arena, text) : text;
}

static struct node *
add_child(struct node *parent, struct json_value value, struct str name, struct arena *arena)
{
	struct node *node = arena_alloc(arena, sizeof *node);

	*node = (struct node){.parent = parent, .name = name, .value = value};
	node->tail = &node->first;
	if (parent != NULL) {
		*parent->tail = node;
		parent->tail = &node->next;
	}
	return node;
}

static struct node *
merge(struct node *a, struct node *b)
{
	struct node *first = NULL, **tail = &first;

	while (a != NULL && b != NULL) {
		struct node **from = str_compare(a->name, b->name) <= 0 ? &a : &b;

		*tail = *from;
		tail = &(*from)->next;
		*from = *tail;
	}
	*tail = a != NULL ? a : b;
	return first;
}

/*
 * Sorts members by name, with a merge sort. run[i] holds 2^i sorted nodes, or none. Older nodes are
 * in higher runs, so repeated names keep their order.
 */
static struct node *
sort(struct node *list)
{
	struct node *run[64], *sorted = NULL;
	unsigned used = 0;

	while (list != NULL) {
		struct node *node = list;
		unsigned i = 0;

		list = list->next;
		node->next = NULL;
		for (; i < used && run[i] != NULL; i++) {
			node = merge(run[i], node);
			run[i] = NULL;
		}
		used += i == used;
		run[i] = node;
	}
	for (unsigned i = 0; i < used; i++)
		sorted = merge(run[i], sorted);
	return sorted;
}

/* Reads the value into a tree. The node of a container stays open until its closing bracket comes,
 * so every byte is read once. */
static struct node *
read_tree(const char *p, struct buf *scratch, struct arena *arena)
{
	struct node *parent = NULL, *node;
	struct str name = STR("");

	for (;; p++) {
		if (byte_is_blank(*p) || *p == ',')
			continue;
		if (*p == '}' || *p == ']') {
			if (*p == '}')
				parent->first = sort(parent->first);
			if (parent->parent == NULL)
				return parent;
			parent = parent->parent;
			continue;
		}
		if (parent != NULL && parent->value.type == JSON_OBJECT) {
			struct json_value key = json_value_at(p);

			name = decoded(key, scratch, arena);
			p = json_skip_blank(json_skip_blank(p + key.len) + 1);
		}
		if (*p == '{' || *p == '[') {
			enum json_type type = *p == '{' ? JSON_OBJECT : JSON_ARRAY;

			parent = add_child(parent, json_value_of(p, p + 1, type), name, arena);
			continue;
		}
		node = add_child(parent, json_value_at(p), name, arena);
		p += node->value.len - 1;
	}
}

static bool
is_container(struct json_value value)
{
	return value.type == JSON_OBJECT || value.type == JSON_ARRAY;
}

/* Appends JSON with the escapes of its strings as the writer spells them: it never puts \/, and it
 * spells few characters as \uXXXX. */
static void
write_escapes(struct str text, struct buf *buf)
{
	const char *from = text.ptr, *end = from + text.len, *at;

	while ((at = json_path()->long_escape(from, end)) < end) {
		char bytes[4];
		unsigned len;

		buf_add(buf, from, (size_t)(at - from));
		len = json_decode_escape(&at, end, bytes);
		json_write_escaped(buf, str_of(bytes, len));
		from = at;
	}
	buf_add(buf, from, (size_t)(end - from));
}

static void
write_leaf(struct json_value value, struct buf *buf)
{
	if (value.type == JSON_STRING && value.escaped)
		write_escapes(json_span(value), buf);
	else
		buf_add_str(buf, json_span(value));
}

/* Writes the closing brackets of the containers that end with node. Returns node, or the innermost
 * container around it, that has a next sibling; NULL when none has. */
static const struct node *
close_parents(const struct node *node, struct buf *buf)
{
	while (node != NULL && node->next == NULL) {
		node = node->parent;
		if (node != NULL)
			buf_add_char(buf, node->value.type == JSON_OBJECT ? '}' : ']');
	}
	return node;
}

static void
write_tree(const struct node *node, struct buf *buf)
{
	while (node != NULL) {
		if (node->parent != NULL && node->parent->value.type == JSON_OBJECT) {
			json_write_string(buf, node->name);
			buf_add_char(buf, ':');
		}
		if (is_container(node->value))
			buf_add_char(buf, *node->value.ptr);
		else
			write_leaf(node->value, buf);
		if (node->first != NULL) {
			node = node->first;
			continue;
		}
		if (is_container(node->value))
			buf_add_char(buf, node->value.type == JSON_OBJECT ? '}' : ']');
		node = close_parents(node, buf);
		if (node != NULL) {
			buf_add_char(buf, ',');
			node = node->next;
		}
	}
}

void
json_canon(struct json_value value, struct buf *buf, struct arena *arena)
{
	struct buf scratch = BUF_INIT;

	if (is_container(value))
		write_tree(read_tree(value.ptr, &scratch, arena), buf);
	else if (value.type != JSON_ABSENT)
		write_leaf(value, buf);
	buf_free(&scratch);
}

void
json_squeeze(struct json_value value, struct buf *buf)
{
	const char *p = value.ptr, *end = p + value.len;

	while (p < end) {
		const char *start = p;

		while (p < end && *p != '"' && !byte_is_blank(*p))
			p++;
		buf_add(buf, start, (size_t)(p - start));
		if (p < end && *p == '"') {
			struct json_value string = json_value_at(p);

			write_leaf(string, buf);
			p += string.len;
		}
		while (p < end && byte_is_blank(*p))
			p++;
	}
}

struct hash
json_squeezed_hash(
    struct json_value value, const struct json_spans *spans, struct hash seed, struct buf *scratch)
{
	if (spans != NULL && !spans->has_blank && !spans->has_long_escape)
		return hash_bytes(json_span(value), seed);
	buf_reset(scratch);
	if (spans != NULL && !spans->has_blank)
		write_escapes(json_span(value), scratch);
	else
		json_squeeze(value, scratch);
	return hash_bytes(buf_str(scratch), seed);
}
