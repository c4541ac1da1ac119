/*
 * The main of every command. The Makefile compiles it once for each, with COMMAND, its row of
 * commands.h.
 */
#include "commands.h"

int
main(int argc, char **argv)
{
	return runner_main(&COMMAND, argc, argv);
}
