#include "data/tool/simple_command.h"

#include "base/byte.h"

#define OPERATORS ";|&"
#define BLANKS " \t\r"

static struct str
span(const char *start, const char *end)
{
	return str_of(start, (size_t)(end - start));
}

static bool
is_at(const char *ptr, const char *end, const char *text)
{
	return str_has_prefix(span(ptr, end), str_from(text));
}

static const char *
skip_blanks(const char *ptr, const char *end)
{
	while (ptr < end && byte_is_in(*ptr, BLANKS))
		ptr++;
	return ptr;
}

static const char *
skip_line(const char *ptr, const char *end)
{
	struct str rest = str_of(ptr, (size_t)(end - ptr));

	str_take_line(&rest);
	return rest.ptr;
}

/* The byte after the quote at ptr and its text. */
static const char *
skip_single(const char *ptr, const char *end)
{
	const char *quote = memchr(ptr + 1, '\'', (size_t)(end - ptr - 1));

	return quote != NULL ? quote + 1 : end;
}

/* A word that is one quoted text, without its quotes. */
static struct str
unquoted(struct str word)
{
	if (word.len >= 2 && byte_is_in(word.ptr[0], "'\"") &&
	    word.ptr[word.len - 1] == word.ptr[0])
		return str_of(word.ptr + 1, word.len - 2);
	return word;
}

/* Takes the delimiter of a here-document after "<<"; "" for a number to shift by. */
static struct str
take_delimiter(const char **ptr, const char *end)
{
	const char *start;

	while (*ptr < end && (**ptr == '-' || **ptr == ' '))
		(*ptr)++;
	start = *ptr;
	if (start == end || !(byte_is_letter(*start) || byte_is_in(*start, "_'\"\\")))
		return STR("");
	while (*ptr < end && (byte_is_word(**ptr) || byte_is_in(**ptr, "'\"\\-.!")))
		(*ptr)++;
	start += *start == '\\';
	return unquoted(span(start, *ptr));
}

/* Takes the lines of a here-document, which begins in the next line, or where the one before it
 * ended. *documents_end moves after the delimiter. */
static struct str
take_document(struct str delimiter, const char *ptr, const char *end, const char **documents_end)
{
	const char *start = *documents_end != NULL ? *documents_end : skip_line(ptr, end);

	for (ptr = start; ptr < end;) {
		const char *next = skip_line(ptr, end);

		*documents_end = next;
		/* After <<-, tabs may precede the delimiter. */
		if (str_eq(str_trim(span(ptr, next)), delimiter))
			return span(start, ptr);
		ptr = next;
	}
	*documents_end = end;
	return span(start, end);
}

/* The byte after the text that begins with the double quote or the "(" at ptr, whatever is nested
 * in it; the end if it is not closed. */
static const char *
skip_nested(const char *ptr, const char *end)
{
	enum { DEPTH = 32 };
	const char *documents_end = NULL;
	char open[DEPTH] = {0};
	unsigned depth = 0;

	for (; ptr < end && depth < DEPTH; ptr++) {
		bool is_quoted = depth > 0 && open[depth - 1] == '"';

		if (*ptr == (is_quoted ? '"' : ')')) {
			depth--;
		} else if (*ptr == '"' || (*ptr == '(' && (!is_quoted || ptr[-1] == '$'))) {
			open[depth++] = *ptr;
		} else if (*ptr == '\\') {
			ptr++;
		} else if (!is_quoted && *ptr == '\'') {
			ptr = skip_single(ptr, end) - 1;
		} else if (!is_quoted && is_at(ptr, end, "<<") && !is_at(ptr, end, "<<<")) {
			struct str delimiter;

			ptr += 2;
			delimiter = take_delimiter(&ptr, end);
			if (delimiter.len > 0)
				take_document(delimiter, ptr, end, &documents_end);
			ptr--;
		} else if (!is_quoted && *ptr == '\n' && documents_end != NULL) {
			ptr = documents_end - 1;
			documents_end = NULL;
		}
		if (depth == 0)
			return ptr + 1;
	}
	return end;
}

