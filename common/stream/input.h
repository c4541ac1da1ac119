#ifndef STREAM_INPUT_H
#define STREAM_INPUT_H

/*
 * The operands (or standard input) as one stream of lines, read in large blocks, in place.
 *
 * A stream reuses one block, so a line lives until the next input_next. With hold set, blocks are
 * kept: a line then lives until input_free. After every line stand INPUT_PADDING readable bytes.
 *
 *     block  [handed out lines....|line|line|partial-][free......][padding]
 *                                 ^at               ^end
 *
 * A block of a large regular file is a window of it, mapped; its end is read, since what is written
 * behind it meanwhile belongs to the stream too, and padding does. A file that shrinks while it is
 * mapped ends the program with a diagnostic and status 75.
 *
 * A line longer than line_max is handed out in pieces: all but the last have more set, all but the
 * first have continued set.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/str.h"
#include "stream/block.h"

enum {
	INPUT_BLOCK = 256 * 1024,
	INPUT_WINDOW = 1024 * 1024,
};
#define INPUT_LINE_MAX ((size_t)256 << 20)

struct line {
	struct str raw;   /* as it leaves: with its LF where it has one, and a first BOM */
	struct str text;  /* what to read: without LF, CR before it, and BOM */
	const char *file; /* the operand, "-" for standard input */
	size_t number;    /* from 1, in its file */
	bool more;
	bool continued;
};

struct input_block;

struct input {
	char *const *operand; /* the caller's list */
	unsigned operand_count;
	unsigned operand_next;
	int fd; /* -1 between operands */
	const char *file;
	size_t line_number;
	size_t line_max; /* bytes */
	bool hold;
	bool continued;   /* the last line handed out was a piece with more set */
	bool file_start;  /* nothing of this operand was handed out yet */
	bool first_file;
	bool ended_open;  /* the last line handed out had no LF */
	bool file_ended;  /* read(2) said so */
	bool is_mapping;  /* the last bytes of the operand came from a window */
	off_t map_at;     /* where in the file the next window may begin */
	off_t map_end;    /* windows end here or before; 0 when the operand is read */
	struct input_block *block;
	size_t handed; /* where the last line handed out starts */
	size_t at;
	size_t end;
	size_t searched; /* no LF in at .. searched */
	void (*before_read)(void *context); /* called before a read that may block or move bytes */
	void *context;
};

/*
 * operands is a list of count file names; none means standard input. Dies with status 66 when one
 * does not exist, is a directory or may not be read.
 */
void input_init(struct input *in, char *const *operand, unsigned count);

/* Whether the regular file that st tells of is among the operands. */
bool input_has_file(const struct input *in, const struct stat *st);

/* The next line; false at the end of all operands. Dies with status 74 on a read error. */
bool input_next(struct input *in, struct line *line);

/*
 * The line just handed out, the first of its operand, becomes the operand's whole rest. False, with
 * the line as it was (but moved), when that is longer than line_max.
 */
bool input_join(struct input *in, struct line *line);

/* Takes back what input_join did: line is the first line again, the others follow. */
void input_split(struct input *in, struct line *line);

/*
 * For a reader that finds the end of a line by itself: the bytes at hand, which begin with a line,
 * or none when input_next has to be asked; and then the line of len bytes, its LF included, at
 * their front. Lines are not in pieces then.
 */
struct str input_rest(const struct input *in);
void input_take(struct input *in, struct line *line, size_t len);

void input_free(struct input *in);

#endif
