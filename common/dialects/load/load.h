#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

/*
 * What an agent loads of the files of its sessions, and what is wrong with each file in the eyes of
 * its loader (load_form.h). Two stages, around a reader:
 *
 *     load -> reader -> load.census
 *
 * load looks at the records of the files, and its census at the messages that the reader makes of
 * them: a message is loaded where its record is. Both pass all records. Sub-agents' messages and
 * system prompts do not count.
 *
 * For each record some 64 bytes are held until the end. Time is linear in the input.
 */

#include "data/stage.h"
#include "dialects/load/load_form.h"
#include "dialects/rows/conditions.h"
#include "dialects/tally.h"

enum { LOAD_NONE = UINT32_MAX };

enum load_flags {
	LOAD_IN_CHAIN = 1,
	LOAD_IS_BRIDGE = 2,
	LOAD_IS_ROOT = 4,
	LOAD_IS_LOST = 8,    /* by a rule */
	LOAD_IS_REACHED = 16,
	LOAD_IS_RESULT = 32,
	LOAD_IS_ASIDE = 64,  /* of a sub-agent */
	LOAD_IS_MISSED = 128, /* messages of it are not reached */
};

/* A record of a file. */
struct load_node {
	size_t line;
	struct hash key, parent; /* of its id and that of the record that it follows */
	struct hash group;       /* of the answer, or the call that it answers; or zero */
	size_t said; /* where in subjects the parent is */
	uint32_t missed; /* such records before it */
	uint8_t said_len;
	uint8_t flags;       /* enum load_flags */
	uint8_t parent_type; /* enum json_type */
};

/* A call of the record of that node. */
struct load_call {
	uint32_t node;
	struct hash id;
};

/* What is wrong with the chain at a node. */
struct load_fault {
	enum violation code;
	uint32_t node, above; /* the node after it on the way up, or LOAD_NONE */
};

struct load_file {
	const struct load_form *form;
	const char *name;
	struct load_node *node; /* in the order of the file */
	uint32_t count, cap;
	struct load_call *call;
	uint32_t call_count, call_cap;
	struct buf kept;      /* ids of what a compaction keeps, struct hash each */
	bool has_begun;       /* its first record came */
	bool is_flat;         /* the chain says nothing */
	bool is_lost;         /* nothing is loaded */
	uint64_t anyones;     /* bit i: rule i of LOAD_ANYONE holds */
	uint64_t lasts;       /* bit i: rule i of LOAD_LAST finds the last record at fault */
	struct load_fault *fault; /* from the last node to the first */
	uint32_t faults, fault_cap;
	uint64_t lost;        /* messages in lists that are not loaded */
	size_t *message;      /* the lines of the messages that were read, in the order of the reader */
	uint32_t messages, message_cap;
	struct buf findings;  /* a violation_list, in the order of the lines */
	struct buf subjects;  /* the parents of all nodes, as JSON, for what is found */
	struct map by_key;    /* key -> the last node of that id */
};

struct load {
	struct stage stage;
	struct stage census;
	const struct load_form *form;
	struct member_tree tree;
	struct conditions *rules; /* of each rule */
	struct member_path *at;   /* of each rule */
	struct conditions speaks, of, but, aside, bridge, root, flat;
	struct member_path mode, lists, id, parent;
	struct buf variable[1];
	struct member_variables variables;
	struct load_file *file;
	uint32_t files, files_cap;
	uint32_t counted; /* the file of the last message */
	/* Bytes of the files by kind, of what is no part of the conversation: whole records by
	 * their type, and members beside it by their names. */
	struct tally weight;
	uint64_t bytes;                  /* of all records */
	uint64_t count[VIOLATION_COUNT]; /* of what load_end has found */
};

/* Adds what is wrong with the record of the line to the findings of its file. The subject is JSON;
 * of an empty one the finding has "". */
void load_find(struct load_file *file, enum violation code, size_t line, struct str subject);

void load_init(struct load *load, const struct load_form *form);

/* Call when the stream has ended: appends what was found to the list, for each file the verdict
 * first. Of a file without messages nothing is said. */
void load_end(struct load *load, struct buf *list);

void load_free(struct load *load);

#endif
