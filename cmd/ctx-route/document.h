#ifndef CTX_ROUTE_DOCUMENT_H
#define CTX_ROUTE_DOCUMENT_H

/*
 * A file that an option names, as a JSON value of one line. A byte order mark in front is left out.
 * Reading dies with status 66 when the file cannot be read, and with 78 when its content is not
 * valid.
 */

#include "base/buf.h"

/* Appends the file's bytes, which must be UTF-8, as a string. */
void document_read_text(const char *path, struct buf *json);

/* Appends the object that the file holds. */
void document_read_object(const char *path, struct buf *json);

/* Appends valid JSON without the white space around its values. */
void document_pack(struct buf *buf, struct str json);

#endif
