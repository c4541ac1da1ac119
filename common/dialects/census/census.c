#include "dialects/census/census.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text/text.h"
#include "dialects/dialect.h"
#include "dialects/rows/member_path.h"

/* The length of the digits at the start of text; *from is set to the first digit that is no leading
 * zero. */
static size_t
count_digits(struct str text, size_t *from)
{
	size_t len = 0;

	while (len < text.len && text.ptr[len] >= '0' && text.ptr[len] <= '9')
		len++;
	*from = 0;
	while (*from + 1 < len && text.ptr[*from] == '0')
		++*from;
	return len;
}

/* Compares versions: 0.9 is before 0.10. An unknown version is before all others. */
static int
compare_versions(const struct census_version *x, const struct census_version *y)
{
	struct str a = str_of(x->text, x->len), b = str_of(y->text, y->len);

	while (a.len > 0 && b.len > 0) {
		size_t from_a, from_b;
		size_t in_a = count_digits(a, &from_a), in_b = count_digits(b, &from_b);
		int order;

		if (in_a == 0 || in_b == 0) {
			if (a.ptr[0] != b.ptr[0])
				return (unsigned char)a.ptr[0] < (unsigned char)b.ptr[0] ? -1 : 1;
			in_a = in_b = 1;
		} else if (in_a - from_a != in_b - from_b) {
			return in_a - from_a < in_b - from_b ? -1 : 1;
		} else if ((order = memcmp(a.ptr + from_a, b.ptr + from_b, in_a - from_a)) != 0) {
			return order < 0 ? -1 : 1;
		}
		a = str_rest(a, in_a);
		b = str_rest(b, in_b);
	}
	return (a.len > 0) - (b.len > 0);
}

/* Appends the type of the value, or else its role. */
static void
add_type(struct buf *text, struct json_value value)
{
	struct json_value role = json_find(value, STR("role"));

	if (role.type == JSON_STRING && json_find(value, STR("type")).type != JSON_STRING)
		buf_add_str(text, json_inner(role));
	else
		buf_add_str(text, tally_name(value));
}

void
census_see(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value record)
{
	struct json_value version = json_absent;
	struct str text;

	buf_reset(&census->record);
	add_type(&census->record, record);
	if (census->file != line->file)
		census->version.len = 0;
	census->file = line->file;
	if (dialect->version != NULL)
		version = member_path_find(record, str_from(dialect->version));
	if (version.type != JSON_STRING && version.type != JSON_NUMBER)
		return;
	text = version.type == JSON_STRING ? json_inner(version) : json_span(version);
	census->version.len = text.len < CENSUS_VERSION_MAX ? text.len : CENSUS_VERSION_MAX;
	memcpy(census->version.text, text.ptr, census->version.len);
}

/* Counts the name in census->text. */
static void
add(struct census *census, const struct dialect *dialect, const struct line *line)
{
	struct str name = buf_str(&census->text);
	struct census_row *row;
	uint64_t at;
	struct hash key;

	if (name.len > CENSUS_NAME_MAX)
		name.len = CENSUS_NAME_MAX;
	key = hash_bytes(name, hash_label(str_from(dialect->name)));
	at = map_get(&census->by_name, key);
	if (at == MAP_NONE && census->count == CENSUS_ROWS_MAX) {
		census->others++;
		return;
	}
	if (at == MAP_NONE) {
		at = census->count++;
		map_set(&census->by_name, key, at);
		if (at == census->cap) {
			census->cap = mem_grow(census->cap, census->count);
			census->row = mem_realloc(census->row, census->cap, sizeof *census->row);
		}
		census->row[at] = (struct census_row){.dialect = dialect,
		    .name = arena_copy(&census->names, name),
		    .first = census->version,
		    .last = census->version,
		    .file = line->file,
		    .line = line->number};
	}
	row = &census->row[at];
	row->count++;
	if (compare_versions(&census->version, &row->first) < 0)
		row->first = census->version;
	if (compare_versions(&census->version, &row->last) > 0)
		row->last = census->version;
}