static const char *
skip_word(const char *ptr, const char *end)
{
	while (ptr < end) {
		if (byte_is_word(*ptr)) {
			ptr++;
			continue;
		}
		if (byte_is_in(*ptr, BLANKS OPERATORS "<>\n"))
			break;
		if (is_at(ptr, end, "\\\n"))
			break;
		if (*ptr == '\\')
			ptr += ptr + 1 < end ? 2 : 1;
		else if (*ptr == '\'')
			ptr = skip_single(ptr, end);
		else if (*ptr == '"')
			ptr = skip_nested(ptr, end);
		else
			ptr = is_at(ptr, end, "$(") ? skip_nested(ptr + 1, end) : ptr + 1;
	}
	return ptr;
}

/* Takes "<" and ">" with their file; is_error: the number before them is standard error's. Returns
 * where the command continues. */
static const char *
take_redirection(struct simple_command_line *commands, struct simple_command *command,
    const char *ptr, bool is_error)
{
	const char *end = commands->rest.ptr + commands->rest.len;
	bool is_output = *ptr != '<', is_copy;
	const char *sign = ptr, *start;

	while (ptr < end && byte_is_in(*ptr, is_output ? "&>" : "<"))
		ptr++;
	is_copy = is_output ? ptr[-1] == '&' : ptr < end && *ptr == '&';
	if (!is_output && ptr - sign == 2) {
		struct str delimiter = take_delimiter(&ptr, end);

		if (delimiter.len > 0)
			command->document =
			    take_document(delimiter, ptr, end, &commands->documents_end);
		return ptr;
	}
	if (ptr < end && *ptr == '(')
		return skip_nested(ptr, end);
	ptr += ptr < end && byte_is_in(*ptr, is_output ? "|" : "&");
	start = skip_blanks(ptr, end);
	ptr = skip_word(start, end);
	if (!is_output || ptr == start || (is_copy && byte_is_in(*start, "0123456789-")))
		return ptr;
	command->is_silent |= !is_error;
	if (command->outputs < SIMPLE_COMMAND_OUTPUTS)
		command->output[command->outputs++] = unquoted(span(start, ptr));
	return ptr;
}

/* Where the next simple command begins, after operators, blanks, comments and here-documents. */
static const char *
skip_operators(struct simple_command_line *commands, const char *ptr, const char *end)
{
	while (ptr < end && (byte_is_in(*ptr, OPERATORS BLANKS "#\n") || is_at(ptr, end, "\\\n"))) {
		if (*ptr == '#')
			ptr += str_first_line(str_of(ptr, (size_t)(end - ptr))).len;
		if (ptr == end || *ptr++ != '\n' || commands->documents_end == NULL)
			continue;
		ptr = commands->documents_end;
		commands->documents_end = NULL;
	}
	return ptr;
}

/* Adds a word, or takes a redirection. */
static const char *
take_word(struct simple_command_line *commands, struct simple_command *command, const char *ptr)
{
	const char *end = commands->rest.ptr + commands->rest.len, *start = ptr, *digit = ptr;

	ptr = skip_word(ptr, end);
	while (digit < ptr && byte_is_digit(*digit))
		digit++;
	if (digit == ptr && ptr < end && byte_is_in(*ptr, "<>&"))
		return take_redirection(commands, command, ptr, ptr > start && *start == '2');
	if (command->words < SIMPLE_COMMAND_WORDS)
		command->word[command->words++] = unquoted(span(start, ptr));
	return ptr;
}

bool
simple_command_next(struct simple_command_line *commands, struct simple_command *command)
{
	const char *ptr = commands->rest.ptr, *end = ptr + commands->rest.len, *start, *stop;

	command->words = command->outputs = 0;
	command->is_silent = false;
	command->document = STR("");
	start = ptr = skip_operators(commands, ptr, end);
	while (ptr < end && *ptr != '\n' && *ptr != '#' &&
	    (!byte_is_in(*ptr, OPERATORS) || is_at(ptr, end, "&>"))) {
		ptr = skip_blanks(take_word(commands, command, ptr), end);
		while (is_at(ptr, end, "\\\n"))
			ptr = skip_blanks(ptr + 2, end);
	}
	command->text = str_trim(span(start, ptr));
	stop = ptr;
	while (stop < end && byte_is_in(*stop, OPERATORS))
		stop++;
	stop += stop == ptr && stop < end && *stop == '\n';
	command->operator= span(ptr, stop);
	commands->rest = span(ptr, end);
	return start < end;
}
