#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&isolate_runner, argc, argv);
}
