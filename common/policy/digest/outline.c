#include "policy/digest/outline.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"
#include "data/archive/archive.h"
#include "data/change.h"
#include "json/leaves.h"
#include "json/string.h"
#include "policy/text/call_text.h"
#include "policy/digest/line_class.h"
#include "policy/digest/wrapping.h"
#include "policy/framing.h"

enum {
	LINE_MOST = 240,  /* bytes of a detail */
	SAID_MOST = 600,  /* of a paragraph of the agent */
	USER_MOST = 1200, /* of a message of the user */
	COMMAND_MOST = 200,
	VALUE_MOST = 255,
	FADE = 2, /* what a line loses of its value for each one of its class before it */
	FADE_MOST = 60,
};

/* What stands in front of a line, by its kind. */
static const struct str marks[OUTLINE_KINDS] = {
    [OUTLINE_USER] = STR_INIT("user: "),
    [OUTLINE_SAID] = STR_INIT("- "),
    [OUTLINE_CALL] = STR_INIT(""),
    [OUTLINE_MORE] = STR_INIT("    "),
    [OUTLINE_ADDED] = STR_INIT("  + "),
    [OUTLINE_REMOVED] = STR_INIT("  - "),
    [OUTLINE_FOUND] = STR_INIT("  = "),
};

/* Of heads. */
enum { VALUE_USER = 230, VALUE_SAID = 210, VALUE_DONE = 170, VALUE_LOOKED = 150, VALUE_AGAIN = 1 };

/* Where a detail is from. */
enum source { SOURCE_USER, SOURCE_RUN, SOURCE_ADDED, SOURCE_REMOVED, SOURCE_FILE, SOURCES };

static const uint8_t detail_values[SOURCES][LINE_CLASSES] = {
    [SOURCE_USER] = {0, 150, 150, 170, 210, 190, 190},
    [SOURCE_RUN] = {0, 110, 110, 120, 120, 160, 165},
    [SOURCE_ADDED] = {0, 110, 130, 140, 135, 0, 0},
    [SOURCE_REMOVED] = {0, 80, 90, 95, 90, 0, 0},
    [SOURCE_FILE] = {0, 85, 105, 110, 110, 0, 0},
};

struct outliner {
	struct outline *outline;
	const struct session *session;
	uint32_t head;               /* of the step under way */
	struct str key;              /* of its record; "" when that is not archived */
	uint32_t seen[LINE_CLASSES]; /* lines of the step by class */
	struct buf scratch;
};

/* Appends a text in visible form, cut to about most bytes at a blank, as one line. */
static void
add_words(struct str text, size_t most, struct buf *out)
{
	const char *p = text.ptr, *end;
	char shown[VISIBLE_MAX];
	bool is_cut = text.len > most;

	if (is_cut) {
		size_t at = utf8_floor(text, most);

		for (size_t i = at; i > at / 2; i--)
			if (text.ptr[i - 1] == ' ' || text.ptr[i - 1] == '\n') {
				at = i - 1;
				break;
			}
		text.len = at;
	}
	for (end = text.ptr + text.len; p < end;)
		if (*p == '\n' || *p == '\t') {
			buf_add_char(out, ' ');
			p++;
		} else {
			buf_add(out, shown, visible_next(&p, end, shown));
		}
	if (is_cut)
		buf_add_str(out, STR(" …"));
}

enum { KEY_SHORT = 8 }; /* digits that most often are of one key alone */

/* Notes the key of the step under way. */
static void
set_key(struct outliner *o, struct str digits)
{
	struct map *keys = &o->outline->keys;
	struct hash full = hash_bytes(digits, hash_seed(HASH_ARCHIVE));
	struct hash first = hash_bytes(str_of(digits.ptr, KEY_SHORT), hash_seed(HASH_LABEL));

	o->key = arena_copy(&o->outline->arena, digits);
	if (map_set(keys, full, 1) == MAP_NONE)
		map_set(keys, first, map_get(keys, first) == MAP_NONE ? 1 : 2);
}

