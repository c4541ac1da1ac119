#ifndef CTX_COMPILE_TEMPLATES_H
#define CTX_COMPILE_TEMPLATES_H

/* The content of new files; @NAME@ is replaced by the name. */
extern const char template_profile[], template_stage[], template_test[];

#endif
