#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

/*
 * An archive keeps the records that policies removed from streams or changed. It is a file of
 * lines. Each line is an entry, and its key is the hash of its text (BLAKE2b of 128 bits, RFC
 * 7693):
 *
 *     {"key":"00d5…","record":TEXT}   a record as it was, byte for byte, without its line end
 *     {"key":"5c1e…","list":TEXT}     an array of keys: the records that one artifact replaces
 *     {"key":"b0f4…","pass":TEXT}     the edits of one run (data/archive/archive_pass.h)
 *     {"key":"91c7…","about":TEXT}    the origin of a record: {"record":KEY,"tool":"read",
 *                                     "target":"a.c","turn":2,"time":"…"}
 *
 * Entries are only appended. Their order matters only for passes: a later pass is a newer one. An
 * entry that occurs twice counts once.
 *
 *     archive_pass    writes entries          stream/append    the file that they go to
 *     archive_index   finds entries           restore          undoes passes
 */

#include "base/hash/blake2b.h"
#include "base/hash/hash.h"
#include "data/session/session.h"
#include "json/write.h"

enum {
	ARCHIVE_KEY_BYTES = 16,
	ARCHIVE_KEY_DIGITS = 2 * ARCHIVE_KEY_BYTES,
	ARCHIVE_KEY_SHORT = 12, /* digits of a key in a text that a model reads */
};

/* The value of metadata.pass, as JSON, until all edits of the pass are known. It has as many bytes
 * as the final value, so that policies weigh the right length. */
#define ARCHIVE_NO_PASS "\"000000000000\""

struct archive_key {
	uint8_t byte[ARCHIVE_KEY_BYTES];
};

enum archive_kind { ARCHIVE_RECORD, ARCHIVE_LIST, ARCHIVE_PASS, ARCHIVE_ABOUT, ARCHIVE_KINDS };

/* The name of the member that holds the text of an entry. */
struct str archive_kind_name(enum archive_kind kind);

struct archive_key archive_key_of(struct str text);

/* Appends the key as hexadecimal digits. */
void archive_key_write(const struct archive_key *key, struct buf *buf);

/* Writes a member whose value is a string of the digits of the key. */
void archive_key_put(struct json_writer *w, struct str name, const struct archive_key *key);

/* Reads a key from its hexadecimal digits, in lower case. Returns false for any other text. */
bool archive_key_read(struct str text, struct archive_key *key);

/* Sets *key to the key in metadata.archived. Returns false when the message has no such key. */
bool archive_key_of_message(const struct message *message, struct archive_key *key);

static inline bool
archive_key_eq(const struct archive_key *a, const struct archive_key *b)
{
	return memcmp(a->byte, b->byte, ARCHIVE_KEY_BYTES) == 0;
}

/* The first bytes of each entry. */
#define ARCHIVE_ENTRY STR("{\"key\":\"")

/* Whether a file that begins with head may be an archive: head is empty, or begins with an entry,
 * which may be cut off. */
bool archive_may_begin(struct str head);

/* The hash of the key, for a map. */
struct hash archive_key_hash(const struct archive_key *key);

/* The key of the line that begins at the entry, as the line is now. A long line is taken with all
 * its pieces. */
struct archive_key archive_line_key(const struct session *session, uint32_t entry);

/* The line end of the line that begins at the entry. */
struct str archive_line_end(const struct session *session, uint32_t entry);

/* The key of the entry's record as it was before all changes. */
struct archive_key archive_original_key(struct session *session, uint32_t entry);

/* The key of a stream is the hash of the keys of its lines, one after another. After the key of a
 * line that ends in CR LF, CR LF is hashed too, unless the line is the last one: a last line
 * without line end may get one later. Budget records are left out, since ctx-budget adds and
 * removes them. The key of a stream of budget records alone is the hash of their keys. */
struct archive_chain {
	struct blake2b state;
	bool has_lines; /* a line that is no budget record */
	bool is_crlf;   /* the last line so far ends in CR LF */
};

void archive_chain_init(struct archive_chain *chain);

/* Adds a line, with its line end. A line that ends in CR alone counts as one in CR LF once another
 * line follows. */
void archive_chain_add(struct archive_chain *chain, const struct archive_key *key, struct str end);

/* Adds a budget record. Returns whether the key of the stream changes. */
bool archive_chain_add_budget(struct archive_chain *chain, const struct archive_key *key);

/* The key of the lines so far. More lines may be added after that. */
struct archive_key archive_chain_key(const struct archive_chain *chain);

/* A list entry that is being made: its text, and the state of its key. */
struct archive_list {
	struct buf text; /* without the bracket at its end */
	struct blake2b state;
};

void archive_list_add(struct archive_list *list, const struct archive_key *key);
struct archive_key archive_list_key(const struct archive_list *list);

/* Adds the list to the lists of the session, which are archived with its changes. Copies the
 * text. */
void archive_list_put(const struct archive_list *list, struct session *session);
void archive_list_free(struct archive_list *list);

#endif
