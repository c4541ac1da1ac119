#ifndef GC_GC_H
#define GC_GC_H

/*
 * Finds in the file of a session the records and members that its agent does not load (gc_form.h),
 * in two passes:
 *
 *     gc_take, for each line of the file; gc_end      judges the records, as --check does
 *     gc_cause_of, for each line again                which records go: gc_drop,
 *                                                     and how the others are edited: gc_edit
 *
 * dialects/load decides which records are loaded. If the parent of a record goes, the record gets
 * the parent of that parent. The chain is then walked again without the records that go: if it
 * begins elsewhere or reaches other records, all records of the chain stay. They also stay if the
 * agent misses messages that the reader finds, since the file may still be mended (load_mend.h).
 *
 * The texts of records are not held, except in the second pass the parents of those that go, if
 * others follow them. The first pass takes at most 100 bytes a record, the second one half of that.
 * Time is that of dialects/load.
 */

#include "dialects/gc/gc_state.h"
#include "json/edit.h"

/* fault must live as long as gc. */
void gc_init(struct gc *gc, const struct gc_form *form, struct fault *fault);

/* Takes the next line of the file, which may be bad or blank, with JSON_PADDING after it. */
void gc_take(struct gc *gc, const struct line *line);

/* Call after the last line. */
void gc_end(struct gc *gc);

/* Why the record of the line goes, or GC_STAYS. */
enum gc_cause gc_cause_of(const struct gc *gc, size_t line);

/* The cause in words. */
const char *gc_cause_name(const struct gc *gc, enum gc_cause cause);

/* Call for each record that goes, in the order of the file. */
void gc_drop(struct gc *gc, size_t line, struct json_value value);

/* Notes the edits of a record that stays, after gc_drop for those before it. Sets *copies to the
 * bytes of copies that go. The edits are valid until the next gc_drop. */
void gc_edit(
    struct gc *gc, size_t line, struct json_value value, struct json_edit *edit, uint64_t *copies);

void gc_free(struct gc *gc);

#endif
