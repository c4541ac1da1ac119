#include "face/input/looks.h"

#include "base/file.h"
#include "base/text/shell_word.h"
#include "base/text/utf8.h"
#include "face/input/document.h"
#include "stream/process/unzstd.h"

enum { LOOKED_AT = 4096 }; /* bytes of the line */

/* The first bytes of files of some kinds, which no text begins with. */
static const struct {
	struct str bytes;
	struct looks looks;
} magics[] = {
    {STR_INIT("\x1f\x8b"), {"gzip", "gzip -dc", NULL, true, false}},
    {STR_INIT(UNZSTD_MAGIC), {"zstd", "zstd -dc", NULL, true, false}},
    {STR_INIT("\xfd\x37zXZ"), {"xz", "xz -dc", NULL, true, false}},
    {STR_INIT("BZh"), {"bzip2", "bzip2 -dc", NULL, true, false}},
    {STR_INIT("\xff\xfe"), {"UTF-16", "iconv -f UTF-16 -t UTF-8", NULL, true, false}},
    {STR_INIT("\xfe\xff"), {"UTF-16", "iconv -f UTF-16 -t UTF-8", NULL, true, false}},
    {STR_INIT("{\0"), {"UTF-16", "iconv -f UTF-16LE -t UTF-8", NULL, true, false}},
    {STR_INIT("\0{"), {"UTF-16", "iconv -f UTF-16BE -t UTF-8", NULL, true, false}},
    {STR_INIT("PK\x03\x04"), {"a zip archive", "unzip -p", NULL, true, false}},
    {STR_INIT("SQLite format 3"),
	{"a SQLite database", NULL, "export its messages first", true, false}},
};

/* A NUL, a control character that no text has, or invalid UTF-8. */
static bool
is_binary(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' &&
		    strchr("\t\r\n\f\v\x1b\b", text.ptr[i]) == NULL)
			return true;
		else if (text.ptr[i] == '\0')
			return true;
	return utf8_valid(text) + 4 < text.len;
}

/* The names of columns: two words or more, with the same sign between them and no blank. */
static bool
is_table_head(struct str text)
{
	const char *signs = ",;\t";

	for (; *signs != '\0'; signs++) {
		size_t columns = 1;

		for (size_t i = 0; i < text.len && columns > 0; i++)
			if (text.ptr[i] == *signs)
				columns++;
			else if (strchr(" ,;\t{}[]:", text.ptr[i]) != NULL)
				columns = 0;
		if (columns > 1)
			return true;
	}
	return false;
}

struct looks
looks_of(const struct line *line)
{
	struct str text = str_trim(line->text);

	if (text.len > LOOKED_AT)
		text.len = LOOKED_AT;
	for (size_t i = 0; i < ARRAY_COUNT(magics); i++)
		if (str_has_prefix(line->text, magics[i].bytes))
			return magics[i].looks;
	if (is_binary(text))
		return (struct looks){.what = "binary data", .hint = "a transcript is JSON lines"};
	if (document_begins(line))
		return (struct looks){
		    .what = "JSON over several lines", .how = "ctx-normalize", .goes_on = true};
	if (text.len == 0 || text.ptr[0] == '{' || text.ptr[0] == '[')
		return (struct looks){.what = NULL}; /* a torn line */
	if (is_table_head(text))
		return (struct looks){.what = "a table (CSV)",
		    .hint =
			"make a line {\"role\":\"user\",\"content\":\"...\"} of each row first"};
	return (struct looks){
	    .what = "plain text", .how = "jq -Rsc '{role: \"user\", content: .}'"};
}

void
looks_say(const struct looks *looks, const char *file, struct buf *text)
{
	bool is_stdin = file_is_stdin(file);
	struct buf word = BUF_INIT;

	if (!is_stdin)
		shell_word_add_file(&word, file);
	buf_add_fmt(text, "looks like %s; ", looks->what);
	if (looks->how == NULL)
		buf_add_str(text, str_from(looks->hint));
	else
		buf_add_fmt(
		    text, "try %s%s%.*s", looks->how, is_stdin ? "" : " ", STR_ARG(buf_str(&word)));
	buf_free(&word);
}
