#ifndef ARCHIVE_ARCHIVE_INDEX_H
#define ARCHIVE_ARCHIVE_INDEX_H

/*
 * Finds the entries of an archive by key. Opening reads the file once and notes the place of each
 * entry. A text is read from the file when a caller asks for it, and checked against its key. A
 * line that is no entry is ignored, such as one that a killed program did not finish.
 *
 * Memory: about a hundred bytes an entry.
 */

#include "base/hash/map.h"
#include "data/archive/archive.h"

struct archive_index_item {
	struct archive_key key;
	struct archive_key
	    of;            /* for a pass, the key of its stream; for an about, that of its record */
	uint64_t at;       /* the offset of the text in the file */
	uint64_t len;      /* the length of the text */
	uint32_t older;    /* the entry before this one with the same key, or NONE */
	uint32_t older_of; /* the entry before this one with the same of, or NONE */
	uint8_t kind;      /* enum archive_kind */
};

struct archive_index {
	const char *path;
	int fd;
	struct fault *fault;             /* the fault of the run: set when reading fails */
	struct archive_index_item *item; /* the oldest first */
	uint32_t count, cap;
	struct map by_key;    /* the newest entry of a key */
	struct map by_stream; /* the newest pass of a stream */
	struct map by_record; /* the newest about of a record */
};

/* Opens the archive at path. path and fault must live as long as the index. Returns false with the
 * fault set: status 66 when the file cannot be opened or is not regular, 65 when it has lines but
 * no entry, 74 when reading fails. */
bool archive_index_open(struct archive_index *index, const char *path, struct fault *fault);
void archive_index_close(struct archive_index *index);

/* The newest entry of that key, or NONE. */
uint32_t archive_index_find(const struct archive_index *index, const struct archive_key *key);

/* The newest record or list whose key begins with the digits, or NONE. Sets *is_alone to whether no
 * other key begins with them. The time is linear in the entries of the archive. */
uint32_t archive_index_search(const struct archive_index *index, struct str digits, bool *is_alone);

/* The newest pass that wrote that stream, or NONE. */
uint32_t archive_index_pass(const struct archive_index *index, const struct archive_key *stream);

/* The newest about entry for the record with that key, or NONE. When several messages had equal
 * records, older_of leads to the other entries. */
uint32_t archive_index_about(const struct archive_index *index, const struct archive_key *record);

/* Sets text to the text of the entry, with JSON_PADDING readable bytes after it. When the text does
 * not match its key, older entries with the same key are tried. Returns false when no text matches,
 * and when reading fails; then the fault is set, with status 74. */
bool archive_index_load(const struct archive_index *index, uint32_t item, struct buf *text);

#endif