/* The key of an entry, where what is dropped is archived. */
static void
find_key(struct outliner *o, uint32_t entry)
{
	struct entry original = change_original(o->session, entry);
	struct buf digits = BUF_INIT;
	struct archive_key key;

	if (o->session->recall.len == 0)
		return;
	key = archive_key_of(entry_text(&original));
	archive_key_write(&key, &digits);
	set_key(o, str_of(digits.ptr, ARCHIVE_KEY_SHORT));
	buf_free(&digits);
}

/* Adds the line in scratch, unless it is there already. */
static void
add_line(struct outliner *o, enum outline_kind kind, unsigned value)
{
	struct outline *outline = o->outline;
	struct str text = str_trim(buf_str(&o->scratch));
	bool is_head = kind <= OUTLINE_CALL;

	if (text.len == 0)
		return;
	if (map_set(&outline->seen, hash_bytes(text, hash_seed(HASH_LABEL)), 1) != MAP_NONE) {
		if (kind != OUTLINE_CALL)
			return;
		value = VALUE_AGAIN;
	}
	LIST_ROOM(outline->line, outline->count, outline->cap);
	if (is_head)
		o->head = outline->count;
	outline->line[outline->count++] = (struct outline_line){is_head ? o->key : STR(""),
	    arena_copy(&outline->arena, text), o->head, (uint8_t)kind, (uint8_t)value, false};
}

static void
add_detail(struct outliner *o, struct str line, enum source source)
{
	static const enum outline_kind kinds[SOURCES] = {
	    OUTLINE_MORE, OUTLINE_FOUND, OUTLINE_ADDED, OUTLINE_REMOVED, OUTLINE_FOUND};
	struct str bare = line_class_bare(line);
	enum line_class class = line_class_of(bare, source <= SOURCE_RUN);
	unsigned value = detail_values[source][class], fade;

	if (value == 0)
		return;
	fade = o->seen[class]++ * FADE;
	value -= fade < FADE_MOST ? fade : FADE_MOST;
	value -= (unsigned)(bare.len < LINE_MOST ? bare.len : LINE_MOST) / 16;
	buf_reset(&o->scratch);
	add_words(bare, LINE_MOST, &o->scratch);
	add_line(o, kinds[source], value);
}

/* The text without the escapes that colour it, and of each line what a terminal shows last. */
static struct str
shown_text(struct str text, struct buf *buf)
{
	size_t line = 0;

	if (text.len == 0 || memchr(text.ptr, '\x1b', text.len) == NULL)
		return text;
	buf_reset(buf);
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '\x1b') {
			while (i + 1 < text.len &&
			    memchr("[;?0123456789", text.ptr[i + 1], 13) != NULL)
				i++;
			i++;
			continue;
		}
		if (c == '\r')
			buf->len = line;
		else
			buf_add_char(buf, c);
		if (c == '\n')
			line = buf->len;
	}
	return buf_str(buf);
}

static void
add_details(struct outliner *o, struct str text, enum source source)
{
	struct buf shown = BUF_INIT;

	text = shown_text(text, &shown);
	while (text.len > 0)
		add_detail(o, str_take_line(&text), source);
	buf_free(&shown);
}

/* A patch says of each line whether it is new. */
static void
add_patch(struct outliner *o, struct str text)
{
	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (line.len > 1 && line.ptr[0] == '+')
			add_detail(o, str_of(line.ptr + 1, line.len - 1), SOURCE_ADDED);
		else if (line.len > 1 && line.ptr[0] == '-')
			add_detail(o, str_of(line.ptr + 1, line.len - 1), SOURCE_REMOVED);
	}
}

