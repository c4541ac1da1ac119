#include "tokens/datadir.h"

#ifndef CTX_DATADIR
#define CTX_DATADIR ""
#endif

const char datadir[] = CTX_DATADIR;
