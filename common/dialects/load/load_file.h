#ifndef LOAD_LOAD_FILE_H
#define LOAD_LOAD_FILE_H

/*
 * A file of a session that an agent loads: its records, which of them are reached, and their
 * faults. The caller owns the name; a file owns everything else.
 *
 * Ids of records, of answers and of calls are numbers, from 1 on; 0 is no id. So a record takes 40
 * bytes, and an id some 30.
 */

#include "base/hash/numbering.h"
#include "dialects/load/load_form.h"

/* No node; and, in the links of load_chain_relink, no parent. */
enum { LOAD_NONE = UINT32_MAX, LOAD_BEGINS = UINT32_MAX - 1 };

enum load_file_flags {
	LOAD_IN_CHAIN = 1,
	LOAD_IS_BRIDGE = 2,
	LOAD_IS_ROOT = 4,
	LOAD_IS_LOST = 8, /* by a rule */
	LOAD_IS_REACHED = 16,
	LOAD_IS_RESULT = 32,
	LOAD_IS_ASIDE = 64,   /* of a sub-agent */
	LOAD_IS_MISSED = 128, /* messages of it are not reached */
};

/* A record of a file. */
struct load_file_node {
	size_t line;
	int64_t time;        /* ms since 1970; -1: none */
	uint32_t id;         /* of a record in the chain, or a bridge */
	uint32_t names;      /* the id that it names as that of its parent */
	uint32_t parent;     /* the id of the record that it follows, which a bridge may change */
	uint32_t group;      /* the id of its answer, or of the call to which it is a result */
	uint32_t missed;     /* records with LOAD_IS_MISSED before it */
	uint8_t flags;       /* enum load_file_flags */
	uint8_t parent_type; /* enum json_type */
	bool is_bridged;     /* the parent was taken from a bridge */
	uint8_t turn;        /* enum load_file_turn */
};

enum load_file_turn {
	LOAD_JOINS,  /* it is sent if the node before it is */
	LOAD_UNREAD, /* it begins a message, and none was read */
	LOAD_SAYS,   /* a message was read that begins there */
};

/* Half of a character in the record of the node. */
struct load_file_half {
	uint32_t node;
	char escape[6];
};

/* A call in the record of the node. */
struct load_file_call {
	uint32_t node, id;
};

/* A fault of the chain at a node. */
struct load_file_fault {
	enum violation code;
	uint32_t node, above; /* the node after it on the way up, or LOAD_NONE */
};

/* The agent's note of the record to which the user went, which may be before the last record. */
struct load_file_checkpoint {
	uint32_t id;   /* of the record at which the chain then begins; or 0 */
	uint32_t node; /* the note */
	bool is_there;
	bool is_explicit; /* the user went there, and no record came after */
	bool is_begun;    /* the chain begins there, and not at the last record */
};

struct load_file {
	const struct load_form *form;
	const char *name;
	bool is_brief;               /* only what is reached is asked for: no findings are made */
	struct load_file_node *node; /* in the order of the file */
	uint32_t count, cap;
	struct load_file_call *call;
	uint32_t call_count, call_cap;
	struct load_file_checkpoint checkpoint;
	struct buf kept; /* ids of the records that a compaction keeps, pairs of uint32_t */
	uint32_t leaf;   /* the node with which the chain begins, or LOAD_NONE */
	bool is_flat;    /* the chain is ignored: all records are in the file's order */
	bool is_spread;  /* the newest record is of several lines */
	size_t torn;     /* the bad line at its beginning, where none is allowed; or 0 */
	bool is_lost;    /* nothing is loaded */
	bool has_half;   /* half of a character is sent */
	bool has_bad;    /* it has a bad line */
	/* If its first record may be the whole file: that record judged as a document; or NULL. */
	struct load_file *alone;
	uint64_t anyones; /* bit i: rule i of LOAD_ANYONE holds */
	/* bit i: load_form_rule.also of rule i holds */
	uint64_t stand_ins;
	uint64_t lasts; /* bit i: rule i of LOAD_LAST finds the last record at fault */
	struct load_file_fault *fault; /* from the last node to the first */
	uint32_t faults, fault_cap;
	uint64_t lost;   /* messages in lists that are not loaded */
	size_t *message; /* the lines of the messages that were read, in the order of the reader */
	uint32_t messages, message_cap;
	struct load_file_half *half;
	uint32_t halves, half_cap;
	struct buf findings; /* a violation_list, in the order of the lines */
	/* The parents of all nodes, as JSON, for findings: after a byte, its length and its
	 * text. said has the offset for each node, or 0. */
	struct buf subjects;
	size_t *said;
	uint32_t said_count, said_cap;
	struct numbering ids;
	uint32_t *named; /* for each id, and 0, the last node that has it, or LOAD_NONE */
	uint32_t named_count, named_cap;
};

/* Adds a record of that line, and returns its node, which is valid until the next one is added. */
struct load_file_node *load_file_add(struct load_file *file, size_t line);

/* The newest node. */
static inline struct load_file_node *
load_file_last(struct load_file *file)
{
	return &file->node[file->count - 1];
}

/* The node of that line, which must exist. Takes logarithmic time. */
struct load_file_node *load_file_find(const struct load_file *file, size_t line);

/* The number of the id with that hash. */
uint32_t load_file_id(struct load_file *file, struct hash key);

/* Notes that the newest node has the id. */
void load_file_name(struct load_file *file, uint32_t id);

/* The node with that id, the last if there are several; or LOAD_NONE. */
static inline uint32_t
load_file_named(const struct load_file *file, uint32_t id)
{
	return id < file->named_count ? file->named[id] : LOAD_NONE;
}

/* A zero byte for each id, and 0. The caller frees them. */
uint8_t *load_file_marks(const struct load_file *file);

/* Call when no more ids come: releases what finds their numbers. */
void load_file_seal(struct load_file *file);

/* Keeps the value as the subject of findings about the newest node. */
void load_file_quote(struct load_file *file, struct json_value value);

/* That value, or an empty text. */
struct str load_file_said(const struct load_file *file, uint32_t node);

/* Adds a fault of the record of the line to the findings. The subject is JSON; an empty subject
 * becomes "". */
void load_file_blame(struct load_file *file, enum violation code, size_t line, struct str subject);

void load_file_free(struct load_file *file);

#endif
