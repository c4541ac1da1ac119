#ifndef LOAD_LOAD_FORMS_H
#define LOAD_LOAD_FORMS_H

/* How the agents load the files of their sessions, of the versions that the forms name. */

#include "dialects/load/load_form.h"

extern const struct load_form load_forms_claude_code, load_forms_codex, load_forms_pi,
    load_forms_gemini_cli, load_forms_opencode;

#endif
