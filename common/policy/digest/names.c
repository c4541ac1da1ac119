#include "policy/digest/names.h"

#include "data/texts.h"

enum { NAME_LEAST = 4, NUMBER_LEAST = 3, HASH_LEAST = 7, NAME_MOST = 120 };

/* What the bytes of a run are; a run is what stands between bytes that are in no name. */
enum byte {
	BYTE_NONE,
	BYTE_LOWER,
	BYTE_UPPER,
	BYTE_DIGIT,
	BYTE_UNDERSCORE,
	BYTE_DOT,
	BYTE_SLASH,
	BYTE_DASH,
	BYTE_OTHER
};

static enum byte
byte_of(char c)
{
	static const uint8_t bytes[256] = {['a' ... 'z'] = BYTE_LOWER,
	    ['A' ... 'Z'] = BYTE_UPPER,
	    ['0' ... '9'] = BYTE_DIGIT,
	    ['_'] = BYTE_UNDERSCORE,
	    ['.'] = BYTE_DOT,
	    ['/'] = BYTE_SLASH,
	    ['-'] = BYTE_DASH,
	    ['@'] = BYTE_OTHER,
	    ['+'] = BYTE_OTHER,
	    ['~'] = BYTE_OTHER};

	return (enum byte)bytes[(unsigned char)c];
}

static bool
is_letter(enum byte byte)
{
	return byte == BYTE_LOWER || byte == BYTE_UPPER;
}

static bool
is_alnum(enum byte byte)
{
	return is_letter(byte) || byte == BYTE_DIGIT;
}

static bool
has_extension(struct str name)
{
	static const char known[] =
	    " c h cc cpp hpp cs css csv go html ini java js json jsonl jsx kt lock log lua md mjs "
	    "php pl py rb rs rst scss sh sql svg swift tcl toml ts tsv tsx txt vue xml yaml yml "
	    "zig ";
	const char *dot = memrchr(name.ptr, '.', name.len);
	char wanted[8];
	size_t len;

	if (dot == NULL || dot == name.ptr)
		return false;
	len = (size_t)(name.ptr + name.len - dot - 1);
	if (len == 0 || len > sizeof wanted - 2)
		return false;
	wanted[0] = ' ';
	memcpy(wanted + 1, dot + 1, len);
	wanted[len + 1] = ' ';
	return memmem(known, sizeof known - 1, wanted, len + 2) != NULL;
}

/* How the bytes of a run follow each other. */
struct shape {
	unsigned letters, digits, slashes, hex;
	bool snake;  /* an underscore between letters or digits */
	bool humps;  /* an upper letter behind a lower one */
	bool dotted; /* a dot between letters or digits */
	bool words;  /* a dot between letters */
	bool other;  /* bytes that are neither letters nor digits nor dots */
};

static struct shape
shape_of(struct str name)
{
	struct shape shape = {0};

	for (size_t i = 0; i < name.len; i++) {
		enum byte byte = byte_of(name.ptr[i]);
		enum byte before = i > 0 ? byte_of(name.ptr[i - 1]) : BYTE_NONE;
		enum byte after = i + 1 < name.len ? byte_of(name.ptr[i + 1]) : BYTE_NONE;

		shape.letters += is_letter(byte);
		shape.digits += byte == BYTE_DIGIT;
		shape.hex += byte == BYTE_DIGIT || (name.ptr[i] >= 'a' && name.ptr[i] <= 'f');
		shape.slashes += byte == BYTE_SLASH;
		shape.humps |= byte == BYTE_UPPER && before == BYTE_LOWER;
		shape.snake |= byte == BYTE_UNDERSCORE && is_alnum(before) && is_alnum(after);
		shape.dotted |= byte == BYTE_DOT && is_alnum(before) && is_alnum(after);
		shape.words |= byte == BYTE_DOT && is_letter(before) && is_letter(after);
		shape.other |= !is_alnum(byte) && byte != BYTE_DOT;
	}
	return shape;
}

static bool
is_flag(struct str name)
{
	return name.len > 3 && name.ptr[0] == '-' && name.ptr[1] == '-' &&
	    byte_of(name.ptr[2]) == BYTE_LOWER;
}

/* Upper letters, then digits alone: an error code. */
static bool
is_code(struct str name)
{
	size_t i = 0;

	while (i < name.len && byte_of(name.ptr[i]) == BYTE_UPPER)
		i++;
	if (i == 0 || i + 2 > name.len)
		return false;
	while (i < name.len && byte_of(name.ptr[i]) == BYTE_DIGIT)
		i++;
	return i == name.len;
}

