#ifndef ARCHIVE_ARCHIVE_INDEX_H
#define ARCHIVE_ARCHIVE_INDEX_H

/*
 * The entries of an archive, found by key. Opening reads the file once, and remembers where each
 * entry is; texts are read when they are asked for, and checked against their key. A line that is
 * no entry, such as one that a killed program left torn, is passed over.
 *
 * Memory: about a hundred bytes an entry.
 */

#include "base/hash/hash.h"
#include "data/archive/archive.h"

struct archive_index_item {
	struct archive_key key;
	struct archive_key
	    of;         /* what it is found by: of a pass, the stream; of an about, the record */
	uint64_t at;    /* of the text, in the file */
	uint64_t len;   /* of the text */
	uint32_t older; /* the entry before with that key, or NONE */
	uint32_t
	    older_of; /* the pass before of that stream, or the about of that record, or NONE */
	uint8_t kind; /* enum archive_kind */
};

struct archive_index {
	const char *path;
	int fd;
	struct fault *fault;             /* of the run: set when reading fails */
	struct archive_index_item *item; /* the oldest first */
	uint32_t count, cap;
	struct map by_key;    /* the newest entry of a key */
	struct map by_stream; /* the newest pass of a stream */
	struct map by_record; /* the newest about of a record */
};

/* Reads the file at path. path and fault must live as long as the index. Returns false with the
 * fault set, with status 66 when the file cannot be opened or is no regular one, 65 when it has
 * lines and no entry, and 74 when reading fails. */
bool archive_index_open(struct archive_index *index, const char *path, struct fault *fault);
void archive_index_close(struct archive_index *index);

/* The newest entry of that key, or NONE. */
uint32_t archive_index_find(const struct archive_index *index, const struct archive_key *key);

/* The newest record or list whose key begins with the digits, or NONE; *is_alone: no other key
 * does. Takes a time that grows with the archive. */
uint32_t archive_index_search(const struct archive_index *index, struct str digits, bool *is_alone);

/* The newest pass that wrote that stream, or NONE. */
uint32_t archive_index_pass(const struct archive_index *index, const struct archive_key *stream);

/* The newest entry that says whose the record of that key was, or NONE. Equal records may have been
 * of several messages: older_of has the others. */
uint32_t archive_index_about(const struct archive_index *index, const struct archive_key *record);

/* Sets text to that of the entry, with JSON_PADDING readable bytes behind it. Where its bytes do
 * not match the key, an older entry of the key may. Returns false when none does, and when reading
 * fails: then the fault is set, with status 74. */
bool archive_index_load(const struct archive_index *index, uint32_t item, struct buf *text);

#endif
