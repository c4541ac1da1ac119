#include "processes.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../commands.h"
#include "base/diag.h"
#include "face/fault_die.h"
#include "guard.h"
#include "stream/process/relay.h"

/* Each stage may have a guard before and after it. */
enum { PROCESSES = 3 * (PROFILE_STAGES + 1) };

/* The stages of a process. */
struct shared {
	const struct runner_part *part;
	bool is_guard;         /* none: it reports its own errors, unless it is killed */
	unsigned count;        /* 0: the process is another program, or a guard */
	unsigned first;        /* the number of the first of them */
	volatile unsigned *at; /* the one at work, from 0; of this process and its own */
};

struct process_row {
	const struct stages *stages;
	struct runner_part part[PROFILE_STAGES + 1]; /* of each stage that can be one */
	struct relay_stage process[PROCESSES];
	struct shared shared[PROCESSES]; /* by the number of the process */
	struct guard guard[PROFILE_STAGES + 1];
	unsigned guards;
	unsigned *places; /* of each process; or NULL */
	unsigned count;
};

/* Makes a part of the command. Returns its possible place. */
static enum runner_place
make_part(const struct stages_command *command, struct runner_part *part)
{
	part->command = command->is_beside ? commands_find(command->words[0]) : NULL;
	part->argv = command->words;
	for (part->argc = 0; part->argv[part->argc] != NULL;)
		part->argc++;
	return part->command != NULL ? runner_find_place(part) : RUNNER_ALONE;
}

static void
run_shared(void *owner, const struct fault *error)
{
	struct shared *shared = owner;

	fault_check(error);
	exit(runner_run(shared->part, shared->count, shared->at));
}

/* Adds the stage of that number: to the process of the one before, or as one of its own. */
static void
add(struct process_row *running, unsigned number)
{
	const struct stages_command *command = &running->stages->command[number];
	unsigned last = running->count;
	struct runner_part *part = &running->part[number];
	bool has_before = last > 0 && running->shared[last - 1].count > 0;
	enum runner_place place = running->places != NULL ? make_part(command, part) : RUNNER_ALONE;
	bool can_share = place != RUNNER_ALONE;
	struct shared *shared;

	if (place == RUNNER_ANYWHERE && has_before) {
		running->shared[last - 1].count++;
		return;
	}
	running->process[last] =
	    (struct relay_stage){.path = command->path, .words = command->words};
	shared = &running->shared[last];
	*shared = (struct shared){.part = part, .count = can_share, .first = number};
	if (can_share) {
		shared->at = &running->places[last];
		running->process[last].run = run_shared;
		running->process[last].owner = shared;
	}
	running->count++;
}

static void
add_guard(struct process_row *running, unsigned number,
    void (*run)(void *owner, const struct fault *error))
{
	static char *const words[] = {(char *)"guard", NULL};

	running->process[running->count] = (struct relay_stage){.path = words[0],
	    .words = words,
	    .run = run,
	    .owner = &running->guard[running->guards - 1]};
	running->shared[running->count++] = (struct shared){.is_guard = true, .first = number};
}

/* Whether the stage of that number is the user's own. A cat that reads operands is none. */
static bool
is_own(const struct stages *stages, unsigned number)
{
	return number < stages->count && stages->command[number].stage != NULL &&
	    !stages->command[number].is_beside;
}

/* Adds all processes, with guards around each run of stages that are the user's own. Returns 0, or
 * an error number. */
static int
add_all(struct process_row *running)
{
	const struct stages *stages = running->stages;
	int error = 0;

	for (unsigned i = 0; i < stages->count && error == 0; i++) {
		struct guard *guard = &running->guard[running->guards];

		if (is_own(stages, i) && (i == 0 || !is_own(stages, i - 1))) {
			guard->first = stages->command[i].stage->name;
			error = guard_open(guard);
			running->guards += error == 0;
			if (error == 0)
				add_guard(running, i, guard_note);
		}
		add(running, i);
		if (error == 0 && is_own(stages, i) && !is_own(stages, i + 1)) {
			running->guard[running->guards - 1].last = stages->command[i].stage->name;
			running->guard[running->guards - 1].is_last = i + 1 == stages->count;
			add_guard(running, i, guard_check);
		}
	}
	return error;
}

/* Gives each process a place in which it notes the stage that is running. If the system has no such
 * memory, or if the output is a terminal, which a command in the middle would take for its own,
 * each stage gets a process of its own. */
static void
share_places(struct process_row *running, int out)
{
	void *places = MAP_FAILED;

	if (isatty(out) != 1)
		places = mmap(NULL, sizeof(unsigned) * PROCESSES, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	running->places = places != MAP_FAILED ? places : NULL;
}

/* Says which stage failed, and ends the program as it ended. */
static _Noreturn void
fail(const struct process_row *running, unsigned process, int out)
{
	const struct relay_stage *failed = &running->process[process];
	const struct shared *shared = &running->shared[process];
	unsigned number = shared->first + (shared->count > 0 ? *shared->at : 0);
	const struct stages_command *own = &running->stages->command[number];
	int status = relay_status(failed);
	bool is_ours = shared->count > 0 || shared->is_guard;

	/* Another program may say so of a pipe within it. */
	if (relay_lost_reader(failed) && (is_ours || relay_is_left(out))) {
		const struct fault left = {.status = STATUS_PIPE};

		fault_die(&left);
	}
	if (shared->is_guard && status <= 128)
		exit(status);
	diag_warn("stage '%s': %s %s %d", own->stage != NULL ? own->stage->name : "cat",
	    shared->is_guard ? "its proof" : own->words[0],
	    status > 128 ? "was ended by signal" : "ended with status",
	    status > 128 ? status - 128 : status);
	exit(status);
}

bool
processes_run(const struct stages *stages, int out, struct fault *fault)
{
	struct process_row running = {.stages = stages, .count = 0};
	struct relay relay = {.stages = running.process, .in = STDIN_FILENO, .out = out};
	int error;

	share_places(&running, out);
	error = add_all(&running);
	relay.count = running.count;
	if (error != 0)
		fault_set(fault, status_of_error(error, STATUS_UNAVAILABLE),
		    "cannot make a pipe: %s", strerror(error));
	else if (relay_run(&relay, fault) && relay.failed >= 0)
		fail(&running, (unsigned)relay.failed, out);
	for (unsigned i = 0; i < running.guards; i++)
		guard_close(&running.guard[i]);
	return relay.had_bad_lines;
}
