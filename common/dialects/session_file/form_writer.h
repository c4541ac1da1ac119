#ifndef SESSION_FILE_FORM_WRITER_H
#define SESSION_FILE_FORM_WRITER_H

/*
 * The common part of the two writers of messages that a form spells: it makes the parts of a
 * message. The records go into the file of a session (session_file.h), or are emitted one by one
 * (api_writer.h).
 */

#include "dialects/dialect.h"
#include "dialects/session_file/session_call.h"
#include "dialects/session_file/session_parts.h"

struct form_writer {
	struct dialect_stage base;
	const struct session_form *form;
	struct session_parts parts;
	struct session_call_list calls;
	struct line line; /* the last line that added to the output */
	uint64_t records; /* records made so far */
	bool is_held;     /* the message has calls, and its record waits for their results */
	struct buf text;  /* the record that is written */
	struct buf alone; /* a record of a single part */
	struct buf content;
};

/* Begins a zeroed writer of the form; put_alone is as in struct session_parts, mark as in struct
 * call_ids. */
void form_writer_init(struct form_writer *writer, const struct session_form *form,
    bool (*put_alone)(struct session_parts *parts, const char *form), char mark);

/* The writer of the parts, for put_alone. */
static inline struct form_writer *
form_writer_of(struct session_parts *parts)
{
	return (struct form_writer *)((char *)parts - offsetof(struct form_writer, parts));
}

/* The template of a message of that role. */
const char *form_writer_form(const struct session_form *form, enum role role);

/* Adds the message to the lists of parts, and its calls unless it waits for their results. */
void form_writer_add(struct form_writer *writer, const struct message *message, enum role role);

/* Notes the calls of a message that is written elsewhere, if results are records of their own. */
void form_writer_recall(struct form_writer *writer, const struct message *message);

/* Writes the calls before the call with the number end that have no results, as open calls. */
void form_writer_add_open(struct form_writer *writer, size_t end);

/* Reads the result of the call of that number: sets the values of its output. */
void form_writer_read_result(
    struct form_writer *writer, const struct message *message, size_t call);

/* Adds the result that was read to the lists of parts. Returns false when it is a record of its
 * own, whose values are set. */
bool form_writer_add_result(struct form_writer *writer, const struct message *message, size_t call);

void form_writer_free(struct form_writer *writer);

#endif
