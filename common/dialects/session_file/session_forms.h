#ifndef SESSION_FILE_SESSION_FORMS_H
#define SESSION_FILE_SESSION_FORMS_H

/*
 * The session files of each agent, as their loaders ask for them: the writers of struct dialect.
 * Members that no loader needs are left out.
 */

struct dialect_stage *session_forms_claude_code(void);
struct dialect_stage *session_forms_codex(void);
struct dialect_stage *session_forms_pi(void);
struct dialect_stage *session_forms_gemini_cli(void);
struct dialect_stage *session_forms_opencode(void);

#endif
