#ifndef ROWS_ROW_PLACE_H
#define ROWS_ROW_PLACE_H

/*
 * A value that is read by its row, and the state of its reader.
 */

#include "dialects/parts/joiner.h"
#include "dialects/rows/row_table.h"

/* A value that is read, and its row. */
struct row_place {
	const struct line *line;
	struct json_value record; /* of the line */
	struct json_value value;  /* the record, or a part of it */
	const struct row_table *table;
	const struct row_plan *plan;
	struct member_view view;
};

struct row_reader {
	struct dialect_stage base;
	const struct row_dialect *dialect;
	const struct row_table *table;
	struct dialect_reading *reading;
	/* Reads a value inside the value at the place by other rows. Returns false when no row
	 * matches. */
	bool (*read)(struct row_reader *reader, const struct row_place *place,
	    const struct row_table *inside, struct json_value value);
	struct joiner joiner;
	struct row_history history;
	struct row_history_record *record; /* the newest; or NULL */
	struct joined *open;               /* the message that is being gathered, or NULL */
	/* the place of the open message, while its content is read */
	struct row_place *message;
	bool is_inside;             /* the reader is inside the content of a message */
	bool has_text, has_call;    /* the open message has one */
	bool is_streamed;           /* the next record continues the open message */
	bool is_named;              /* the open message has the id of a record */
	struct line newest;         /* file, number and place of the last record */
	bool is_own;                /* that file has records of the dialect */
	bool has_begun;             /* a record of the session came */
	struct buf session, parent; /* ids of the session's header, JSON */
	struct member_variables variables;
	struct buf variable[ROW_VARIABLES]; /* JSON */
	struct buf waiting;                 /* ids, made here, of calls that have no result yet */
	size_t oldest;                      /* offset of the oldest id in waiting */
	unsigned numbered;                  /* calls that got an id here */
	uint64_t compared;                  /* see row_growth.h */
	/* the value that is read and whose members the census has counted, or NULL */
	const char *counted;
	struct buf text, extra, scratch;
	void *state; /* see row_dialect.state_size */
};

/* The value at a path of the row, such as &place->plan->content. */
static inline struct json_value
row_place_find(struct row_place *place, const struct member_path *path)
{
	return member_find(&place->view, path);
}

#endif
