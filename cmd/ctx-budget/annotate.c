#include "annotate.h"

#include "data/metadata.h"
#include "json/text.h"

bool
annotate(const struct message *message, struct str text, uint64_t tokens, struct buf *out)
{
	struct buf number = BUF_INIT;
	struct json_edit edit;

	if (message->metadata.type == JSON_OBJECT &&
	    json_integer(message->meta[METADATA_TOKENS], -1) == (int64_t)tokens)
		return false;
	buf_add_fmt(&number, "%ju", (uintmax_t)tokens);
	json_edit_init(&edit, text);
	metadata_set(&edit, message, METADATA_TOKENS, buf_str(&number));
	buf_reset(out);
	json_edit_write(&edit, out);
	buf_free(&number);
	json_edit_free(&edit);
	return true;
}
