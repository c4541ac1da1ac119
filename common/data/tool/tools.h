#ifndef TOOL_TOOLS_H
#define TOOL_TOOLS_H

/*
 * What the call of a tool does, as far as its name and arguments tell. A table has the read, write,
 * edit and shell tools of known agents; what the user says of a tool (data/tool/own_tools.h) goes
 * before the table. Names are compared without regard to case.
 */

#include "data/message/message.h"
#include "data/tool/tool_arguments.h"
#include "data/tool/tool_op.h"

struct tool_use {
	enum tool_op op;
	struct str target;  /* the path, normalized; the command of a shell tool; "" when unknown */
	int64_t first_line; /* of a read, from 1 */
	int64_t last_line;  /* of a read; TOOL_LAST_LINE when it goes to the end */
	bool is_part;       /* of a read: arguments that are not known may narrow it */
	struct str directory; /* where a shell tool runs the command, normalized; "" when unknown */
};

/* Whether the arguments of the tool of that name tell more than the name. */
bool tool_is_known(struct str name);

/* Whether the name alone tells that the tool is of that kind (tool_kind). */
bool tool_is_of_kind(struct str name, enum tool_op kind);

/* Sets *use by the name of the tool and the arguments, which of a tool that is not known may be
 * absent. The target and the directory live in the arguments or in arena. */
void tool_classify(struct str name, const struct tool_arguments *arguments, struct arena *arena,
    struct tool_use *use);

/* Calls found for each path that the shell command certainly writes, moves, removes or prints:
 * redirections, tee, sed -i, mv, cp, rm, truncate, git checkout --, git restore, apply_patch; and
 * cat, head, tail, nl, sed. The kind is TOOL_READ for a file that is printed, TOOL_DELETE where the
 * file is not there behind the command, else TOOL_EDIT. Paths are normalized, begin where cd went
 * before, and live in arena; behind a cd whose directory is not known, or of more than 1024 bytes,
 * only absolute ones are found. */
void tool_shell_files(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Calls found with TOOL_EDIT for each file and directory that is there when the command has
 * succeeded, since it wrote, made, copied or linked it; paths as above. What mkdir and touch made
 * has "/" behind: nothing but that it is there is known. What is copied to a path that may be a
 * directory is inside it. There are none where the status is not that of all, as with ";" or "||"
 * between them, and none of what is in front of a pipe. */
void tool_shell_ends(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Whether the command is there for one end alone, and for directories above it: "mkdir -p out && cp
 * a.c out/b.c" for out/b.c. Another command that reaches the end makes its failure good. */
bool tool_shell_end(struct str command, struct arena *arena, struct str *path);

/* Calls found for each file that a call with that operation and target (struct tool_use) touches:
 * with TOOL_READ for a file that is read, with TOOL_EDIT for a file that is written, and with
 * TOOL_DELETE for one that is gone, by a tool or by a shell command. Paths live in target or in
 * arena. */
void tool_files(enum tool_op op, struct str target, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Whether it is the name of apply_patch, as a tool or as a command. */
bool tool_is_patch(struct str name);

/* Takes the next path off the text of a patch as apply_patch reads it, with TOOL_EDIT or
 * TOOL_DELETE, where op is not NULL; false at its end. */
bool tool_patch_next(struct str *text, struct str *path, enum tool_op *op);

#endif
