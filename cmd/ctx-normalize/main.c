#include "../runners.h"

int
main(int argc, char **argv)
{
	return runner_main(&normalize_runner, argc, argv);
}
