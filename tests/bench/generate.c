/*
 * generate BYTES SEED [session | interleaved N]: a stream of OpenAI chat messages of at least BYTES bytes, the same
 * bytes for the same seed; a shorter stream is a prefix of a longer one but for its last line. With
 * "session" it is one session: its one system message begins it, and in every second request the
 * user says what must be done or must not. With "interleaved N" it is N sessions, each of whose
 * messages says metadata.session_id, and message by message one of them goes on, by chance.
 *
 * Shaped after real agent logs: sessions of a system message and some requests, each request a
 * number of steps with one to three tool calls; a mean line of about 1.9 kB, a few of 50 kB;
 * results are some 60 % of the bytes and the arguments of calls 30 %; some 4 % of the bytes are
 * backslashes, 3 % quotes and 4 % not ASCII; ids are unique.
 *
 * Text is put together from snippets that are made once: escaped already, about 100 bytes each.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SNIPPETS = 4096, SNIPPET_MAX = 192, WORDS_MAX = 16 };

struct snippet {
	char text[SNIPPET_MAX];
	size_t len;
};

/* One of the sessions that are interleaved, and what it says next. */
struct dialogue {
	unsigned number;
	bool has_begun;
	unsigned long next_result, calls; /* calls that wait for their results, up to calls */
	unsigned steps;                   /* left for the request */
	bool is_asked;                    /* the request waits for its answer */
};

struct generator {
	uint64_t random;
	uint64_t written;
	unsigned long calls;
	const struct dialogue *dialogue;   /* the session that goes on; NULL: none has a name */
	struct snippet snippet[SNIPPETS];  /* for content */
	struct snippet argument[SNIPPETS]; /* for arguments: JSON in a string, escaped twice */
};

static const char *const words[] = {"the", "tide", "turns", "at", "station", "height", "of",
    "water", "count", "return", "struct", "harmonic", "phase", "angle", "minutes", "offset",
    "table", "moon", "error", "expected", "reads", "writes", "buffer", "length", "when", "before",
    "after", "path"};
static const char *const code[] = {"\\tif (", "\\\"%s\\\\n\\\"", "->", "[i] = ", "0x1f, ", "); ",
    "\\\"", "\\\", \\\"", "{ \\\"name\\\": ", "src/main.c:", " == NULL", "\\\\d+", " += ", "*/",
    "\\\"", "for (i = 0; i < n; i++)"};
static const char *const argument_code[] = {"if (", "printf", "->", "[i] = ", "0x1f, ", "); ",
    "\\\\\\\"", "{ ", "src/main.c:", " == NULL", "value + ", " += ", "*/", "return;",
    "for (i = 0; i < n; i++)", "\\\\n"};
static const char *const foreign[] = {"Höhe ", "über ", "潮位表", "満潮", "прилив ", "mañana ", "–",
    "°", "≤", "🌊", "été ", "干潮は午後 ", "λ=", "\\u00e9"};

/* xorshift64* (Marsaglia, Vigna). */
static uint64_t
next(struct generator *g)
{
	g->random ^= g->random >> 12;
	g->random ^= g->random << 25;
	g->random ^= g->random >> 27;
	return g->random * 0x2545f4914f6cdd1dULL;
}

static unsigned
below(struct generator *g, unsigned limit)
{
	return (unsigned)((next(g) >> 33) % limit);
}

static const char *
pick(struct generator *g, const char *const *list, size_t count)
{
	return list[below(g, (unsigned)count)];
}

#define PICK(g, list) pick(g, list, sizeof(list) / sizeof((list)[0]))

static void
add_piece(struct snippet *s, const char *piece)
{
	size_t len = strlen(piece);

	if (s->len + len > SNIPPET_MAX)
		return;
	memcpy(s->text + s->len, piece, len);
	s->len += len;
}

/* Of ten snippets five are prose, four are code, one is in another script. */
static void
make_snippet(struct generator *g, struct snippet *s, bool argument)
{
	unsigned kind = below(g, 10), i, count = 8 + below(g, WORDS_MAX);

	for (i = 0; i < count; i++) {
		if (kind < 5 || below(g, 4) == 0)
			add_piece(s, PICK(g, words));
		else if (kind < 9)
			add_piece(s, argument ? PICK(g, argument_code) : PICK(g, code));
		else
			add_piece(s, PICK(g, foreign));
		if (kind != 9 || below(g, 4) == 0)
			add_piece(s, " ");
	}
	if (kind < 9)
		add_piece(s, argument ? "\\\\n" : "\\n");
}

static void
put(struct generator *g, const char *text, size_t len)
{
	if (fwrite_unlocked(text, 1, len, stdout) != len) {
		perror("generate");
		exit(74);
	}
	g->written += len;
}