/* Whether the path leads to the version. */
static bool
is_version(const struct dialect *dialect, struct str path, struct str name)
{
	struct str choices = str_from(dialect->version != NULL ? dialect->version : "");

	while (choices.len > 0) {
		const char *end = memchr(choices.ptr, '|', choices.len);
		size_t len = end != NULL ? (size_t)(end - choices.ptr) : choices.len;

		if (len == path.len + name.len && str_has_prefix(choices, path) &&
		    str_eq(str_of(choices.ptr + path.len, name.len), name))
			return true;
		choices = str_rest(choices, len + (end != NULL));
	}
	return false;
}

void
census_add_record(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value record)
{
	census_see(census, dialect, line, record);
	buf_set(&census->text, STR("record "));
	buf_add_str(&census->text, buf_str(&census->record));
	add(census, dialect, line);
}

void
census_add_part(struct census *census, const struct dialect *dialect, const struct line *line,
    struct json_value part)
{
	buf_set(&census->text, STR("part "));
	buf_add_str(&census->text, buf_str(&census->record));
	buf_add_char(&census->text, ' ');
	add_type(&census->text, part);
	add(census, dialect, line);
}

void
census_open(struct census *census, struct json_value value, bool is_record)
{
	census->is_record = is_record;
	buf_set(&census->value, STR("member "));
	buf_add_str(&census->value, buf_str(&census->record));
	if (!is_record) {
		buf_add_char(&census->value, ' ');
		add_type(&census->value, value);
	}
	buf_add_char(&census->value, '.');
}

void
census_add_member(struct census *census, const struct dialect *dialect, const struct line *line,
    struct str path, struct json_value name)
{
	if (census->is_record && is_version(dialect, path, json_inner(name)))
		return;
	buf_set(&census->text, buf_str(&census->value));
	buf_add_str(&census->text, path);
	buf_add_str(&census->text, json_inner(name));
	add(census, dialect, line);
}

static int
compare_rows(const void *a, const void *b)
{
	const struct census_row *x = a, *y = b;
	int order = strcmp(x->dialect->name, y->dialect->name);

	if (order == 0)
		order = compare_versions(&y->first, &x->first);
	return order != 0 ? order : str_compare(x->name, y->name);
}

/* Appends text, and blanks up to that width. */
static void
add_column(struct buf *text, struct str column, size_t width)
{
	struct buf visible = BUF_INIT;
	size_t columns;

	text_add_visible(&visible, column);
	buf_add_str(text, buf_str(&visible));
	for (columns = text_columns(buf_str(&visible)); columns < width; columns++)
		buf_add_char(text, ' ');
	buf_add_str(text, STR("  "));
	buf_free(&visible);
}

/* The versions, as "2.0.1-2.1.7", or one; "?" for one that is not said. */
static struct str
write_versions(const struct census_row *row, struct buf *text)
{
	buf_set(text, row->first.len > 0 ? str_of(row->first.text, row->first.len) : STR("?"));
	if (compare_versions(&row->first, &row->last) != 0) {
		buf_add_char(text, '-');
		buf_add(text, row->last.text, row->last.len);
	}
	return buf_str(text);
}

static void
write_row(const struct census_row *row, struct buf *scratch, struct buf *text)
{
	enum { FORMAT_WIDTH = 11, VERSIONS_WIDTH = 17 };

	buf_add_fmt(text, "%8ju  ", (uintmax_t)row->count);
	add_column(text, str_from(row->dialect->name), FORMAT_WIDTH);
	add_column(text, write_versions(row, scratch), VERSIONS_WIDTH);
	add_column(text, row->name, 0);
	text_add_visible(text, str_from(row->file));
	buf_add_fmt(text, ":%zu\n", row->line);
}

void
census_write(struct census *census, struct buf *text)
{
	if (census->count > 0)
		qsort(census->row, census->count, sizeof *census->row, compare_rows);
	for (uint32_t i = 0; i < census->count; i++)
		write_row(&census->row[i], &census->text, text);
	if (census->others > 0)
		buf_add_fmt(text, "%8ju  others\n", (uintmax_t)census->others);
}

void
census_free(struct census *census)
{
	free(census->row);
	map_free(&census->by_name);
	arena_free(&census->names);
	buf_free(&census->record);
	buf_free(&census->value);
	buf_free(&census->text);
}
