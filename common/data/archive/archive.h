#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

/*
 * An archive keeps what policies took out of streams. It is a file of lines, and each line is an
 * entry whose key is the hash of its text (BLAKE2b of 128 bits, RFC 7693):
 *
 *     {"key":"00d5…","record":TEXT}   a record as it was, byte for byte, without its line end
 *     {"key":"5c1e…","list":TEXT}     an array of keys: what one artifact stands for
 *     {"key":"b0f4…","pass":TEXT}     what one run did to a stream (data/archive/archive_pass.h)
 *     {"key":"91c7…","about":TEXT}    whose a record was: {"record":KEY,"tool":"read",
 *                                     "target":"a.c","turn":2,"time":"…"}
 *
 * Entries are only added, behind all others. The order says nothing but which of two passes is the
 * newer one, and an entry that stands twice is worth one.
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

/* What metadata.pass is, as JSON, until all edits of the pass are known: its bytes count when a
 * policy weighs what a text costs. */
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

/* Puts a member whose value is the key as a string of these digits. */
void archive_key_put(struct json_writer *w, struct str name, const struct archive_key *key);

/* Reads a key that is written so, in small letters. Returns false for any other text. */
bool archive_key_read(struct str text, struct archive_key *key);

/* Sets *key to what the message has in metadata.archived. Returns false when it has none. */
bool archive_key_of_message(const struct message *message, struct archive_key *key);

static inline bool
archive_key_eq(const struct archive_key *a, const struct archive_key *b)
{
	return memcmp(a->byte, b->byte, ARCHIVE_KEY_BYTES) == 0;
}

/* What each entry begins with. */
#define ARCHIVE_ENTRY STR("{\"key\":\"")

/* Whether a file that begins with these bytes may be an archive: it is empty, or begins with an
 * entry, which may be torn. */
bool archive_may_begin(struct str head);

/* The hash of the key, for a map. */
struct hash archive_key_hash(const struct archive_key *key);

/* The key of the line that begins at the entry, as it is now, with all pieces of a long line. */
struct archive_key archive_line_key(const struct session *session, uint32_t entry);

/* The line end of that line. */
struct str archive_line_end(const struct session *session, uint32_t entry);

/* The key of the entry's record as it was before all changes. */
struct archive_key archive_original_key(struct session *session, uint32_t entry);

/* The key of a stream is the hash of the keys of its lines, one behind the other, with CR LF behind
 * that of a line which ends so, unless it is the last: what has no line end yet may get one. Budget
 * records come and go with ctx-budget, and are left out; a stream that has no other line yet has
 * the hash of theirs. */
struct archive_chain {
	struct blake2b state;
	bool has_lines; /* a line that is no budget record */
	bool is_crlf;   /* the last line by now ends in CR LF */
};

void archive_chain_init(struct archive_chain *chain);

/* Adds a line that ends in end. One that ends in a CR alone gets an LF with the next line. */
void archive_chain_add(struct archive_chain *chain, const struct archive_key *key, struct str end);

/* Adds a budget record. Returns whether that makes another key. */
bool archive_chain_add_budget(struct archive_chain *chain, const struct archive_key *key);

/* The key of the lines by now; more may be added. */
struct archive_key archive_chain_key(const struct archive_chain *chain);

/* The text of a list entry, and its key, while keys are added. */
struct archive_list {
	struct buf text; /* without the bracket at its end */
	struct blake2b state;
};

void archive_list_add(struct archive_list *list, const struct archive_key *key);
struct archive_key archive_list_key(const struct archive_list *list);

/* Adds the text to the lists of the session, which are archived with its changes. */
void archive_list_put(const struct archive_list *list, struct session *session);
void archive_list_free(struct archive_list *list);

#endif
