#ifndef CTX_COMPILE_TEMPLATES_H
#define CTX_COMPILE_TEMPLATES_H

/* What new files begin with; @NAME@ stands for their name. */
extern const char template_profile[], template_stage[], template_test[];

#endif
