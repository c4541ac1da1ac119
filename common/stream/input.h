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
 * A line lives until the next input_fill, or for as long as a stage keeps its block
 * (stream/block.h). When a block is kept, the unfinished line is moved to another block.
 * BUF_PADDING readable bytes follow every line. Files are read, never mapped: another program may
 * change a file, but bytes that were read do not change.
 *
 * A line whose text is longer than line_max is handed out in pieces. All pieces but the last have
 * more set; all but the first have continued set. A piece has line_max bytes of the text, but for
 * the last one, which has what is left.
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

/* The byte order mark, which may come before the first line of a file. */
extern const struct str input_bom;

#define INPUT_LINE_MAX ((size_t)256 << 20)

struct line {
	struct str raw;   /* all bytes of the line, with LF and BOM if there are any: to write */
	struct str text;  /* the bytes without LF, CR before LF, and BOM: to parse */
	const char *file; /* the operand, "-" for standard input */
	size_t number;    /* the number of the line in its file, from 1 */
	uint64_t place;   /* the number of the record in the input, from 1; 0: made by a stage */
	bool more;
	bool continued;
	bool is_folded; /* the text is one line here, but several lines in the file */
};

/* How packed files are read: through a program that unpacks them. */
struct input_unpacker {
	/* Whether fd, whose position is 0, is a packed file: 1 or 0; or -1 with errno set. */
	int (*is_due)(int fd);
	/* Starts the program on fd, and closes fd. Returns the descriptor to read from and sets
	 * *pid; or returns -1 with the fault set. file is the name for diagnostics. */
	int (*open)(int fd, const char *file, pid_t *pid, struct fault *fault);
	/* Waits for the program; its descriptor is closed already. was_read says that all of its
	 * output was read. Returns false with the fault set when was_read is set and the program
	 * failed. */
	bool (*close)(pid_t pid, const char *file, bool was_read, struct fault *fault);
};

struct input;

/* Decides about a fault of the operand that was opened last. */
struct input_passer {
	/* Frees the fault of the input to go on with the next operand, or leaves it to end the
	 * input. in->is_torn says that the operand is a packed file that is incomplete, and that
	 * all of it was read. */
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
	uint64_t lent_left;           /* bytes that may still be read from lent */
	size_t lent_lines;            /* the number of lines of the operand before these bytes */
	const struct input_unpacker *unpacker; /* NULL: packed files are read as they are */
	struct input_passer *passer;           /* NULL: the fault of an operand ends the input */
	pid_t unpacking;                       /* the program that reads the operand, or 0 */
	bool is_torn; /* see input_passer; set during the call of take only */
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
 * operand is a list of count file names, which must outlive the input. An empty list means standard
 * input. Sets the fault, with status 66, when a file does not exist, is a directory or may not be
 * read.
 */
void input_init(struct input *in, char *const *operand, unsigned count, struct fault *fault);

/* Sets *st to the state of the file of operand i, from 0. Returns false when the operand has no
 * file. */
bool input_stat(const struct input *in, unsigned i, struct stat *st);

/* Whether all operands are regular files. If so, sets *size to the sum of their sizes in bytes. */
bool input_is_of_files(const struct input *in, uint64_t *size);

/* Makes the next len bytes of fd the first operand; lines is the number of lines before them, which
 * were read before. Call input_lend at the start, or at the end of the input to continue it. The
 * caller closes fd. */
void input_lend(struct input *in, int fd, uint64_t len, size_t lines);

/* Whether the next input_fill may wait for another program or a terminal. */
bool input_waits(const struct input *in);

/* Reads more bytes. Call input_fill when input_next has returned false. May block. Lines that were
 * handed out before are invalid after that, unless their block is kept. Returns false at the end of
 * all operands, and when reading fails: then the fault is set, with status 74 or 66. */
bool input_fill(struct input *in);

/* Hands out the next line that was read already. Returns false when there is none: then call
 * input_fill. */
bool input_next(struct input *in, struct line *line);

/* Takes back the line that was handed out last: the next input_next hands it out again. */
void input_take_back(struct input *in, const struct line *line);

/* All bytes that were read and not handed out. Sets *is_last to whether they are the last bytes of
 * the operand. */
struct str input_at_hand(const struct input *in, bool *is_last);

/* Hands out the first len of these bytes as one line, also when they have line feeds in them. If
 * the last byte is no LF, the next bytes are of the same line of the file. */
void input_take_lines(struct input *in, struct line *line, size_t len);

/*
 * For a reader that finds the end of a line by itself. input_rest returns the bytes that were read
 * and not handed out, which begin with a line. It returns no bytes when input_next must be called
 * instead. input_take then hands out the first len of these bytes as a line, with its LF. Such
 * lines do not come in pieces.
 */
struct str input_rest(const struct input *in);
void input_take(struct input *in, struct line *line, size_t len);

/* The line without its line end. */
struct str input_line_text(struct str line);

/* Sets the numbers of a line that another part of the program made, as for the next line of
 * standard input. */
void input_feed(struct input *in, struct line *line);

void input_free(struct input *in);

#endif
