#ifndef FACE_SARIF_H
#define FACE_SARIF_H

/*
 * Findings as a log of SARIF 2.1.0 on standard output: one run of one tool, whose rules are the
 * table of violations. Each finding is written when it is found, a line each, so that none is held.
 */

#include "face/run.h"
#include "policy/normalize/violation.h"

struct sarif {
	struct run *run;
	bool has_results;
};

/* Writes the start of the log, up to the findings. */
void sarif_begin(struct sarif *sarif, struct run *run);

/* Writes a finding. file may be NULL, and line 0. Where sarif is NULL, nothing is written. */
void sarif_add(
    struct sarif *sarif, enum violation violation, const char *file, size_t line, struct str text);

/* Writes the end of the log, after the findings. */
void sarif_end(struct sarif *sarif);

#endif
