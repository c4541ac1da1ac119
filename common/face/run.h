#ifndef FACE_RUN_H
#define FACE_RUN_H

/*
 * One run of a command: the operands as a source, the command's stages, standard output as the sink,
 * and what every command owes around them: bad lines, the report, faults, the exit status.
 *
 *     run_open(&run, &options.common, argv + first, argc - first);
 *     run_chain(&run, (struct stage *[]){&view.stage, NULL});
 *     return run_close(&run);
 *
 * A command whose stages have something to say after each record goes step by step instead:
 *
 *     run_link(&run, stages);
 *     while (run_read(&run))             writes all that is decided, then reads, and may block
 *             while (run_take(&run))     the next record goes through the stages
 *                     say(&findings);
 *     run_end(&run);                     the stages emit what they hold
 *     say(&findings);
 *     return run_close(&run);
 *
 * A fault, whoever sets it, ends the loops; run_close says it.
 */

#include "base/diag.h"
#include "data/session.h"
#include "face/options.h"
#include "face/sink.h"
#include "face/source.h"
#include "json/write.h"

struct run {
	const struct common_options *options;
	struct fault fault;
	struct source source;
	struct sink sink;
	struct stage *first;         /* stage of the chain; the sink until there is another */
	bool any_dialect;            /* foreign records are no surprise (ctx-normalize) */
	struct buf report;
	struct json_writer members;  /* of the report: a command adds its own before run_close */
	enum status status;
};

/* Opens count operands and the outputs; dies with status 64, 66 or 73 when it cannot. */
void run_open(struct run *run, const struct common_options *options, char *const *operand,
    int count);

/* Puts the stages, a list ended by NULL, in front of the sink. They live until run_end. */
void run_link(struct run *run, struct stage *const *stages);

/* Writes what was decided and reads on, which may block, once run_take took all that is at hand.
 * False at the end and after a fault. */
bool run_read(struct run *run);

/* Takes the next record that is at hand through the chain; false when there is none. */
bool run_take(struct run *run);

/* Ends the stages, unless a fault was set. */
void run_end(struct run *run);

/* All of it: links the stages, takes every record, and ends. */
void run_chain(struct run *run, struct stage *const *stages);

/* Writes a text of the command's own behind all records, as a record that was added. */
void run_add(struct run *run, struct str text);

/* Tells the session which execution is current, by the argument of --execution as all commands spell
 * it: auto (also NULL), last, none or an id. */
void run_set_current(struct session *session, const char *argument);

/* Makes the status at least as bad as status. */
void run_fail(struct run *run, enum status status);

/* Flushes and closes all, writes the report, says the fault; returns the exit status. */
int run_close(struct run *run);

#endif