static bool
is_announcement(struct str sentence)
{
	static const struct str starts[] = {STR_INIT("Now "), STR_INIT("Let me "),
	    STR_INIT("Let's "), STR_INIT("I'll "), STR_INIT("I will "), STR_INIT("Perfect"),
	    STR_INIT("Great"), STR_INIT("Excellent"), STR_INIT("Next"), STR_INIT("First, "),
	    STR_INIT("Good"), STR_INIT("I need to "), STR_INIT("I'm going to "), STR_INIT("Sure"),
	    STR_INIT("Okay")};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (str_has_prefix(sentence, starts[i]) &&
		    (sentence.len < 24 || sentence.ptr[sentence.len - 1] == ':' || i < 5))
			return true;
	return false;
}

/* Takes the first sentence off the line. */
static struct str
take_sentence(struct str *line)
{
	size_t at = 1;

	while (at < line->len &&
	    !(line->ptr[at] == ' ' && memchr(".!?", line->ptr[at - 1], 3) != NULL))
		at++;
	at = at < line->len ? at : line->len;
	*line = (struct str){line->ptr + at, line->len - at};
	return str_trim(str_of(line->ptr - at, at));
}

/* Headings and what introduces a list say little; of a long text, the first lines say most. */
static unsigned
value_of_said(struct str line, uint32_t before)
{
	unsigned fade = before * 3 < FADE_MOST ? before * 3 : FADE_MOST;

	if (line.ptr[0] == '#' || line.ptr[line.len - 1] == ':' || str_has_suffix(line, STR(":**")))
		return VALUE_SAID - FADE_MOST - 40;
	return VALUE_SAID - fade;
}

/* Each line of what the agent said is a line of the outline, without announcements. */
static void
add_said(struct outliner *o, struct str text)
{
	struct buf left = BUF_INIT;
	uint32_t count = 0;

	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text));

		if (str_has_prefix(line, STR("- ")) || str_has_prefix(line, STR("* ")))
			line = str_of(line.ptr + 2, line.len - 2);
		buf_reset(&left);
		while (line.len > 0) {
			struct str sentence = take_sentence(&line);

			if (sentence.len == 0 || is_announcement(sentence))
				continue;
			if (left.len > 0)
				buf_add_char(&left, ' ');
			buf_add_str(&left, sentence);
		}
		if (left.len < 12)
			continue;
		buf_reset(&o->scratch);
		add_words(buf_str(&left), SAID_MOST, &o->scratch);
		add_line(o, OUTLINE_SAID, value_of_said(buf_str(&left), count++));
	}
	buf_free(&left);
}

/* A command without the shell in front. */
static struct str
command_of(const struct call *call)
{
	static const struct str shells[] = {
	    STR_INIT("bash -lc "), STR_INIT("bash -c "), STR_INIT("sh -c ")};
	struct str command = call->use.target;

	for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
		if (str_has_prefix(command, shells[i]))
			return str_of(command.ptr + shells[i].len, command.len - shells[i].len);
	return command;
}

/* Whether the command only reads what can be read again. */
static bool
is_reading(struct str command)
{
	static const struct str words[] = {STR_INIT("cat "), STR_INIT("sed -n"), STR_INIT("head "),
	    STR_INIT("tail "), STR_INIT("grep "), STR_INIT("rg "), STR_INIT("find "),
	    STR_INIT("ls"), STR_INIT("nl "), STR_INIT("wc "), STR_INIT("tree"), STR_INIT("awk ")};

	if (str_has_prefix(command, STR("cd ")) && str_find(command, STR("&& ")) != NULL) {
		const char *after = str_find(command, STR("&& ")) + 3;

		command = str_of(after, command.len - (size_t)(after - command.ptr));
	}
	while (command.len > 0 && memchr("'\"( ", command.ptr[0], 4) != NULL)
		command = str_of(command.ptr + 1, command.len - 1);
	return STR_HAS_ANY_PREFIX(command, words);
}

