#ifndef STREAM_INPUT_H
#define STREAM_INPUT_H

/*
 * The operands, or standard input, as one stream of lines. Lines are read in large blocks and
 * handed out in place:
 *
 *     block  [handed out lines....|line|line|unfinished-][free......][padding]
 *                                 ^at                    ^end
 *
 *     while (input_fill(&in))                   reads, and may block
 *             while (input_next(&in, &line))    lines that are there already
 *                     ...
 *
 * A line lives until the next input_fill, or for as long as somebody keeps its block
 * (stream/block.h). While a block is kept, the unfinished line moves on to another block. Behind
 * every line stand BUF_PADDING readable bytes. Another program may change a file meanwhile, so
 * files are read and never mapped: bytes that were read stay as they were.
 *
 * A line longer than line_max is handed out in pieces. All pieces but the last have more set; all
 * but the first have continued set. Where the end of such a line is read with its start, the line
 * is one piece: no line handed out is longer than line_max and two blocks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/fault.h"
#include "base/hash/hash.h"
#include "base/str.h"
#include "stream/block.h"
#include "stream/sums.h"

/* The byte order mark, which may stand in front of the first line of a file. */
extern const struct str input_bom;

#define INPUT_LINE_MAX ((size_t)256 << 20)

struct line {
	struct str raw;   /* all bytes to write: with the LF, if there is one, and a first BOM */
	struct str text;  /* the bytes to parse: without LF, a CR before it, and BOM */
	const char *file; /* the operand, "-" for standard input */
	size_t number;    /* of the line in its file, from 1 */
	uint64_t place;   /* of the record in the whole input, from 1; 0: made by a stage */
	bool more;
	bool continued;
	bool is_folded; /* the text is on one line, its value over several in the file */
};

/* How packed files are read: through a program. */
struct input_unpacker {
	/* Whether fd, which is at its start, is such a file: 1 or 0; or -1 with errno set. */
	int (*is_due)(int fd);
	/* Starts the program on fd, which is closed. Returns the descriptor to read from and sets
	 * *pid; or -1 with the fault set. file names the file. */
	int (*open)(int fd, const char *file, pid_t *pid, struct fault *fault);
	/* Waits for the program, whose descriptor is closed. Returns false with the fault set when
	 * all was read and the program did not end well. */
	bool (*close)(pid_t pid, const char *file, bool was_read, struct fault *fault);
};

struct input;

/* Takes the fault of an operand, which is the last one that was opened. */
struct input_passer {
	/* Frees the fault of the input, which goes on with the next operand; one that is left ends
	 * it. in->is_torn: all of the operand was read, but it is packed and not whole. */
	void (*take)(struct input_passer *passer, struct input *in);
};

struct input {
	char *const *operand; /* owned by the caller */
	unsigned operand_count;
	unsigned operand_next;
	int fd;   /* -1 between operands */
	int lent; /* a descriptor of the first operand, which its owner closes; or -1 */
	struct hash_stream *lent_sum; /* gets all bytes that are read from lent; or NULL */
	struct sums *sums;            /* gets all bytes that are read, of each operand; or NULL */
	uint64_t lent_left;           /* so many bytes are read from lent at most */
	size_t lent_lines;            /* lines of the operand that stand before these */
	const struct input_unpacker *unpacker; /* NULL: packed files are read as they are */
	struct input_passer *passer;           /* NULL: the fault of an operand ends the input */
	pid_t unpacking;                       /* the program that reads the operand, or 0 */
	bool is_torn; /* set while the passer takes the fault of such an operand */
	const char *file;
	size_t line_number;
	size_t line_max; /* bytes */
	uint64_t bytes;  /* read so far, of all operands */
	bool continued;  /* the last line handed out was a piece with more set */
	bool file_start; /* no line of this operand was handed out yet */
	bool first_file;
	bool ended_open; /* the last line handed out had no LF */
	bool file_ended; /* read(2) returned 0 */
	struct block_pool *pool;
	struct block *block; /* holds the lines at hand, and the last one handed out */
	size_t handed;       /* where the last line handed out starts */
	size_t at;
	size_t end;
	size_t searched; /* there is no LF between at and searched */
	struct fault *fault;
};

/*
 * operand is a list of count file names; an empty list means standard input. Sets the fault, with
 * status 66, when a file does not exist, is a directory or may not be read.
 */
void input_init(struct input *in, char *const *operand, unsigned count, struct fault *fault);

/* Sets *st to the state of the file of operand i, from 0. Returns false when there is none. */
bool input_stat(const struct input *in, unsigned i, struct stat *st);

/* Whether all operands are regular files; then *size is the sum of their bytes. */
bool input_is_of_files(const struct input *in, uint64_t *size);

/* Makes the next len bytes of fd the first operand, of which so many lines were read before. Call
 * it at the start, or when the input has ended: then it goes on. */
void input_lend(struct input *in, int fd, uint64_t len, size_t lines);

/* Whether the next input_fill may wait for somebody. */
bool input_waits(const struct input *in);

/* Reads on; call it when every line at hand has been handed out. May block. Lines handed out before
 * are gone unless their block is kept. Returns false at the end of all operands, and when reading
 * fails: then the fault is set, with status 74 or 66. */
bool input_fill(struct input *in);

/* Hands out the next line at hand. Returns false when there is none: call input_fill then. */
bool input_next(struct input *in, struct line *line);

/* Takes back the line just handed out: it is at hand again. */
void input_take_back(struct input *in, const struct line *line);

/* All bytes at hand. Sets *is_last when the operand has no more. */
struct str input_at_hand(const struct input *in, bool *is_last);

/* Hands out the first len bytes at hand as one line, whatever line feeds are in them. Where they do
 * not end with one, what follows is of the same line of the file. */
void input_take_lines(struct input *in, struct line *line, size_t len);

/*
 * For a reader that finds the end of a line by itself. input_rest gives the bytes at hand, which
 * begin with a line; it gives none when input_next must be called instead. input_take then hands
 * out the first len bytes as a line, LF included. Such lines do not come in pieces.
 */
struct str input_rest(const struct input *in);
void input_take(struct input *in, struct line *line, size_t len);

/* The line without its line end. */
struct str input_line_text(struct str line);

/* Numbers a line that is handed out by another part of the program, as one of standard input. */
void input_feed(struct input *in, struct line *line);

void input_free(struct input *in);

#endif
