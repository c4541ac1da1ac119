#ifndef LOAD_LOAD_FORM_H
#define LOAD_LOAD_FORM_H

/*
 * How an agent loads the file of a session, as rows: what it must find in the file, and what
 * becomes of the file or of a record where that is not there. Found by what the agents' own clients
 * send of a session that they resume (tests/clients).
 */

#include "json/value.h"
#include "policy/normalize/violation.h"

struct session_layout;
struct load_file;

/* Of which records a rule is. */
enum load_form_scope {
	LOAD_EACH, /* each for which the conditions hold is at fault */
	/* The first of the file; at fault unless they hold. But with needs or a kind they say, as
	 * for each, whether the rule is of it. */
	LOAD_FIRST,
	LOAD_LAST,   /* the last of the file, where they hold */
	LOAD_ANYONE, /* the file is at fault unless they hold for one of its records */
};

/* Of which kind a value must be. */
enum load_form_kind {
	LOAD_ANY,
	LOAD_UUID,  /* text that is one */
	LOAD_COUNT, /* a number below 2^64 in digits alone */
};

/* What becomes of what is at fault. */
enum load_form_effect {
	LOAD_RECORD, /* the record is not loaded */
	LOAD_FILE,   /* nothing of the file is */
	LOAD_SENT,   /* it is sent, but the model's API refuses it or takes it for something else */
};

/* Of records of which shape a rule is. */
enum load_form_shape {
	LOAD_ANY_SHAPE,
	LOAD_LINE, /* one line alone */
	/* Several lines: all of the file. Or one that is all of it, and not what a rule of
	 * LOAD_ANYONE asks for. */
	LOAD_DOCUMENT,
};

struct load_form_rule {
	enum load_form_scope scope;
	unsigned depth;   /* of lists (struct load_form) above the value; 0: a record of the file */
	const char *when; /* conditions (dialects/rows/conditions.h); NULL: always */
	const char *at;   /* a path: the value in question */
	/* Members, with spaces between, that the object at that path must have, each with '=' and
	 * what a repair gives it: JSON with ' for ", <id>, <time> or <line>. The first one that it
	 * lacks is the finding's. NULL: the rule holds or not by its conditions. */
	const char *needs;
	enum load_form_kind kind; /* instead: of which kind the value must be */
	enum load_form_shape shape;
	/* Of LOAD_ANYONE: conditions of a record that lacks no more than another rule says, so that
	 * this one says nothing; NULL: none. */
	const char *also;
	const char *adds; /* what a repair puts in front of the file, in the same spelling */
	enum load_form_effect effect;
	enum violation code;
};

/* Whether the rule is of a record of that shape. */
static inline bool
load_form_is_of(const struct load_form_rule *rule, bool is_spread)
{
	return rule->shape == LOAD_ANY_SHAPE || (rule->shape == LOAD_DOCUMENT) == is_spread;
}

/* Records that name the record that they follow, by the format's id and parent. Conditions that are
 * NULL hold for none. */
struct load_form_chain {
	const char *of;    /* conditions: the records of the chain … */
	const char *but;   /* … that are not these */
	const char *aside; /* conditions: records of a sub-agent's conversation */
	/* Conditions: records beside the chain; what follows one that stands before it follows its
	 * parent. */
	const char *bridge;
	const char *root; /* conditions: the chain ends there */
	/* A member with the time. Where no record is the parent, the agent goes on with the last
	 * one by time which is at most five seconds older (load_times.h), and it begins with the
	 * last one by time that follows the last one of the file. NULL: it does neither. */
	const char *time;
	bool hangs; /* it does not come to an end where records follow each other in a circle */
	const char *flat; /* conditions of the first record: the agent goes by the file's order */
};

struct load_form {
	const struct session_layout *format; /* its ids */
	const struct load_form_rule *rules;  /* ended by a zeroed one */
	bool begins_whole;    /* a file that begins with a bad line lacks what a rule adds */
	const char *mode;     /* a path in the first record: the variable %mode of rules */
	const char *lists;    /* a path: lists whose elements are judged as records are */
	const char *commands; /* bytes with which a text of the user begins a command */
	const struct load_form_chain *chain; /* NULL: the order is that of the file */
	/* Looks at the newest record of the file, and when the chain is reached, reaches what hangs
	 * beside it. NULL: nothing does. */
	void (*add)(struct load_file *file, struct json_value record);
	void (*reach)(struct load_file *file);
	/* Conditions: the record is part of the conversation, and so is its member `body` alone;
	 * NULL: the whole record. */
	const char *speaks, *body;
};

#endif