static enum source
source_of(const struct call *call)
{
	if (call->use.op == TOOL_SHELL)
		return is_reading(command_of(call)) ? SOURCE_FILE : SOURCE_RUN;
	if (call->use.op == TOOL_EDIT || call->use.op == TOOL_WRITE)
		return SOURCE_RUN;
	return SOURCE_FILE;
}

/* Appends the short strings of the arguments, but for that one. */
static void
add_arguments(const struct call *call, struct str but, struct buf *out)
{
	enum { MOST = 80, ALL = 200 };
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct json_leaves leaves;
	struct buf text = BUF_INIT;
	size_t start = out->len;
	enum json_leaf leaf;

	tool_arguments(call->arguments, &arena, &arguments);
	if (arguments.value.type != JSON_ABSENT)
		json_leaves_open(&leaves, json_span(arguments.value));
	while (arguments.value.type != JSON_ABSENT && out->len - start < ALL &&
	    (leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
		struct str value;

		if (leaf == JSON_LEAF_NAME)
			continue;
		value = leaf == JSON_LEAF_STRING ? json_text(leaves.value, &text) :
						   json_span(leaves.value);
		if (value.len == 0 || str_eq(value, but) ||
		    memchr(value.ptr, '\n', value.len) != NULL)
			continue;
		buf_add_char(out, ' ');
		add_words(value, MOST, out);
	}
	arena_free(&arena);
	buf_free(&text);
}

static void
add_head(struct outliner *o, const struct call *call, bool failed)
{
	struct buf *out = &o->scratch;

	buf_reset(out);
	if (call->use.op == TOOL_SHELL) {
		struct str command = command_of(call);

		buf_add_str(out, STR("$ "));
		add_words(str_take_line(&command), COMMAND_MOST, out);
	} else if (call->use.op == TOOL_OTHER || call->use.target.len == 0) {
		call_text_add_tool(call, out);
		add_arguments(call, STR(""), out);
	} else {
		buf_add_str(out, tool_op_name(call->use.op));
		buf_add_char(out, ' ');
		call_text_add_target(call, out);
		if (call->use.first_line > 1)
			buf_add_fmt(out, " (from line %jd)", (intmax_t)call->use.first_line);
	}
	if (failed)
		buf_add_str(out, STR(" (failed)"));
	add_line(o, OUTLINE_CALL, source_of(call) == SOURCE_FILE ? VALUE_LOOKED : VALUE_DONE);
}

/* Notes the lines of a text. */
static void
note_lines(struct str text, struct map *lines)
{
	while (text.len > 0)
		map_set(lines,
		    hash_bytes(line_class_bare(str_take_line(&text)), hash_seed(HASH_LABEL)), 1);
}

static void
add_unless(struct outliner *o, struct str text, const struct map *lines, enum source source)
{
	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (map_get(lines, hash_bytes(line_class_bare(line), hash_seed(HASH_LABEL))) ==
		    MAP_NONE)
			add_detail(o, line, source);
	}
}

static bool
is_old(struct json_value name)
{
	struct str text = json_span(name);

	return text.len > 4 && memcmp(text.ptr + 1, "old", 3) == 0;
}

