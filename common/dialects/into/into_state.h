#ifndef INTO_INTO_STATE_H
#define INTO_INTO_STATE_H

/*
 * What the modules of into/ share of one run: the messages of the file and of the stream, and what
 * is to be done. into.h says how it goes.
 */

#include "base/arena.h"
#include "dialects/into/into_units.h"
#include "dialects/parts/provenance.h"

/* A string of so many bytes is known again where it is repeated. */
enum { INTO_COPY_MIN = 32 };

enum into_fate {
	INTO_GONE,
	INTO_SAME,
	INTO_CHANGED, /* edited where it stands */
	INTO_ANEW,    /* taken out, and written anew at the place of its entry */
};

/* A message of the file. */
struct into_own {
	struct str text;        /* JSON, with padding behind it */
	uint32_t piece, pieces; /* the first one, and how many */
	uint32_t edit, edits;   /* the same */
	uint32_t entry;         /* or INTO_NONE */
	uint8_t fate;           /* enum into_fate */
	bool has_source;
};

/* A message of the stream. */
struct into_entry {
	struct str text; /* JSON, with padding behind it */
	struct json_value source;
	uint32_t own;     /* the message of the file; INTO_NONE: a new one */
	uint32_t answers; /* the entry with the call that it answers, or INTO_NONE */
	uint32_t result;  /* the newest entry that answers one of its calls, … */
	uint32_t next;    /* … and the one before, or INTO_NONE */
	bool is_anew;
};

struct into_edit {
	struct str span; /* in the text of the file */
	struct str with;
	bool is_removed;        /* an element or a member, with a comma beside it */
	uint32_t number;        /* in which they were noted */
	struct json_value name; /* of a member that goes */
};

struct into_link {
	uint32_t own, next;
};

struct into {
	const struct into_format *format;
	struct into_units units;
	struct provenance provenance; /* for the reading of the file */
	struct fault *fault;
	bool is_document;
	struct arena arena;
	struct stage behind_reader, last; /* of the reading of the file */
	struct into_own *own;
	uint32_t own_count, own_cap;
	struct provenance_piece *piece;
	uint32_t piece_count, piece_cap;
	struct map pieces;  /* of metadata.source -> first piece and how many */
	struct map sources; /* of metadata.source -> own */
	struct into_entry *entry;
	uint32_t entry_count, entry_cap;
	struct into_edit *edit;
	uint32_t edit_count, edit_cap;
	struct into_link *link;
	uint32_t link_count, link_cap;
	struct buf batches; /* struct into_new_batch each (into_new.h) */
	struct map removed; /* offsets of elements that are taken out */
	struct map gone;    /* what repeats these texts goes: hash of a string -> 1 */
	struct buf scratch;
	uint64_t counts[4]; /* messages, by enum into_fate; new ones are INTO_ANEW */
};

static inline struct hash
into_place_key(const struct into *into, const char *ptr)
{
	return hash_number((uint64_t)(ptr - into->units.text.ptr), hash_seed(HASH_LABEL));
}

/* Notes that what repeats the value elsewhere goes, if it is a string that is long enough. */
static inline void
into_note_gone(struct into *into, struct json_value text)
{
	if (text.type == JSON_STRING && text.len >= INTO_COPY_MIN)
		map_set(&into->gone, hash_label(json_span(text)), 1);
}

#endif
