#include "data/archive/archive_index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"

/* The start of a line: {"key":"<digits>","KIND": and then {"stream":"<digits>" for a pass, or
 * {"record":"<digits>" for an about */
enum { READ_SIZE = 1 << 18, HEAD_MOST = 128 };

struct lines {
	struct archive_index *index;
	char head[HEAD_MOST]; /* the first bytes of the line under way */
	size_t head_len;
	uint64_t start; /* of the line under way, in the file */
	char last;      /* the last byte of the line by now */
};

/* Takes the literal from the front of text. */
static bool
take(struct str *text, struct str literal)
{
	if (!str_has_prefix(*text, literal))
		return false;
	*text = str_of(text->ptr + literal.len, text->len - literal.len);
	return true;
}

static bool
take_key(struct str *text, struct archive_key *key)
{
	if (text->len < ARCHIVE_KEY_DIGITS ||
	    !archive_key_read(str_of(text->ptr, ARCHIVE_KEY_DIGITS), key))
		return false;
	*text = str_of(text->ptr + ARCHIVE_KEY_DIGITS, text->len - ARCHIVE_KEY_DIGITS);
	return true;
}

static bool
take_kind(struct str *text, struct archive_index_item *item)
{
	for (item->kind = 0; item->kind < ARCHIVE_KINDS; item->kind++)
		if (take(text, archive_kind_name((enum archive_kind)item->kind)))
			return take(text, STR("\":"));
	return false;
}

/* Reads the head of a line; the rest of head is where its text begins. */
static bool
read_head(struct str *head, struct archive_index_item *item)
{
	struct str text;

	if (!take(head, ARCHIVE_ENTRY) || !take_key(head, &item->key) ||
	    !take(head, STR("\",\"")) || !take_kind(head, item))
		return false;
	text = *head;
	if (item->kind == ARCHIVE_PASS)
		return take(&text, STR("{\"stream\":\"")) && take_key(&text, &item->of);
	return item->kind != ARCHIVE_ABOUT ||
	    (take(&text, STR("{\"record\":\"")) && take_key(&text, &item->of));
}

static uint32_t
replace(struct map *map, const struct archive_key *key, uint32_t number)
{
	uint64_t before = map_set(map, archive_key_hash(key), number);

	return before == MAP_NONE ? NONE : (uint32_t)before;
}

/* Takes the line that ends before the byte end of the file. */
static void
add_line(struct lines *lines, uint64_t end)
{
	struct archive_index *index = lines->index;
	struct archive_index_item item = {.older = NONE, .older_of = NONE};
	struct str head = str_of(lines->head, lines->head_len);

	if (!read_head(&head, &item) || lines->last != '}')
		return;
	item.at = lines->start + (uint64_t)(head.ptr - lines->head);
	item.len = end - 1 - item.at;
	item.older = replace(&index->by_key, &item.key, index->count);
	if (item.kind == ARCHIVE_PASS)
		item.older_of = replace(&index->by_stream, &item.of, index->count);
	else if (item.kind == ARCHIVE_ABOUT)
		item.older_of = replace(&index->by_record, &item.of, index->count);
	LIST_ADD(index->item, index->count, index->cap, item);
}

static void
add_bytes(struct lines *lines, const char *bytes, size_t len)
{
	size_t room = HEAD_MOST - lines->head_len, more = len < room ? len : room;

	if (len == 0)
		return;
	memcpy(lines->head + lines->head_len, bytes, more);
	lines->head_len += more;
	lines->last = bytes[len - 1];
}

/* Takes the bytes that were read at offset at. An unfinished line continues in the next ones. */
static void
add_block(struct lines *lines, const char *bytes, size_t len, uint64_t at)
{
	for (struct str rest = str_of(bytes, len); rest.len > 0;) {
		struct str line = str_take_line(&rest);

		add_bytes(lines, line.ptr, line.len);
		if (rest.ptr == line.ptr + line.len)
			break;
		add_line(lines, at + (uint64_t)(rest.ptr - 1 - bytes));
		lines->head_len = 0;
		lines->start = at + (uint64_t)(rest.ptr - bytes);
	}
}

