#ifndef CTX_COMPILE_BUILTIN_H
#define CTX_COMPILE_BUILTIN_H

/* The profiles that need no file. */

struct builtin {
	const char *name;
	const char *summary; /* one line */
	const char *text;    /* the text of a profile, as in a file */
};

extern const struct builtin builtins[]; /* ended by a NULL name */

/* The profile of that name, or NULL. */
const struct builtin *builtin_find(const char *name);

#endif
