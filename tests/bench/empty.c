/* A program that does nothing, linked as the commands are: what the start of a process costs. */

int
main(void)
{
	return 0;
}