/* The lines that the arguments of an edit take out and put in. */
static void
add_written(struct outliner *o, const struct call *call)
{
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct map lines[2] = {MAP_INIT, MAP_INIT};
	struct buf text = BUF_INIT;
	struct json_leaves leaves;
	enum json_leaf leaf;

	tool_arguments(call->arguments, &arena, &arguments);
	for (int pass = 0; pass < 2 && arguments.value.type != JSON_ABSENT; pass++) {
		json_leaves_open(&leaves, json_span(arguments.value));
		while ((leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
			struct str value;
			bool old;

			if (leaf != JSON_LEAF_STRING)
				continue;
			value = json_text(leaves.value, &text);
			old = is_old(json_leaves_name(&leaves));
			if (str_eq(value, call->use.target))
				continue;
			if (str_has_prefix(value, STR("*** Begin Patch"))) {
				if (pass == 1)
					add_patch(o, value);
			} else if (pass == 0) {
				note_lines(value, &lines[old]);
			} else if (old || call->use.op != TOOL_OTHER ||
			    memchr(value.ptr, '\n', value.len) != NULL) {
				add_unless(
				    o, value, &lines[!old], old ? SOURCE_REMOVED : SOURCE_ADDED);
			}
		}
	}
	map_free(&lines[0]);
	map_free(&lines[1]);
	buf_free(&text);
	arena_free(&arena);
}

static void
add_call(struct outliner *o, const struct call *call)
{
	const struct session *t = o->session;
	struct buf text = BUF_INIT;
	bool failed = call->result != NONE && t->entry[call->result].is_error;

	memset(o->seen, 0, sizeof o->seen);
	if (call->result != NONE && call->use.op != TOOL_EDIT && call->use.op != TOOL_WRITE)
		find_key(o, call->result);
	add_head(o, call, failed);
	if (call->use.op == TOOL_SHELL) {
		struct str command = command_of(call);

		str_take_line(&command);
		if (str_find(command, STR("*** Begin Patch")) != NULL)
			add_patch(o, command);
		else
			add_details(o, command, SOURCE_ADDED);
	} else if (call->use.op != TOOL_READ) {
		add_written(o, call);
	}
	memset(o->seen, 0, sizeof o->seen);
	if (call->result != NONE)
		add_details(o, change_base_text(t, call->result, &text),
		    failed ? SOURCE_RUN : source_of(call));
	buf_free(&text);
}

/* The first paragraph is the head; what follows are lines of it. */
static void
add_user(struct outliner *o, struct str text)
{
	uint32_t before = o->outline->count;
	struct str line = {NULL, 0};

	text = wrapping_inside(text);
	memset(o->seen, 0, sizeof o->seen);
	while (text.len > 0 && line.len == 0)
		line = str_trim(str_take_line(&text));
	buf_reset(&o->scratch);
	add_words(line, USER_MOST, &o->scratch);
	add_line(o, OUTLINE_USER, VALUE_USER);
	if (o->outline->count > before)
		add_details(o, text, SOURCE_USER);
}

void
outline_add_dropped(struct outline *outline, const struct session *t)
{
	struct outliner o = {.outline = outline, .session = t};
	struct buf text = BUF_INIT;
	struct str key;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];

		if (!entry->is_dropped || entry->kind != RECORD_MESSAGE || entry->outside ||
		    entry->is_artifact)
			continue;
		find_key(&o, i);
		if (framing_is_user(entry))
			add_user(&o, change_base_text(t, i, &text));
		if (entry->role != ROLE_ASSISTANT)
			continue;
		add_said(&o, change_base_text(t, i, &text));
		key = o.key;
		for (uint32_t k = 0; entry->has_calls && k < t->group[entry->group].calls; k++) {
			o.key = key;
			add_call(&o, &t->call[t->group[entry->group].first_call + k]);
		}
	}
	buf_free(&text);
	buf_free(&o.scratch);
}

static enum outline_kind
kind_of(struct str line)
{
	for (unsigned kind = OUTLINE_KINDS; kind-- > 0;)
		if (marks[kind].len > 0 && str_has_prefix(line, marks[kind]))
			return (enum outline_kind)kind;
	return OUTLINE_CALL;
}

/* Takes the digits of a key in front of a line off it, if there are some. */
static struct str
take_key(struct str *line)
{
	size_t len = 0;

	while (len < line->len && memchr("0123456789abcdef", line->ptr[len], 16) != NULL)
		len++;
	if ((len != KEY_SHORT && len != ARCHIVE_KEY_SHORT) || len == line->len ||
	    line->ptr[len] != ' ')
		return STR("");
	*line = str_of(line->ptr + len + 1, line->len - len - 1);
	return str_of(line->ptr - len - 1, len);
}

