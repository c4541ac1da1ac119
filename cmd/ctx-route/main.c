#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&route_runner, argc, argv);
}
