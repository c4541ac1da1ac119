#ifndef TOOL_TOOLS_H
#define TOOL_TOOLS_H

/*
 * The operation of a tool call and its target, as far as the name of the tool and the arguments
 * show them. A table has the read, write, edit and shell tools of known agents. A description by
 * the user (data/tool/own_tools.h) overrides the table. Names are compared without regard to case.
 */

#include "data/tool/tool_arguments.h"
#include "data/tool/tool_op.h"

struct tool_use {
	enum tool_op op;
	struct str target;  /* the path, normalized; the command of a shell tool; "" when unknown */
	int64_t first_line; /* for a read, from 1 */
	int64_t last_line;  /* for a read; TOOL_LAST_LINE when it goes to the end of the file */
	bool is_part;       /* for a read: unknown arguments may limit it to a part of the lines */
	struct str directory; /* where a shell tool runs the command, normalized; "" when unknown */
};

/* Whether the tool with that name is known, so that its arguments can be interpreted. */
bool tool_is_known(struct str name);

/* Whether the name alone shows that the tool has that kind (tool_kind). */
bool tool_is_of_kind(struct str name, enum tool_op kind);

/* Sets *use from the name of the tool and its arguments. For an unknown tool the arguments may be
 * absent. The target and the directory point into the arguments, or live in arena. */
void tool_classify(struct str name, const struct tool_arguments *arguments, struct arena *arena,
    struct tool_use *use);

/* Calls found for each path that the shell command certainly writes, moves, removes or prints:
 * redirections, tee, sed -i, mv, cp, rm, truncate, git checkout --, git restore, apply_patch; and
 * cat, head, tail, nl, sed. The kind is TOOL_READ for a file that is printed, TOOL_DELETE for a
 * file that does not exist after the command, otherwise TOOL_EDIT. Paths are normalized, include
 * the directory of a cd before, and live in arena. After a cd whose directory is unknown, or has
 * more than 1024 bytes, only absolute paths are found. */
void tool_shell_files(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Calls found with TOOL_EDIT for each file and directory that certainly exists when the command has
 * succeeded, since the command wrote, made, copied or linked it. Paths are as above. A path that
 * mkdir or touch made ends in "/", since only its existence is known. When the target of a copy may
 * be a directory, the path is that of the copy inside it. Nothing is found when success of the line
 * does not mean success of all its commands, as with ";" or "||", and nothing for commands before a
 * pipe. */
void tool_shell_ends(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Whether the command makes only one file, and directories above it: "mkdir -p out && cp a.c
 * out/b.c" makes out/b.c. Sets *path to that file. Another command that makes the same file
 * resolves the failure of this one. */
bool tool_shell_end(struct str command, struct arena *arena, struct str *path);

/* Calls found for each file that a call with that operation and target (struct tool_use) uses: with
 * TOOL_READ for a file that is read, with TOOL_EDIT for a file that is written, and with
 * TOOL_DELETE for a file that is removed, by a tool or by a shell command. Paths point into target
 * or live in arena. */
void tool_files(enum tool_op op, struct str target, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context);

/* Whether name is a name of apply_patch, as a tool or as a command. */
bool tool_is_patch(struct str name);

/* Finds the next path in the text of a patch for apply_patch, and moves *text past it. Sets *op,
 * unless op is NULL, to TOOL_EDIT or TOOL_DELETE. Returns false at the end of the patch. */
bool tool_patch_next(struct str *text, struct str *path, enum tool_op *op);

#endif