void
outline_add_earlier(struct outline *outline, struct str text, uint64_t count)
{
	static const uint8_t values[OUTLINE_KINDS] = {
	    VALUE_USER, VALUE_SAID, VALUE_DONE, 150, 120, 85, 110};
	struct outliner o = {.outline = outline};
	size_t start = text.len;

	for (; count > 0 && start > 0; count--) {
		const char *lf = memrchr(text.ptr, '\n', start);

		start = lf != NULL ? (size_t)(lf - text.ptr) : 0;
	}
	text = str_of(text.ptr + start, text.len - start);
	while (text.len > 0) {
		struct str line = str_take_line(&text), key = take_key(&line);
		enum outline_kind kind = kind_of(line);

		o.key = key;
		if (key.len > 0)
			set_key(&o, key);
		if (line.len <= marks[kind].len)
			continue;
		buf_reset(&o.scratch);
		buf_add(&o.scratch, line.ptr + marks[kind].len, line.len - marks[kind].len);
		add_line(&o, kind, values[kind]);
	}
	buf_free(&o.scratch);
}

/* Sorts the lines by their value, the newest first of one value. */
static void
sort(struct outline *outline)
{
	uint32_t start[VALUE_MOST + 2] = {0};

	outline->order = mem_alloc((size_t)outline->count + 1, sizeof *outline->order);
	for (uint32_t i = 0; i < outline->count; i++)
		start[VALUE_MOST - outline->line[i].value + 1]++;
	for (unsigned v = 1; v <= VALUE_MOST; v++)
		start[v] += start[v - 1];
	for (uint32_t i = outline->count; i-- > 0;)
		outline->order[start[VALUE_MOST - outline->line[i].value]++] = i;
}

/* The digits of the key that are written: as few as say which it is. */
static struct str
shown_key(const struct outline *outline, const struct outline_line *line)
{
	struct hash first;

	if (line->key.len <= KEY_SHORT)
		return line->key;
	first = hash_bytes(str_of(line->key.ptr, KEY_SHORT), hash_seed(HASH_LABEL));
	return map_get(&outline->keys, first) == 1 ? str_of(line->key.ptr, KEY_SHORT) : line->key;
}

static size_t
cost_of(const struct outline *outline, const struct outline_line *line)
{
	size_t key = shown_key(outline, line).len;

	return key + (key > 0) + marks[line->kind].len + line->text.len + 1;
}

static void
choose(struct outline *outline, size_t room)
{
	enum { LEAST = 16 };

	for (uint32_t i = 0; i < outline->count; i++)
		outline->line[i].is_chosen = false;
	for (uint32_t i = 0; i < outline->count && room > LEAST; i++) {
		struct outline_line *line = &outline->line[outline->order[i]];
		struct outline_line *head = &outline->line[line->head];
		size_t cost;

		if (line->is_chosen)
			continue;
		cost = cost_of(outline, line) +
		    (line == head || head->is_chosen ? 0 : cost_of(outline, head));
		if (cost > room)
			continue;
		head->is_chosen = line->is_chosen = true;
		room -= cost;
	}
}

uint32_t
outline_write(struct outline *outline, size_t room, struct buf *text)
{
	uint32_t lines = 0;

	if (outline->order == NULL)
		sort(outline);
	choose(outline, room);
	for (uint32_t i = 0; i < outline->count; i++) {
		const struct outline_line *line = &outline->line[i];

		if (!line->is_chosen)
			continue;
		buf_add_char(text, '\n');
		if (line->key.len > 0) {
			buf_add_str(text, shown_key(outline, line));
			buf_add_char(text, ' ');
		}
		buf_add_str(text, marks[line->kind]);
		buf_add_str(text, line->text);
		lines++;
	}
	return lines;
}

void
outline_free(struct outline *outline)
{
	free(outline->line);
	free(outline->order);
	map_free(&outline->seen);
	map_free(&outline->keys);
	arena_free(&outline->arena);
}
