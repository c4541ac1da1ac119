#ifndef POLICY_NORMALIZE_VIOLATION_H
#define POLICY_NORMALIZE_VIOLATION_H

/*
 * The faults of a stream of valid messages, or of the messages of an API; their stable codes; and
 * lists of findings.
 */

#include "base/buf.h"

enum violation {
	VIOLATION_ORPHAN_RESULT,   /* a result that answers no call */
	VIOLATION_SECOND_RESULT,   /* a second result for a call of the last group */
	VIOLATION_LATE_RESULT,     /* not directly after its call */
	VIOLATION_RESULT_ORDER,    /* before the result of an earlier call */
	VIOLATION_UNANSWERED_CALL, /* a call without a result, in an execution that is over */
	VIOLATION_REPEATED_ID,     /* a metadata.id that an earlier message has */
	VIOLATION_EMPTY_MESSAGE,   /* neither content nor calls */
	VIOLATION_ROLE_ALIAS,      /* another format's word for a role */
	VIOLATION_BAD_FLAG,        /* a metadata.critical that is no boolean, and so says nothing */
	VIOLATION_BAD_TOMBSTONE,   /* a metadata.forgets that is neither an id nor a list of ids */
	/* What an API refuses: */
	VIOLATION_UNKNOWN_ROLE,
	VIOLATION_UNKNOWN_MEMBER,   /* of a message, a part or a call */
	VIOLATION_BAD_CONTENT,      /* missing, empty, or of a type that the role does not have */
	VIOLATION_BAD_PART,         /* of a type that the role does not have, or misspelled */
	VIOLATION_BAD_CALL,         /* misspelled, or of another role than the assistant */
	VIOLATION_BAD_NAME,         /* of a speaker or a tool */
	VIOLATION_BAD_ID,           /* of a call or a result */
	VIOLATION_REPEATED_CALL_ID, /* two calls that results must tell apart */
	VIOLATION_NO_MESSAGE,       /* a record of another kind */
	VIOLATION_SYSTEM_IN_MIDST,
	VIOLATION_ASSISTANT_FIRST,
	VIOLATION_SAME_ROLE,       /* two neighbours of one role */
	VIOLATION_TRAILING_BLANKS, /* of a last message of the assistant */
	VIOLATION_NO_MESSAGES,     /* a request without any */
	VIOLATION_NO_MODEL,
	VIOLATION_NO_MAX_TOKENS,
	VIOLATION_BAD_TOOL,
	VIOLATION_BAD_FORMAT,     /* of the answer */
	VIOLATION_LONE_SURROGATE, /* half a character, as an escape */
	/* What an agent finds wrong with the file of a session: */
	VIOLATION_UNREACHED,       /* messages that it does not load */
	VIOLATION_NO_HEADER,       /* the record that the file needs */
	VIOLATION_NO_MEMBER,       /* that a record needs */
	VIOLATION_BAD_VALUE,       /* of a member */
	VIOLATION_DANGLING_PARENT, /* which no record of the file is */
	VIOLATION_PARENT_CYCLE,    /* records that follow each other */
	VIOLATION_PROGRESS_PARENT, /* which stands beside the messages between */
	VIOLATION_OTHER_BRANCH,    /* messages between a record and its parent */
	VIOLATION_NO_PARENT,       /* in the midst of the file */
	VIOLATION_EMPTY_THINKING,  /* with a signature */
	VIOLATION_COMMAND_TEXT,    /* of the user, which is taken for a command */
	/* What is found where the input is read: */
	VIOLATION_OTHER_DIALECT, /* than the one that was asked for */
	VIOLATION_SEVERAL_LINES, /* of one record */
	VIOLATION_UNKNOWN_SHAPE, /* of a record that may be a message */
	VIOLATION_BAD_LINE,
	VIOLATION_COUNT,
};

/* "orphan-result" and so on. */
struct str violation_code(enum violation violation);

/* What it means, a sentence. */
const char *violation_meaning(enum violation violation);

/* Whether the violation is harmless: nothing is lost, and no API and no agent refuses it. */
bool violation_is_mild(enum violation violation);

/* A violation that was found. */
struct violation_finding {
	enum violation violation;
	const char *file;
	size_t line;
	struct str subject; /* the id or word in question, as JSON; a list has its own copy */
};

/* Appends the text of the finding, with the first 100 bytes of its subject. The finding must not be
 * one of reading the input (VIOLATION_OTHER_DIALECT and later). */
void violation_explain(const struct violation_finding *finding, struct buf *text);

/* Appends the finding to the list; the buffer must hold nothing but findings. */
void violation_list_add(struct buf *list, const struct violation_finding *finding);

/* The next of the list from at (0 is the first) on; false at its end. */
bool violation_list_next(const struct buf *list, size_t *at, struct violation_finding *finding);

#endif
