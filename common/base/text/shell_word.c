#include "base/text/shell_word.h"

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			    "0123456789_@%+=:,./-";

/* What begins a command, of sh, bash, ksh and zsh, where nothing is quoted. */
static const char *const reserved[] = {"case", "coproc", "do", "done", "elif", "else", "end",
    "esac", "fi", "for", "foreach", "function", "if", "in", "nocorrect", "repeat", "select", "then",
    "time", "until", "while"};

static void
add_quoted(struct buf *buf, const char *word)
{
	buf_add_char(buf, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			buf_add_str(buf, STR("'\\''"));
		else
			buf_add_char(buf, *word);
	buf_add_char(buf, '\'');
}

void
shell_word_add(struct buf *buf, const char *word)
{
	if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
		buf_add_str(buf, str_from(word));
	else
		add_quoted(buf, word);
}

void
shell_word_add_file(struct buf *buf, const char *path)
{
	buf_add_str(buf, path[0] == '-' ? STR("./") : STR(""));
	shell_word_add(buf, path);
}

void
shell_word_add_command(struct buf *buf, const char *word)
{
	bool is_read = strchr(word, '=') != NULL;

	for (size_t i = 0; i < ARRAY_COUNT(reserved); i++)
		is_read = is_read || strcmp(word, reserved[i]) == 0;
	if (is_read)
		add_quoted(buf, word);
	else
		shell_word_add(buf, word);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Adds the text between the quote at *at and the next one, and moves *at after that. Between double
 * quotes a backslash quotes these and itself. */
static const char *
take_quoted(struct str line, size_t *at, struct buf *word)
{
	char quote = line.ptr[*at];

	for (size_t i = *at + 1; i < line.len; i++) {
		char c = line.ptr[i];

		if (c == quote) {
			*at = i + 1;
			return NULL;
		}
		if (quote == '"' && c == '\\' && i + 1 < line.len &&
		    (line.ptr[i + 1] == '"' || line.ptr[i + 1] == '\\'))
			c = line.ptr[++i];
		buf_add_char(word, c);
	}
	return "this quote is not closed";
}

const char *
shell_word_take(struct str line, size_t *at, struct buf *word, bool *is_there)
{
	buf_reset(word);
	while (*at < line.len && is_blank(line.ptr[*at]))
		(*at)++;
	*is_there = *at < line.len && line.ptr[*at] != '#';
	while (*is_there && *at < line.len && !is_blank(line.ptr[*at])) {
		char c = line.ptr[*at];
		const char *wrong = NULL;

		if (c == '\'' || c == '"') {
			wrong = take_quoted(line, at, word);
		} else if (strchr("|&;<>()$`", c) != NULL) {
			wrong = "expected quotes around this character: no shell reads this line";
		} else if (c == '\\' && *at + 1 == line.len) {
			wrong = "expected a character after the backslash";
		} else {
			*at += c == '\\';
			buf_add_char(word, line.ptr[(*at)++]);
		}
		if (wrong != NULL)
			return wrong;
	}
	*buf_reserve(word, 1) = '\0';
	return NULL;
}
