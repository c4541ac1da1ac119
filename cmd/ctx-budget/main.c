#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&budget_runner, argc, argv);
}
