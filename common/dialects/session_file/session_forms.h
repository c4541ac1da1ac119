#ifndef SESSION_FILE_SESSION_FORMS_H
#define SESSION_FILE_SESSION_FORMS_H

/*
 * The writers (struct dialect) of each agent's session files, in the form that its loader requires.
 * Members that no loader needs are left out.
 */

struct dialect_stage *session_forms_claude_code(void);
struct dialect_stage *session_forms_codex(void);
struct dialect_stage *session_forms_pi(void);
struct dialect_stage *session_forms_gemini_cli(void);
struct dialect_stage *session_forms_opencode(void);

#endif
