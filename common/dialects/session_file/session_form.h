#ifndef SESSION_FILE_SESSION_FORM_H
#define SESSION_FILE_SESSION_FORM_H

/*
 * How an agent spells its sessions: a table of templates, one for each record and each part, which
 * session_file.h fills. A template is JSON with ' for ", and with values between < and >:
 *
 *     {'type':'text','text':<text>}
 *
 *     <parent>                 a value, as it is written: JSON, or, inside of quotes, a bare text
 *     <?signature>,'x':<signature><?>   only where there is such a value
 *
 * A template that asks for a value which is not there says nothing: what it was to say is counted
 * among what is dropped.
 */

#include "base/buf.h"
#include "json/value.h"

/* Bare: without quotes. All others are JSON; "list" is without brackets. */
#define SESSION_VALUES(row) \
	row(session)          /* bare: the id of the session, a UUID */ \
	    row(uuid)         /* bare: the id of the record */ \
	    row(parent)       /* the id of the record before, or null */ \
	    row(order)        /* bare: the number of the record, and the session */ \
	    row(asked)        /* bare: the same of the last record of the user */ \
	    row(part)         /* bare: the number of the part, 12 hexadecimal digits */ \
	    row(time)         /* bare: YYYY-MM-DDThh:mm:ss.mmmZ */ \
	    row(ms)           /* the same in milliseconds since 1970 */ \
	    row(day)          /* bare: YYYY/MM/DD, of the last message */ \
	    row(clock)        /* bare: YYYY-MM-DDThh-mm-ss, of the last message */ \
	    row(began)        /* milliseconds, of the first message */ \
	    row(instructions) /* a system message in front of all others */ \
	    row(cwd)          /* the directory in which the agent goes on */ \
	    row(project)      /* bare: the same as a name, all but letters and digits as - */ \
	    row(model)        /* its name, or "unknown" */ \
	    row(provider)     /* the same, as metadata.x_FORMAT says it */ \
	    row(api)          /* the same */ \
	    row(role)         /* bare: of the message */ \
	    row(side)         /* bare: input or output, as the model sees it */ \
	    row(stop)         /* bare: one of the form's two words: why the answer ended */ \
	    row(injected)     /* true or false: put in by a client */ \
	    row(parts)        /* list */ \
	    row(calls)        /* list */ \
	    row(thoughts)     /* list */ \
	    row(text) row(signature) \
		row(sealed)              /* what only the provider reads of its thinking */ \
	    row(thought)                 /* the same of any part, as Gemini has it */ \
	    row(raw)                     /* the part as it is */ \
	    row(source)                  /* of an image or a document, as Anthropic spells it */ \
	    row(mime) row(data) row(url) /* also data:MIME;base64,DATA */ \
	    row(inlined)                 /* a url of that kind alone */ \
	    row(call)                    /* bare: the id of the call */ \
	    row(name)                    /* of its tool */ \
	    row(arguments)               /* an object */ \
	    row(written)                 /* the same as a string */ \
	    row(output)                  /* of a result: a string, or an array of parts */ \
	    row(flat)                    /* its texts as one string */ \
	    row(files) /* list of its images, where the record of the call holds the result */ \
	    row(more_files) /* the same, a comma before each */ \
	    row(filed)      /* the same as files, if there is one */ \
	    row(failed)     /* true or false: the result is an error */

#define SESSION_VALUE(name) SESSION_##name,
enum session_form_value { SESSION_VALUES(SESSION_VALUE) SESSION_VALUE_COUNT };
#undef SESSION_VALUE

/* What a message may be made of. */
enum session_form_part {
	SESSION_TEXT,
	SESSION_THINKING,
	SESSION_REDACTED, /* thinking that only its provider reads */
	SESSION_IMAGE,
	SESSION_DOCUMENT,
	SESSION_LINK,    /* either, where the form before has no place for one that is a URL */
	SESSION_REFUSAL, /* or NULL: it is a text */
	SESSION_OWN,     /* as it is: only the form's provider makes it */
	SESSION_CALL,    /* where holds_results: with its result */
	SESSION_RESULT,  /* of a form that has neither a record for it nor one with the call */
	SESSION_FAILED,  /* a result that is an error; NULL: as others */
	SESSION_OPEN,    /* the same without a result */
	SESSION_PART_COUNT,
};

/* Where a part goes. */
enum session_form_place {
	SESSION_IN_PARTS,
	SESSION_IN_CALLS,
	SESSION_IN_THOUGHTS,
	SESSION_PLACE_COUNT,
	SESSION_ALONE =
	    SESSION_PLACE_COUNT, /* a record of its own; the parts before are one, too */
};

struct session_form {
	const char *name;   /* of the agent's dialect */
	const char *resume; /* what to type to resume the session of FILE; here ' is as it is */
	const char *head;   /* the first line; or what is in front of the records of a document */
	const char *tail;   /* of a document: what is behind its records. NULL: each is a line */
	const char *user, *assistant;
	const char *system; /* or NULL: there is no place for it */
	const char *result; /* of a result; or NULL: the record of its call holds it */
	struct session_form_row {
		const char *form; /* or NULL: there is no place for it */
		enum session_form_place place;
	} part[SESSION_PART_COUNT];
	const char *stop[2]; /* value stop: with calls, and without */
	const char *extra;   /* x_FORMAT of metadata */
	/* What the user says is not sent when it begins with one of these bytes; or NULL. */
	const char *commands;
	/* Whether the part is one that only the provider of the form makes. NULL: none is. */
	bool (*is_own)(struct json_value part);
	/* Of an API: neighbours of one role are one record, of which the user's is the first. */
	bool alternates;
	unsigned name_max;     /* bytes of a tool's name */
	unsigned id_max;       /* bytes of a call's id; 0: any number */
	bool keeps_joined_ids; /* as call_ids.h says */
	/* Whether the output of a result says by itself that it is an error. NULL: the form has a
	 * flag for that. */
	bool (*says_failure)(struct json_value output);
	bool has_instructions; /* a system message in front of all others goes into the head */
	bool joins_answers; /* neighbours of the assistant are read as one message, of one time */
	bool is_sorted;     /* by time: no record is of an earlier time than the one before */
};

/* Appends the template with the values, of which those without a ptr are not there. Returns false,
 * and appends nothing, when it asks for one of these. */
bool session_form_write(
    const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to);

/* Appends the text with the id in place of each byte that is mark. */
void session_form_put_id(struct str text, char mark, struct str id, struct buf *to);

/* session_form_write for what to type. */
void session_form_say(
    const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to);

#endif
