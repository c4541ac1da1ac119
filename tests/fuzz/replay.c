/*
 * replay [FILE|DIRECTORY]...: feeds each file to the target that this main is linked with, as
 * libFuzzer would. Without operands it feeds the files of tests/fuzz/corpus/TARGET, which must
 * exist. A target that finds a defect aborts. The output is TAP: one test for all files of an
 * operand.
 */

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Of an exact size, so that AddressSanitizer sees a read behind the end. */
static void
replay_file(const char *path)
{
	static uint8_t text[1 << 20];
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	size_t len;

	if (file == NULL)
		err(66, "%s", path);
	len = fread(text, 1, sizeof text, file);
	fclose(file);
	bytes = malloc(len > 0 ? len : 1);
	if (bytes == NULL)
		err(71, "%s", path);
	memcpy(bytes, text, len);
	fprintf(stderr, "# %s\n", path); /* the last path printed is that of the crash */
	LLVMFuzzerTestOneInput(bytes, len);
	free(bytes);
}

/* Replays a file, or all files of a directory, and prints the test's line. */
static void
replay(const char *path)
{
	unsigned count = 0;
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (dir == NULL && errno != ENOTDIR)
		err(66, "%s", path);
	if (dir == NULL) {
		replay_file(path);
		count = 1;
	}
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char file[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
		replay_file(file);
		count++;
	}
	printf("%sok - fuzz %s: %u inputs of %s\n", count > 0 ? "" : "not ",
	    program_invocation_short_name, count, path);
	if (count == 0)
		exit(1);
	if (dir != NULL)
		closedir(dir);
}

int
main(int argc, char *argv[])
{
	const char *name = program_invocation_short_name;
	char own[256];

	snprintf(own, sizeof own, "tests/fuzz/corpus/%s",
	    strncmp(name, "ctx-", 4) == 0 ? "command" : name);
	if (argc < 2)
		replay(own);
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	return 0;
}
