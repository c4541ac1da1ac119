#ifndef FACE_RUN_H
#define FACE_RUN_H

/*
 * One run of a command: the operands as the source, the command's stages, and standard output as
 * the sink. The run also does the duties of every command: bad lines, the report, faults, the exit
 * status.
 *
 *     run_open(&run, &options.common, argv + first, argc - first);
 *     run_link(&run, stages);
 *     while (run_read(&run))             writes the output of the sink, then reads; may block
 *             while (run_take(&run))     takes the next record through the stages
 *                     ;
 *     run_end(&run);                     the stages emit the records that they hold
 *     run_write(&run);
 *     status = run_finish(&run);
 *     run_free(&run);
 *
 * A fault ends the loops, whichever module set it. run_finish prints the fault.
 */

#include "base/diag.h"
#include "data/session/session.h"
#include "face/options/options.h"
#include "face/output/sink.h"
#include "face/input/source.h"
#include "json/write.h"

struct agent_files;
struct beside;
struct run;
struct sessions;
struct transcript;

/* A file that is read instead of the operands, and whose content the output may become. */
struct run_file {
	char *path;
	bool has_report;              /* an earlier file of this program has begun the report */
	bool has_changes;             /* the same for the list of changes */
	bool has_finds;               /* and for the list of finds */
	int fd;                       /* set by open; read from its start */
	struct hash_stream *sum;      /* set by open; gets all bytes that are read */
	struct output_filter *filter; /* of the output */
	bool (*open)(struct run_file *file, struct fault *fault);
	/* Called when the output is flushed and no fault is set; is_right says that the file may be
	 * replaced. Sets is_replaced, and outcome to the words of -v. */
	void (*commit)(struct run_file *file, struct run *run, bool is_right);
	void (*close)(struct run_file *file);
	bool is_replaced;
	const char *outcome;
};

struct run {
	const struct common_options *options;
	struct run_file *file; /* or NULL */
	struct fault fault;
	struct source source;
	struct sink sink;
	struct stage *first;              /* the first stage; the sink until run_link */
	bool is_fed;                      /* by another run of this program */
	bool has_ended;                   /* the input has; stages may still emit held records */
	bool is_keyed;                    /* --session-key is heeded (face/sessions/sessions.h) */
	struct transcript *transcript;    /* the stage before the sessions, or NULL */
	struct beside *beside;            /* the stage before the transcript, or NULL */
	const struct agent_files *agents; /* with --agents; or NULL */
	struct sessions *sessions; /* the open sessions, or NULL (face/sessions/sessions.h) */
	struct str session;        /* with sessions: the key of the current one, as JSON; or "" */
	const struct session_key *key; /* with sessions: the path of the key */
	bool has_changes;              /* the list of changes is begun */
	bool is_reported;              /* an option asks for the report */
	struct buf report;
	struct json_writer members; /* writes the report; commands add members before run_close */
	struct buf said;            /* text that a command adds to the line of -v */
	bool has_no_messages; /* that line begins with the records read, and said is the rest */
	enum status status;
};

/* Opens count operands and the outputs. Ends the program with status 64, 66 or 73 when one of them
 * cannot be opened; where options->apart is set, operands are not looked at. */
void run_open(
    struct run *run, const struct common_options *options, char *const *operand, int count);

/* Opens a run that reads the output of another run of this program (face/joint.h). */
void run_open_fed(struct run *run, const struct common_options *options);

/* Opens a run that reads a file instead of operands. A failure sets the fault: run the stages all
 * the same, and close the run. Diagnostics name the file until the run is closed. */
void run_open_file(struct run *run, const struct common_options *options, struct run_file *file);

/* Links the stages, a list ended by NULL, before the sink and before all stages that were linked
 * earlier. The stages must live until run_end. */
void run_link(struct run *run, struct stage *const *stages);

/* Writes the records that the sink holds, and reads more input. Call it after run_take has taken
 * all records at hand. It may block. Returns false at the end of the input and after a fault. */
bool run_read(struct run *run);

/* Takes the next record at hand through the stages. Returns false when there is none. */
bool run_take(struct run *run);

/* Ends the stages, unless a fault is set. */
void run_end(struct run *run);

/* The whole run but opening and closing: links the stages, takes every record, ends the stages. */
void run_chain(struct run *run, struct stage *const *stages);

/* Writes text, made by the command itself, as an added record after all others. */
void run_add(struct run *run, struct str text);

/* Sets how the walk derives executions, by the common options. Call before the first record. */
void run_set_walk(struct walk *walk, const struct common_options *options);

/* The same for the session, and which execution is current, by the argument of --execution: auto
 * (or NULL), last, none or an id. */
void run_set_session(
    struct session *session, const char *execution, const struct common_options *options);

/* The key of the current session, which is one of many in the stream. */
struct session_key_value run_session_key(const struct run *run);

/* Creates or empties a file that the run writes, or appends to it when *is_begun says that the
 * program has written to it; then that is set. is_begun may be NULL. Returns the descriptor, or -1
 * with the fault set. */
int run_create(struct run *run, const char *path, bool *is_begun);

/* The same for the list of changes; -1, too, when none is asked for or the run has a fault. */
int run_create_changes(struct run *run);

/* Empties the files of the report and of the list of changes, unless an earlier file of this
 * program has begun them: an old report must not pass for the report of a run that failed. Call it
 * after all options are checked. */
void run_empty_outputs(struct run *run);

/* Makes the exit status of the run at least as bad as status. */
void run_fail(struct run *run, enum status status);

/* Sets how many messages were read, where they are not the input's own records: a reader of another
 * dialect makes them. */
void run_set_messages(struct run *run, uint64_t messages);

/* Flushes and closes the outputs, writes the report, and replaces the file. Returns whether all of
 * it is there. */
bool run_write(struct run *run);

/* Prints the fault, and the line of --verbose. Returns the exit status. The bytes that were read
 * live until run_free. */
enum status run_finish(struct run *run);
void run_free(struct run *run);

#endif