static bool
fail_read(const struct archive_index *index)
{
	return fault_set_error(index->fault, STATUS_IO, "cannot read '%s'", index->path);
}

static bool
read_lines(struct archive_index *index)
{
	struct lines lines = {.index = index};
	char *bytes = mem_alloc(READ_SIZE, 1);
	uint64_t at = 0;
	bool is_archive = true;
	ssize_t n;

	while ((n = file_read_at(index->fd, bytes, READ_SIZE, at)) > 0) {
		if (at == 0)
			is_archive = archive_may_begin(str_of(bytes, (size_t)n));
		add_block(&lines, bytes, (size_t)n, at);
		at += (uint64_t)n;
	}
	free(bytes);
	if (n < 0)
		return fail_read(index);
	return index->count > 0 || is_archive ||
	    fault_set(
		index->fault, STATUS_DATA, "'%s' is no archive: it has no entry", index->path);
}

bool
archive_index_open(struct archive_index *index, const char *path, struct fault *fault)
{
	struct stat st;

	*index = (struct archive_index){.path = path, .fault = fault};
	index->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (index->fd < 0)
		return fault_set_error(fault, STATUS_NO_INPUT, "cannot open '%s'", path);
	if (fstat(index->fd, &st) != 0)
		return fail_read(index);
	if (!S_ISREG(st.st_mode))
		return fault_set(fault, STATUS_NO_INPUT, "cannot read '%s': no regular file", path);
	return read_lines(index);
}

void
archive_index_close(struct archive_index *index)
{
	if (index->fd >= 0)
		close(index->fd);
	free(index->item);
	map_free(&index->by_key);
	map_free(&index->by_stream);
	map_free(&index->by_record);
}

static uint32_t
get(const struct map *map, const struct archive_key *key)
{
	uint64_t number = map_get(map, archive_key_hash(key));

	return number == MAP_NONE ? NONE : (uint32_t)number;
}

uint32_t
archive_index_find(const struct archive_index *index, const struct archive_key *key)
{
	return get(&index->by_key, key);
}

uint32_t
archive_index_pass(const struct archive_index *index, const struct archive_key *stream)
{
	return get(&index->by_stream, stream);
}

uint32_t
archive_index_about(const struct archive_index *index, const struct archive_key *record)
{
	return get(&index->by_record, record);
}

uint32_t
archive_index_search(const struct archive_index *index, struct str digits, bool *is_alone)
{
	uint32_t found = NONE;
	struct buf hex = BUF_INIT;

	*is_alone = true;
	for (uint32_t i = index->count; i-- > 0;) {
		buf_reset(&hex);
		archive_key_write(&index->item[i].key, &hex);
		if (index->item[i].kind >= ARCHIVE_PASS || !str_has_prefix(buf_str(&hex), digits))
			continue;
		if (found == NONE)
			found = i;
		else if (!archive_key_eq(&index->item[found].key, &index->item[i].key))
			*is_alone = false;
	}
	buf_free(&hex);
	return found;
}

static bool
load(const struct archive_index *index, const struct archive_index_item *item, struct buf *text)
{
	struct archive_key key;
	ssize_t len;

	buf_reset(text);
	if (item->len >= UINT32_MAX)
		return false;
	len = file_read_at(
	    index->fd, buf_reserve(text, (size_t)item->len), (size_t)item->len, item->at);
	if (len < 0)
		return fail_read(index);
	text->len = (size_t)len;
	buf_pad(text);
	key = archive_key_of(buf_str(text));
	return archive_key_eq(&key, &item->key);
}

bool
archive_index_load(const struct archive_index *index, uint32_t item, struct buf *text)
{
	for (; item != NONE; item = index->item[item].older)
		if (load(index, &index->item[item], text))
			return true;
	return false;
}
