#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&compact_runner, argc, argv);
}