static bool
is_name(struct str name)
{
	struct shape shape = shape_of(name);
	bool is_pure = !shape.other;

	if (shape.letters == 0)
		return is_pure && name.len >= NUMBER_LEAST &&
		    (shape.digits >= NUMBER_LEAST || shape.dotted);
	if (name.len < NAME_LEAST)
		return false;
	if (shape.slashes > 0)
		return shape.slashes > 1 || shape.dotted || shape.snake || shape.digits > 0 ||
		    memchr("/.~", name.ptr[0], 3) != NULL;
	return shape.snake || shape.humps || is_flag(name) || has_extension(name) ||
	    (shape.words && name.len > NAME_LEAST + 1) || is_code(name) ||
	    (is_pure && shape.hex == name.len && shape.digits > 0 && name.len >= HASH_LEAST) ||
	    (shape.dotted && shape.digits > 0 && name.ptr[0] == 'v');
}

/* Whether a name may begin here: with a letter, a digit, "--flag", "/x", "./", "../" or "~/". */
static bool
begins_name(struct str run)
{
	if (is_alnum(byte_of(run.ptr[0])) || run.ptr[0] == '_' || is_flag(run))
		return true;
	if (run.ptr[0] == '/')
		return run.len > 1 && byte_of(run.ptr[1]) != BYTE_SLASH;
	return str_has_prefix(run, STR("./")) || str_has_prefix(run, STR("../")) ||
	    str_has_prefix(run, STR("~/"));
}

/* The run without punctuation at its ends. */
static struct str
trim(struct str run)
{
	while (run.len > 0 && !begins_name(run))
		run = str_of(run.ptr + 1, run.len - 1);
	while (
	    run.len > 0 && !is_alnum(byte_of(run.ptr[run.len - 1])) && run.ptr[run.len - 1] != '_')
		run.len--;
	return run;
}

/* The bytes of an escape at p, the backslashes of all levels of nesting with it. */
static size_t
escape_len(const char *p, const char *end)
{
	const char *at = p;

	while (at < end && *at == '\\')
		at++;
	if (at < end && *at == 'u' && end - at > 4)
		return (size_t)(at - p) + 5;
	if (at < end && memchr("nrtbf", *at, 5) != NULL)
		at++;
	return (size_t)(at - p);
}

/* Takes the next name off the text; false at its end. */
static bool
next(struct str *text, struct str *name)
{
	const char *p = text->ptr, *end = text->ptr + text->len;

	while (p < end) {
		const char *start = p;
		unsigned set = 0;

		for (; p < end && byte_of(*p) != BYTE_NONE; p++)
			set |= 1u << byte_of(*p);
		*name = str_of(start, (size_t)(p - start));
		if (p < end)
			p += *p == '\\' ? escape_len(p, end) : 1;
		if ((set & ~(1u << BYTE_LOWER)) == 0)
			continue; /* most runs: a word */
		*name = trim(*name);
		if (name->len >= NUMBER_LEAST && name->len <= NAME_MOST && is_name(*name)) {
			*text = str_of(p, (size_t)(end - p));
			return true;
		}
	}
	*text = str_of(end, 0);
	return false;
}

struct search {
	bool (*found)(void *context, struct str name);
	void *context;
	bool is_over;
};

static void
search_text(void *context, enum text_kind kind, struct json_value value)
{
	struct search *search = context;
	struct str text = json_span(value), name;

	if (kind > TEXT_ARGUMENTS)
		return;
	while (!search->is_over && next(&text, &name))
		search->is_over = !search->found(search->context, name);
}

void
names_of_message(
    const struct message *message, bool (*found)(void *context, struct str name), void *context)
{
	struct search search = {found, context, false};

	message_texts(message, search_text, &search);
}

struct hash
names_hash(struct str name)
{
	return hash_bytes(name, hash_seed(HASH_LABEL));
}

struct list {
	struct map seen;
	struct buf *buf;
	unsigned count, most;
};

static bool
add_to_list(void *context, struct str name)
{
	struct list *list = context;

	if (map_set(&list->seen, names_hash(name), 1) != MAP_NONE)
		return true;
	buf_add_str(list->buf, list->count++ > 0 ? STR(", ") : STR(""));
	buf_add_str(list->buf, name);
	return list->count < list->most;
}

unsigned
names_list(const struct message *message, unsigned most, struct buf *buf)
{
	struct list list = {.buf = buf, .most = most};

	names_of_message(message, add_to_list, &list);
	map_free(&list.seen);
	return list.count;
}
