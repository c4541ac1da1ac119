#ifndef SESSION_FILE_SESSION_FORM_H
#define SESSION_FILE_SESSION_FORM_H

/*
 * How an agent spells its sessions: a table of templates, one for each record and each part, which
 * session_file.h fills. A template is JSON with ' for ", and with values between < and >:
 *
 *     {'type':'text','text':<text>}
 *
 *     <parent>                 a value in its written form: JSON, or, inside quotes, bare text
 *     <?signature>,'x':<signature><?>   only if there is such a value
 *
 * If a value that a template requires is not there, nothing is written, and the part is counted as
 * dropped.
 */

#include "base/buf.h"
#include "json/value.h"

/* "Bare" values are text without quotes, all others JSON; a "list" has no brackets. */
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
	    row(instructions) /* a system message before all others */ \
	    row(cwd)          /* the directory in which the agent goes on */ \
	    row(project)      /* bare: the same as a name, all but letters and digits as - */ \
	    row(model)        /* its name, as session_origin.h has it */ \
	    row(provider)     /* the same, from metadata.x_FORMAT */ \
	    row(api)          /* the same */ \
	    row(role)         /* bare: of the message */ \
	    row(side)         /* bare: input or output, as the model sees it */ \
	    row(stop)         /* bare: one of the form's two words for why the answer ended */ \
	    row(injected)     /* true or false: put in by a client */ \
	    row(parts)        /* list */ \
	    row(calls)        /* list */ \
	    row(thoughts)     /* list */ \
	    row(text) row(signature) row(sealed) /* thinking that only the provider reads */ \
	    row(thought)                         /* the same of any part, in Gemini */ \
	    row(raw)                             /* the part as it is */ \
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

/* The kinds of parts of a message. */
enum session_form_part {
	SESSION_TEXT,
	SESSION_THINKING,
	SESSION_REDACTED, /* thinking that only its provider can read */
	SESSION_IMAGE,
	SESSION_DOCUMENT,
	/* an image or document that is a URL, if the row of its kind has no place for it */
	SESSION_LINK,
	SESSION_REFUSAL, /* NULL: a refusal is a text */
	SESSION_OWN,     /* a part that only the form's provider makes; unchanged */
	SESSION_CALL,    /* with its result, if struct session_form.result is NULL */
	SESSION_RESULT,  /* a result; only in forms in which it is a part, not a record */
	SESSION_FAILED,  /* a result that is an error; NULL: like other results */
	SESSION_OPEN,    /* a call without a result */
	SESSION_PART_COUNT,
};

/* Where a part goes. */
enum session_form_place {
	SESSION_IN_PARTS,
	SESSION_IN_CALLS,
	SESSION_IN_THOUGHTS,
	SESSION_PLACE_COUNT,
	SESSION_ALONE =
	    SESSION_PLACE_COUNT, /* a record of its own; the parts before it are another */
};

struct session_form {
	const char *name;   /* the name of the agent's dialect */
	const char *resume; /* the command that resumes the session of FILE; here ' stays ' */
	const char *head;   /* the first line; or the text before the records of a document */
	/* the text after the records of a document. NULL: each record is a line */
	const char *tail;
	const char *user, *assistant;
	const char *system; /* or NULL: there is no place for it */
	const char *result; /* of a result; NULL: the record of its call has it */
	struct session_form_row {
		const char *form; /* or NULL: there is no place for it */
		enum session_form_place place;
	} part[SESSION_PART_COUNT];
	const char *stop[2]; /* the value stop: of a message with calls, and without */
	const char *extra;   /* x_FORMAT of metadata */
	/* A text of the user that begins with one of these bytes is not sent; or NULL. */
	const char *commands;
	/* Whether the part is one that only the provider of the form makes. NULL: none is. */
	bool (*is_own)(struct json_value part);
	/* Of an API: neighbours of one role are one record, and the first record is the user's. */
	bool alternates;
	unsigned name_max;     /* bytes of a tool's name */
	unsigned id_max;       /* bytes of a call's id; 0: any number */
	bool keeps_joined_ids; /* as in struct call_ids */
	/* Whether the output of a result says by itself that it is an error. NULL: the form has a
	 * flag for that. */
	bool (*says_failure)(struct json_value output);
	bool has_instructions; /* a system message in front of all others goes into the head */
	bool joins_answers; /* neighbours of the assistant are read as one message, of one time */
	bool is_sorted;     /* by time: no record is of an earlier time than the one before */
};

/* Appends the template filled with the values. A value without a ptr is missing. Returns false, and
 * appends nothing, when the template requires a missing value. */
bool session_form_write(
    const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to);

/* Appends the text with the other one in place of each byte that is mark. */
void session_form_put(struct str text, char mark, struct str with, struct buf *to);

/* session_form_write for the command in resume. */
void session_form_say(
    const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to);

#endif
