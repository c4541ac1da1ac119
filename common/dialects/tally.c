#include "dialects/tally.h"

#include <stdlib.h>

#include "json/members.h"

void
tally_add(struct tally *tally, struct str name)
{
	tally_add_many(tally, name, 1);
}

void
tally_add_many(struct tally *tally, struct str name, uint64_t count)
{
	struct tally_row *row = tally->row;

	tally->sum += count;
	for (unsigned i = 0; i < tally->rows; i++, row++)
		if (str_eq(str_of(row->name, row->len), name)) {
			row->count += count;
			return;
		}
	if (count == 0 || tally->rows == TALLY_MAX || name.len > TALLY_NAME_MAX) {
		tally->others += count;
		return;
	}
	tally->rows++;
	row->len = name.len;
	row->count = count;
	memcpy(row->name, name.ptr, name.len);
}

void
tally_remove(struct tally *tally, struct str name)
{
	tally->sum--;
	for (unsigned i = 0; i < tally->rows; i++)
		if (str_eq(str_of(tally->row[i].name, tally->row[i].len), name)) {
			tally->row[i].count--;
			return;
		}
	tally->others--;
}

struct str
tally_name(struct json_value record)
{
	struct json_value type = json_absent;

	if (record.type == JSON_OBJECT)
		type = json_find(record, STR("type"));
	if (type.type == JSON_STRING && type.len > 2 && !type.escaped)
		return json_inner(type);
	return record.type == JSON_OBJECT ? STR("object") : STR("value");
}

void
tally_add_record(struct tally *tally, struct json_value record)
{
	tally_add(tally, tally_name(record));
}

void
tally_add_all(struct tally *tally, const struct tally *more)
{
	for (unsigned i = 0; i < more->rows; i++)
		tally_add_many(
		    tally, str_of(more->row[i].name, more->row[i].len), more->row[i].count);
	tally->others += more->others;
	tally->sum += more->others;
}

static int
compare(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return str_compare(str_of(x->name, x->len), str_of(y->name, y->len));
}

void
tally_sort(struct tally *tally)
{
	qsort(tally->row, tally->rows, sizeof tally->row[0], compare);
}

void
tally_write(const struct tally *tally, struct json_writer *w)
{
	json_open(w, '{');
	for (unsigned i = 0; i < tally->rows; i++)
		if (tally->row[i].count > 0)
			json_member_integer(w, str_of(tally->row[i].name, tally->row[i].len),
			    (int64_t)tally->row[i].count);
	if (tally->others > 0)
		json_member_integer(w, STR("others"), (int64_t)tally->others);
	json_close(w);
}

void
tally_say(const struct tally *tally, struct buf *text)
{
	const char *comma = "";

	for (unsigned i = 0; i < tally->rows; i++) {
		if (tally->row[i].count == 0)
			continue;
		buf_add_fmt(text, "%s%ju %.*s", comma, (uintmax_t)tally->row[i].count,
		    (int)tally->row[i].len, tally->row[i].name);
		comma = ", ";
	}
	if (tally->others > 0)
		buf_add_fmt(text, "%s%ju others", comma, (uintmax_t)tally->others);
}
