#include "policy/facts/facts_text.h"

#include "base/number.h"
#include "base/text/file_path.h"
#include "base/text/text.h"
#include "json/string.h"
#include "policy/digest/section.h"
#include "policy/text/cut.h"
#include "policy/text/quote.h"

enum {
	SHOWN_BYTES = 200,  /* the most of a thing that the text shows */
	COMPARED = 100,     /* paths of a list by which the directory is chosen */
	READ_PART = 4,      /* files that were read have that part of the room of files */
	MODIFIED_HALVES = 3 /* and those that were modified so many halves of it */
};

/* A thing in its visible form, cut if it is long. A JSON string becomes its text; other JSON stays
 * JSON. */
static void
write_shown(struct str item, bool is_json, struct buf *out)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;
	bool is_text = !is_json || item.ptr[0] == '"';

	if (is_json && is_text)
		item = json_text(json_value_at(item.ptr), &text);
	cut_middle(item, SHOWN_BYTES, &shown);
	if (is_text)
		quote_add(out, buf_str(&shown), str_find(buf_str(&shown), STR(", ")) != NULL);
	else
		text_add_visible(out, buf_str(&shown));
	buf_free(&text);
	buf_free(&shown);
}

/* A list as the text shows it. Modified files are two lists: scratch files, and lasting ones. */
struct shown {
	const struct section *section;
	const char *title;
	enum { SHOWN_ALL, SHOWN_LASTING, SHOWN_SCRATCH } part;
	const struct things *list;
	const struct things *but; /* the list whose things are left out, or NULL */
	struct str directory;     /* the directory of relative paths; "": none */
	struct str root;          /* where most files are, or "" */
	uint32_t first;           /* the newest things, from this item on */
	uint32_t count, all;
};

/* Whether the path is of a file that nobody keeps; root is where most files are, or "". */
static bool
is_scratch(struct str path, struct str root)
{
	static const struct str places[] = {
	    STR_INIT("/tmp/"), STR_INIT("/var/tmp/"), STR_INIT("/private/tmp/")};

	return STR_HAS_ANY_PREFIX(path, places) &&
	    !(STR_HAS_ANY_PREFIX(root, places) && file_path_is_under(path, root));
}

/* Whether a file was modified that is no scratch: else that is where the project is. */
static bool
has_lasting(const struct things *modified, struct str root)
{
	for (uint32_t i = modified->used; i-- > 0;)
		if (modified->item[i].len > 0 && !is_scratch(modified->item[i], root))
			return true;
	return false;
}

/* Returns whether the text shows the item. */
static bool
write_item(const struct shown *shown, uint32_t i, struct buf *out)
{
	struct str item = shown->list->item[i];

	if (item.len == 0 || (shown->but != NULL && things_has(shown->but, item)))
		return false;
	if (shown->part != SHOWN_ALL &&
	    is_scratch(item, shown->root) != (shown->part == SHOWN_SCRATCH))
		return false;
	if (shown->section->show != NULL)
		return shown->section->show(item, out);
	if (file_path_is_under(item, shown->directory))
		item = str_of(
		    item.ptr + shown->directory.len + 1, item.len - shown->directory.len - 1);
	write_shown(item, shown->section->is_json, out);
	return true;
}

/* Takes the newest things of a list whose names fit into *room bytes, and takes these bytes off. */
static void
choose(struct shown *shown, size_t *room)
{
	struct buf name = BUF_INIT;
	bool is_full = false;

	shown->first = shown->list->used;
	for (uint32_t i = shown->list->used; i-- > 0;) {
		buf_reset(&name);
		if (!write_item(shown, i, &name))
			continue;
		shown->all++;
		if (is_full)
			continue;
		is_full = name.len + strlen(", ") > *room;
		if (is_full)
			continue;
		*room -= name.len + strlen(", ");
		shown->first = i;
		shown->count++;
	}
	buf_free(&name);
}

/* Whether a path that is shown was neither absolute nor of the user's home. */
static bool
shows_relative(const struct shown *shown)
{
	for (uint32_t i = shown->first; i < shown->list->used; i++) {
		struct str path = shown->list->item[i];

		if (path.len > 0 && path.ptr[0] != '/' && !str_has_prefix(path, STR("~/")) &&
		    (shown->but == NULL || !things_has(shown->but, path)))
			return true;
	}
	return false;
}

