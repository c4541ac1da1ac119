#ifndef LOAD_LOAD_FORM_H
#define LOAD_LOAD_FORM_H

/*
 * How an agent loads the file of a session, as rows. A row says what the file must have, and which
 * effect a fault has on the file or on a record. The rows were found by resuming sessions in the
 * agents' own clients, and reading their requests (tests/clients).
 */

#include "json/value.h"
#include "policy/normalize/violation.h"

struct session_layout;
struct load_file;

/* The records to which a rule applies. */
enum load_form_scope {
	LOAD_EACH, /* each record; at fault if the conditions hold */
	/* The first of the file; at fault unless the conditions hold. With needs or a kind, the
	 * conditions say only whether the rule applies, as in LOAD_EACH. */
	LOAD_FIRST,
	LOAD_LAST,   /* the last of the file; at fault if they hold */
	LOAD_ANYONE, /* the file; at fault unless they hold for one of its records */
};

/* The kind that a value must have. */
enum load_form_kind {
	LOAD_ANY,
	LOAD_UUID,  /* a string that is a UUID */
	LOAD_COUNT, /* a number below 2^64 in digits alone */
};

/* The effect of a fault. */
enum load_form_effect {
	LOAD_RECORD, /* the record is not loaded */
	LOAD_FILE,   /* no record of the file is loaded */
	/* the record is sent, but the model's API refuses it or takes it for something else */
	LOAD_SENT,
};

/* The shape of records to which a rule applies. */
enum load_form_shape {
	LOAD_ANY_SHAPE,
	LOAD_LINE, /* one line alone */
	/* The whole file, as several lines; or as one line for which a rule of LOAD_ANYONE and
	 * LOAD_LINE does not hold. */
	LOAD_DOCUMENT,
};

struct load_form_rule {
	enum load_form_scope scope;
	unsigned depth;   /* of lists (struct load_form) above the value; 0: a record of the file */
	const char *when; /* conditions (dialects/rows/conditions.h); NULL: always */
	const char *at;   /* a path: the value that is judged */
	/* The members, with spaces between, that the object at that path must have, each with '='
	 * and the value that a repair gives it: JSON with ' for ", <id>, <time> or <line>. The
	 * finding names the first missing member. NULL: the conditions alone decide. */
	const char *needs;
	enum load_form_kind kind; /* instead of needs: the kind that the value must have */
	enum load_form_shape shape;
	/* Of LOAD_ANYONE: conditions of a record whose faults another rule already names, so that
	 * this rule is silent if they hold for one; NULL: none. */
	const char *also;
	/* the line that a repair puts at the start of the file, in the spelling of needs */
	const char *adds;
	enum load_form_effect effect;
	enum violation code;
};

/* Whether the rule applies to a record of that shape. */
static inline bool
load_form_is_of(const struct load_form_rule *rule, bool is_spread)
{
	return rule->shape == LOAD_ANY_SHAPE || (rule->shape == LOAD_DOCUMENT) == is_spread;
}

/* Records that name the record which they follow, by the format's id and parent. Conditions that
 * are NULL hold for no record. */
struct load_form_chain {
	const char *of;    /* conditions: the records of the chain … */
	const char *but;   /* … that are not these */
	const char *aside; /* conditions: records of a sub-agent's conversation */
	/* Conditions: records beside the chain. A record that follows an earlier one of these
	 * follows the parent of that one instead. */
	const char *bridge;
	const char *root; /* conditions: the chain ends there */
	/* A member with the time. If a parent is missing, the agent goes on with the newest record
	 * that is at most five seconds older (load_times.h). It begins with the newest record among
	 * the last of the file and those that follow it. NULL: it does neither. */
	const char *time;
	bool hangs;       /* the agent hangs if records follow each other in a circle */
	const char *flat; /* conditions of the first record: the agent uses the file's order */
};

struct load_form {
	const struct session_layout *format; /* its ids */
	const struct load_form_rule *rules;  /* ended by a zeroed one */
	/* a file that begins with a bad line lacks the line that a rule adds */
	bool begins_whole;
	const char *mode;     /* a path in the first record: the variable %mode of rules */
	const char *lists;    /* a path to lists whose elements are judged like records */
	const char *commands; /* bytes with which a text of the user begins a command */
	const struct load_form_chain *chain; /* NULL: the order is that of the file */
	/* add reads the newest record of the file; reach marks, when the chain is marked, the
	 * records beside it as reached. NULL: there are none. */
	void (*add)(struct load_file *file, struct json_value record);
	void (*reach)(struct load_file *file);
	/* speaks: conditions of records that are part of the conversation. body: the member that
	 * alone is part of it; NULL: the whole record. */
	const char *speaks, *body;
	/* Without a chain: conditions of records that begin a message, so that one of which no
	 * message was read was taken back, with the records after it. */
	const char *begins;
};

#endif
