#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&select_runner, argc, argv);
}