static void
write_line(const struct shown *shown, struct buf *out)
{
	struct str before = STR("");
	size_t end;

	if (shown->all == 0)
		return;
	buf_add_fmt(out, "\n%s: ", shown->title);
	for (uint32_t i = shown->first; i < shown->list->used; i++) {
		end = out->len;
		buf_add_str(out, before);
		if (write_item(shown, i, out))
			before = STR(", ");
		else
			out->len = end;
	}
	if (shown->count == shown->all)
		return;
	buf_add_str(out, shown->count > 0 ? STR(" and ") : STR(""));
	number_write_grouped(out, shown->all - shown->count);
	buf_add_str(out, STR(" more"));
}

/* How many bytes the newest paths of the list save by the directory. */
static size_t
saved_by(const struct things *list, struct str directory)
{
	size_t saved = 0;
	uint32_t seen = 0;

	for (uint32_t i = list->used; i-- > 0 && seen < COMPARED; seen++)
		if (file_path_is_under(list->item[i], directory))
			saved += directory.len + 1;
	return saved;
}

/* The directory, of the newest absolute path, that saves most bytes, or "". */
static struct str
find_directory(const struct facts *facts)
{
	const struct things *written = &facts->list[FACTS_MODIFIED];
	const struct things *list = written->count > 0 ? written : &facts->list[FACTS_READ];
	struct str path = STR(""), best = STR("");
	size_t most = 0;

	for (uint32_t i = list->used; i-- > 0 && path.len == 0;)
		if (list->item[i].len > 0 && list->item[i].ptr[0] == '/')
			path = list->item[i];
	for (size_t i = 1; i < path.len; i++) {
		struct str directory = str_of(path.ptr, i);
		size_t saved;

		if (path.ptr[i] != '/')
			continue;
		saved =
		    saved_by(written, directory) + saved_by(&facts->list[FACTS_READ], directory);
		if (saved > most + i + strlen("Directory: ")) {
			most = saved;
			best = directory;
		}
	}
	return quote_is_needed(best) ? STR("") : best;
}

/* Chooses the shown things of each list, with paths relative to the directory. Returns whether a
 * path is shown that is relative to another one, which the text does not name. */
static bool
choose_all(const struct facts *facts, struct str root, struct str directory, size_t room,
    size_t paths, struct shown shown[FACTS_SECTIONS + 1])
{
	struct shown *scratch = &shown[FACTS_SECTIONS];
	bool is_other = false;
	size_t given;

	for (unsigned turn = 0; turn < FACTS_SECTIONS; turn++)
		for (unsigned i = 0; i < FACTS_SECTIONS; i++) {
			if (section_table[i].form != SECTION_OF_NAMES ||
			    section_table[i].turn != turn)
				continue;
			shown[i] = (struct shown){.section = &section_table[i],
			    .title = section_table[i].title,
			    .list = &facts->list[i],
			    .but = i == FACTS_READ ? &facts->list[FACTS_MODIFIED] : NULL,
			    .root = root,
			    .directory = section_table[i].is_path ? directory : STR("")};
			given = i == FACTS_READ ? paths / READ_PART :
			    i == FACTS_MODIFIED ? paths * MODIFIED_HALVES / 2 :
						  paths;
			if (!section_table[i].is_path || paths >= room || given > room)
				given = room;
			room -= given;
			if (i == FACTS_MODIFIED && has_lasting(shown[i].list, root)) {
				shown[i].part = SHOWN_LASTING;
				*scratch = shown[i];
				scratch->title = "Scratch files";
				scratch->part = SHOWN_SCRATCH;
			}
			choose(&shown[i], &given);
			if (i == FACTS_MODIFIED && shown[i].part == SHOWN_LASTING)
				choose(scratch, &given);
			room += given;
			is_other |= section_table[i].is_path && shows_relative(&shown[i]);
		}
	return is_other;
}

void
facts_text_write(const struct facts *facts, size_t room, size_t paths, struct buf *buf)
{
	struct str root, directory;
	struct shown shown[FACTS_SECTIONS + 1] = {{.all = 0}};

	if (room == 0)
		return;
	root = directory = find_directory(facts);
	if (choose_all(facts, root, directory, room, paths, shown) && directory.len > 0) {
		directory = STR("");
		choose_all(facts, root, directory, room, paths, shown);
	}
	if (directory.len > 0)
		buf_add_fmt(buf, "\nDirectory: %.*s", STR_ARG(directory));
	for (unsigned i = 0; i < FACTS_SECTIONS; i++)
		if (section_table[i].form == SECTION_OF_NAMES) {
			write_line(&shown[i], buf);
			/* Their number alone is of no use. */
			if (i == FACTS_MODIFIED && shown[FACTS_SECTIONS].count > 0)
				write_line(&shown[FACTS_SECTIONS], buf);
		}
}
