#ifndef INTO_INTO_STATE_H
#define INTO_INTO_STATE_H

/*
 * The state of one run that the modules of into/ share: the messages of the file and of the stream,
 * and the changes to make. into.h gives the overview.
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "dialects/into/into_units.h"
#include "dialects/parts/provenance.h"
#include "dialects/tally.h"

/* A string of at least so many bytes is recognized where it is repeated. */
enum { INTO_COPY_MIN = 32 };

enum into_fate {
	INTO_GONE,
	INTO_SAME,
	INTO_CHANGED, /* edited in its place */
	INTO_ANEW,    /* taken out, and written anew at the place of its entry */
};

/* A message of the file. */
struct into_own {
	struct str text;                              /* JSON, with padding after it */
	struct json_value session_id, calls, call_id; /* tool_calls and tool_call_id */
	/* the first piece, and the number of pieces */
	uint32_t piece, pieces;
	uint32_t edit, edits; /* the first edit, and the number of edits */
	uint32_t entry;       /* or INTO_NONE */
	uint8_t fate;         /* enum into_fate */
	bool has_source;
	bool is_summary; /* its kind is "summary" */
};

/* A message of the stream. */
struct into_entry {
	struct str text; /* JSON, with padding after it */
	struct json_value source;
	uint32_t own;     /* the message of the file; INTO_NONE: the message is new */
	uint32_t answers; /* the entry with the call that this result answers, or INTO_NONE */
	uint32_t result;  /* the newest entry that answers one of its calls, … */
	uint32_t next;    /* … and the one before, or INTO_NONE */
	bool is_anew;
};

struct into_edit {
	struct str span; /* in the text of the file */
	struct str with;
	bool is_removed;        /* an element or a member, with a comma beside it */
	uint32_t number;        /* in the order in which edits were noted */
	struct json_value name; /* of a member that is removed */
};

/* Counts of the records of the file by their fate. */
struct into_records {
	uint64_t same, edited, gone, new;
};

struct into_link {
	uint32_t own, next;
};

struct into {
	const struct session_layout *format;
	struct into_units units;
	struct provenance provenance; /* of the reading of the file */
	struct fault *fault;
	bool is_document;
	struct arena arena;
	struct json_spans spans;          /* of the line being read */
	struct stage behind_reader, last; /* of the reading of the file */
	struct into_own *own;
	uint32_t own_count, own_cap;
	struct provenance_piece *piece;
	uint32_t piece_count, piece_cap;
	struct str agent;   /* the id, JSON, of the one agent that made all messages; or empty */
	struct str named;   /* the first message of the file that names its model, or empty */
	struct map pieces;  /* metadata.source -> the first piece, and how many */
	struct map sources; /* metadata.source -> index in own */
	struct into_entry *entry;
	uint32_t entry_count, entry_cap;
	struct into_edit *edit;
	uint32_t edit_count, edit_cap;
	struct into_link *link;
	uint32_t link_count, link_cap;
	struct buf batches; /* struct into_new_batch each (into_new.h) */
	struct map removed; /* the offsets of removed elements */
	/* texts that are gone: hash of the string -> the new text, or 0 (into_note_gone) */
	struct map gone;
	struct buf scratch;
	uint64_t counts[4]; /* messages, by enum into_fate; new ones are INTO_ANEW */
	uint64_t unsaid;    /* messages with changed metadata that is not written */
	struct into_records records;
	struct tally dropped; /* counts the parts that have no place in new records */
};

static inline bool
into_names_model(const struct message *message)
{
	return message->role == ROLE_ASSISTANT && message_model(message).type == JSON_STRING;
}

static inline struct hash
into_place_key(const struct into *into, const char *ptr)
{
	return hash_number((uint64_t)(ptr - into->units.text.ptr), hash_seed(HASH_LABEL));
}

/* Notes that the value, if it is a string of at least INTO_COPY_MIN bytes, is no longer in its
 * message. A repetition elsewhere becomes with, JSON; it is removed if with is NULL, or if two
 * notes of the same string differ. */
static inline void
into_note_gone(struct into *into, struct json_value text, const struct str *with)
{
	struct hash key = hash_label(json_span(text));
	uint64_t noted;

	if (text.type != JSON_STRING || text.len < INTO_COPY_MIN)
		return;
	noted = map_get(&into->gone, key);
	if (noted == MAP_NONE)
		map_set(&into->gone, key, (uintptr_t)with);
	else if (with == NULL || noted == 0 ||
	    !str_eq(*(const struct str *)(uintptr_t)noted, *with))
		map_set(&into->gone, key, 0);
}

#endif
