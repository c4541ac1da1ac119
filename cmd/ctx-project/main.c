#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&project_runner, argc, argv);
}
