#include "face/options/suggest.h"

#include "base/text/distance.h"
#include "face/options/words.h"

enum {
	BEGUN_MIN = 3, /* fewer letters begin too much */
	NAMED_MAX = 4, /* more options than these, begun by the same letters, are not named */
};

/* What other programs call something that is done by other means here. %s is the command. */
struct habit {
	const char *names;  /* parted by blanks */
	char letter;        /* 0: none */
	const char *option; /* the option that does it, in commands that have it, or NULL */
	const char *advice; /* for commands that do not have it */
};

static const struct habit habits[] = {
    {"dry-run simulate", 0, "plan", "'%s FILE' changes no file: look at what it prints"},
    {"output out", 'o', NULL, "type '%s FILE >OUTPUT'"},
    {"in-place", 'i', NULL, "type '%s FILE >FILE.new && mv FILE.new FILE'"},
    {"inplace", 0, "in-place", "type '%s FILE >FILE.new && mv FILE.new FILE'"},
    {"input", 0, NULL, "type '%s FILE'"},
    {"file", 'f', NULL, "type '%s FILE'"},
    {"quiet", 'q', NULL, "without --verbose only what is wrong is said"},
    {"silent", 's', NULL, "without --verbose only what is wrong is said"},
    {"tail", 0, "messages", "'ctx-project -n N FILE' writes the newest messages"},
    {"head", 0, NULL, "type 'head -n N FILE | %s'"},
    {"select filter", 0, "select", "type 'ctx-select SELECTOR FILE | %s'"},
    {"reject", 0, "protect", "type 'ctx-select --reject SELECTOR FILE | %s'"},
    {"redact", 0, "only", "type 'ctx-redact FILE | %s'"},
    {"against", 0, "stat", "type 'ctx-diff --stat OLD NEW'"},
    {"shorten", 0, NULL, "type '%s FILE | ctx-project --view all --shorten SIZE'"},
    {"inject", 0, NULL, "type '%s FILE | ctx-project --view all --inject DOCUMENT'"},
    {"max-tokens limit-tokens tokens budget", 0, "limit",
	"'ctx-project --last 16k FILE' writes the newest that fit"},
    {"context-window context-size max-context", 0, "window",
	"type 'ctx-compact --window TOKENS FILE'"},
    {"fit compress compact prune", 0, "limit", "type 'ctx-compact --limit TOKENS FILE'"},
    {"summarize", 0, "summarizer", "type 'ctx-compact --summarizer COMMAND FILE'"},
    {"keep-last keep-recent", 0, "keep-messages",
	"'ctx-project -n N FILE' writes the newest messages"},
    {"last truncate trim", 0, "last", "'ctx-project --last 16k FILE' writes the newest that fit"},
    {"undo restore recover", 0, NULL, "type 'ctx-restore ARCHIVE FILE'"},
    {"recall", 0, NULL, "type 'ctx-recall ARCHIVE KEY'"},
    {"search grep", 0, NULL,
	"type 'ctx-show -e text~ERE FILE', or 'ctx-recall --search ERE ARCHIVE'"},
    {"cost price", 0, "model", "type 'ctx-budget --table --model NAME FILE'"},
    {"stats count", 0, NULL, "type 'ctx-budget --table FILE'"},
    {"format output-format to", 0, "to", "type '%s FILE | ctx-normalize --to FORMAT'"},
    {"from input-format", 0, "from", "type 'ctx-normalize --from FORMAT FILE | %s'"},
    {"command", 0, NULL, "a command that counts tokens is --estimator cmd:COMMAND"},
};

static bool
is_name_of(const struct habit *habit, struct str name)
{
	const char *names = habit->names;
	struct str own;

	while (str_take_word(&names, ' ', &own))
		if (str_eq(own, name))
			return true;
	return false;
}

static void
advise(struct buf *text, const char *command, const char *const *names, const struct habit *habit)
{
	const char *mark = strstr(habit->advice, "%s");

	if (habit->option != NULL && words_have(names, habit->option)) {
		buf_add_fmt(text, "; --%s does that", habit->option);
		return;
	}
	buf_add_str(text, STR("; "));
	if (mark != NULL) {
		buf_add(text, habit->advice, (size_t)(mark - habit->advice));
		buf_add_str(text, str_from(command));
	}
	buf_add_str(text, str_from(mark != NULL ? mark + 2 : habit->advice));
}

/* Whether all words of typed, separated by hyphens, may be typing errors for the words of meant. */
static bool
is_slip_of_name(const char *typed, const char *meant)
{
	for (;;) {
		size_t len = strcspn(typed, "-"), other = strcspn(meant, "-");

		if (!distance_is_slip(str_of(typed, len), str_of(meant, other)))
			return false;
		typed += len;
		meant += other;
		if (*typed == '\0' || *meant == '\0')
			return *typed == *meant;
		typed++;
		meant++;
	}
}

/* Finds names that begin so. Returns their number; found gets at most NAMED_MAX of them. */
static unsigned
find_begun(const char *const *names, const char *begin, const char **found)
{
	unsigned count = 0;

	for (; *names != NULL && strlen(begin) >= BEGUN_MIN; names++)
		if (strncmp(*names, begin, strlen(begin)) == 0 && count++ < NAMED_MAX)
			found[count - 1] = *names;
	return count;
}

static const char *
find_slip(const char *const *names, const char *name)
{
	while (*names != NULL && !is_slip_of_name(name, *names))
		names++;
	return *names;
}

void
suggest_name(struct buf *text, const char *command, const char *const *names, const char *name)
{
	const char *begun[NAMED_MAX], *slip = find_slip(names, name);
	unsigned count = find_begun(names, name, begun);

	for (size_t i = 0; i < ARRAY_COUNT(habits); i++)
		if (is_name_of(&habits[i], str_from(name))) {
			advise(text, command, names, &habits[i]);
			return;
		}
	if (count == 1 || (count == 0 && slip != NULL)) {
		buf_add_fmt(text, ", did you mean '--%s'?", count == 1 ? begun[0] : slip);
		return;
	}
	for (unsigned i = 0; i < count && count <= NAMED_MAX; i++)
		buf_add_fmt(text, "%s'--%s'",
		    i == 0            ? "; there are " :
			i + 1 < count ? ", " :
					" and ",
		    begun[i]);
}

void
suggest_letter(struct buf *text, const char *command, const char *const *names, char letter)
{
	for (size_t i = 0; i < ARRAY_COUNT(habits); i++)
		if (habits[i].letter == letter) {
			advise(text, command, names, &habits[i]);
			return;
		}
}
