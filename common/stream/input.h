#ifndef STREAM_INPUT_H
#define STREAM_INPUT_H

/*
 * The operands (or standard input) as one stream of lines, read in large blocks, in place:
 *
 *     block  [handed out lines....|line|line|unfinished-][free......][padding]
 *                                 ^at                    ^end
 *
 *     while (input_fill(&in))                   reads, and may block
 *             while (input_next(&in, &line))    lines that are there already
 *                     ...
 *
 * A line lives until the next input_fill, or for as long as somebody keeps its block (stream/block.h):
 * the unfinished line then moves on to another block. After every line stand BLOCK_PADDING readable
 * bytes. Files are read, never mapped: what was read stays what it was, whatever becomes of the file.
 *
 * A line longer than line_max is handed out in pieces: all but the last have more set, all but the
 * first have continued set.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/fault.h"
#include "base/str.h"
#include "stream/block.h"

#define INPUT_LINE_MAX ((size_t)256 << 20)

struct line {
	struct str raw;   /* as it leaves: with its LF where it has one, and a first BOM */
	struct str text;  /* what to read: without LF, CR before it, and BOM */
	const char *file; /* the operand, "-" for standard input */
	size_t number;    /* from 1, in its file */
	bool more;
	bool continued;
};

struct input {
	char *const *operand; /* the caller's list */
	unsigned operand_count;
	unsigned operand_next;
	int fd; /* -1 between operands */
	const char *file;
	size_t line_number;
	size_t line_max; /* bytes */
	bool continued;   /* the last line handed out was a piece with more set */
	bool file_start;  /* nothing of this operand was handed out yet */
	bool first_file;
	bool ended_open;  /* the last line handed out had no LF */
	bool file_ended;  /* read(2) said so */
	bool joins;       /* the rest of the operand is to be one line */
	bool is_joined;   /* the last line handed out is that */
	struct block_pool *pool;
	struct block *block; /* of the lines at hand, and of the last one handed out */
	size_t handed; /* where the last line handed out starts */
	size_t at;
	size_t end;
	size_t searched; /* no LF in at .. searched */
	struct fault *fault;
};

/*
 * operands is a list of count file names; none means standard input. Sets the fault, of status 66,
 * when one does not exist, is a directory or may not be read.
 */
void input_init(struct input *in, char *const *operand, unsigned count, struct fault *fault);

/* Tells of the file that is operand number i, from 0. */
bool input_stat(const struct input *in, unsigned i, struct stat *st);

/* The descriptor that input_fill will read from; -1 when it will not wait. */
int input_fd(const struct input *in);

/* Reads what comes next, once every line at hand has been handed out; the last of them end their
 * lives unless their block is kept. May block. False at the end of all operands, and with the fault
 * set, of status 74 or 66, when it cannot read. */
bool input_fill(struct input *in);

/* The next line at hand; false when there is none and input_fill has to be asked. */
bool input_next(struct input *in, struct line *line);

/*
 * Takes back the line just handed out, the first of its operand. The next one is the operand's whole
 * rest, once that is there, and is_joined is set; if the rest is longer than line_max, it is the
 * first line again.
 */
void input_join(struct input *in, const struct line *line);

/* Takes back a joined line: line is the first line of the operand, the others follow. */
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