static void
put_str(struct generator *g, const char *text)
{
	put(g, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void
put_fmt(struct generator *g, const char *format, ...)
{
	char text[256];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put(g, text, (size_t)len);
}

/* About len bytes of text of the snippets. */
static void
put_text(struct generator *g, const struct snippet *snippets, uint64_t len)
{
	uint64_t end = g->written + len;

	while (g->written < end) {
		const struct snippet *s = &snippets[below(g, SNIPPETS)];

		put(g, s->text, s->len);
	}
}

/* A length around mean with a long tail. */
static unsigned
length(struct generator *g, unsigned mean)
{
	if (below(g, 40) == 0)
		return below(g, mean * 14);
	return below(g, mean * 2) * (below(g, 100) + 1) / 75;
}

/* Ends a message behind its last value. */
static void
put_end(struct generator *g)
{
	if (g->dialogue != NULL)
		put_fmt(g, ",\"metadata\":{\"session_id\":\"s%06u\"}", g->dialogue->number);
	put_str(g, "}\n");
}

static void
put_message(struct generator *g, const char *role, unsigned mean)
{
	put_fmt(g, "{\"role\":\"%s\",\"content\":\"", role);
	put_text(g, g->snippet, length(g, mean) + 20);
	put_str(g, "\"");
	put_end(g);
}

/* A request of one session: half of them have a sentence that forbids or obliges. */
static void
put_request(struct generator *g)
{
	static const char *const orders[] = {"Never touch ", "Always read ", "You must not delete ",
	    "Make sure that nobody writes ", "You may now change ", "Only use "};

	put_str(g, "{\"role\":\"user\",\"content\":\"");
	put_text(g, g->snippet, length(g, 350) + 20);
	if (below(g, 2) == 0)
		put_fmt(g, "\\n%ssrc/file%u.c.", PICK(g, orders), below(g, 200));
	put_str(g, "\"");
	put_end(g);
}

/* A message with calls. */
static void
put_calls(struct generator *g)
{
	static const char *const tools[] = {"read", "edit", "shell", "grep", "write"};
	unsigned long first = g->calls;
	unsigned count = below(g, 12) ? 1 : 2 + below(g, 2);

	put_str(g, "{\"role\":\"assistant\",\"content\":\"");
	put_text(g, g->snippet, length(g, 260));
	put_str(g, "\",\"tool_calls\":[");
	for (; g->calls < first + count; g->calls++) {
		put_fmt(g, "%s{\"id\":\"call_%010lu\",\"type\":\"function\",",
		    g->calls > first ? "," : "", g->calls);
		put_fmt(g, "\"function\":{\"name\":\"%s\",\"arguments\":\"", PICK(g, tools));
		put_fmt(g, "{\\\"path\\\":\\\"src/file%u.c\\\",", below(g, 200));
		put_fmt(g, "\\\"lines\\\":[%u,%u],\\\"text\\\":\\\"", below(g, 90), below(g, 900));
		put_text(g, g->argument, length(g, 1450));
		put_str(g, "\\\"}\"}}");
	}
	put_str(g, "]");
	put_end(g);
}

static void
put_result(struct generator *g, unsigned long call)
{
	put_fmt(g, "{\"role\":\"tool\",\"tool_call_id\":\"call_%010lu\",\"content\":\"", call);
	put_text(g, g->snippet, length(g, 2700) + 30);
	put_str(g, "\"");
	put_end(g);
}

static void
put_step(struct generator *g)
{
	unsigned long call = g->calls;

	put_calls(g);
	for (; call < g->calls; call++)
		put_result(g, call);
}

/* The next message of the session. */
static void
put_next(struct generator *g, struct dialogue *dialogue)
{
	g->dialogue = dialogue;
	if (!dialogue->has_begun) {
		put_message(g, "system", 900);
		dialogue->has_begun = true;
	} else if (dialogue->next_result < dialogue->calls) {
		put_result(g, dialogue->next_result++);
	} else if (dialogue->steps > 0) {
		dialogue->steps--;
		dialogue->next_result = g->calls;
		put_calls(g);
		dialogue->calls = g->calls;
	} else if (dialogue->is_asked) {
		put_message(g, "assistant", 500);
		dialogue->is_asked = false;
	} else {
		put_message(g, "user", 350);
		dialogue->steps = 2 + below(g, 6);
		dialogue->is_asked = true;
	}
}

/* Sessions of which each begins before one of them goes on. */
static void
put_interleaved(struct generator *g, unsigned long long bytes, unsigned count)
{
	struct dialogue *dialogue = calloc(count, sizeof *dialogue);

	if (dialogue == NULL) {
		perror("generate");
		exit(71);
	}
	for (unsigned i = 0; i < count && g->written < bytes; i++) {
		dialogue[i].number = i;
		put_next(g, &dialogue[i]);
	}
	while (g->written < bytes)
		put_next(g, &dialogue[below(g, count)]);
	free(dialogue);
}

/* Sessions one after another, or one. */
static void
put_sessions(struct generator *g, unsigned long long bytes, bool is_session)
{
	while (g->written < bytes) {
		if (!is_session || g->written == 0)
			put_message(g, "system", 900);
		for (unsigned request = 0; request < 5 && g->written < bytes; request++) {
			if (is_session)
				put_request(g);
			else
				put_message(g, "user", 350);
			for (unsigned step = 2 + below(g, 6); step > 0 && g->written < bytes;
			     step--)
				put_step(g);
			put_message(g, "assistant", 500);
		}
	}
}

int
main(int argc, char *argv[])
{
	static struct generator g;
	unsigned long long bytes;
	bool is_session = argc == 4 && strcmp(argv[3], "session") == 0;
	unsigned count = 0;

	if (argc == 5 && strcmp(argv[3], "interleaved") == 0)
		count = (unsigned)strtoul(argv[4], NULL, 10);
	if (argc != 3 && !is_session && count == 0) {
		fprintf(stderr, "usage: generate bytes seed [session | interleaved count]\n");
		return 64;
	}
	bytes = strtoull(argv[1], NULL, 10);
	g.random = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	for (unsigned i = 0; i < SNIPPETS; i++)
		make_snippet(&g, &g.snippet[i], false);
	for (unsigned i = 0; i < SNIPPETS; i++)
		make_snippet(&g, &g.argument[i], true);
	if (count > 0)
		put_interleaved(&g, bytes, count);
	else
		put_sessions(&g, bytes, is_session);
	return fflush(stdout) == 0 ? 0 : 74;
}
