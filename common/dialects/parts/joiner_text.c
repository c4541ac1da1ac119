#include "dialects/parts/joiner_text.h"

bool
joiner_text_is_there(const struct joined *joined)
{
	return joined->text.len + joined->stowed_len > 0;
}

void
joiner_text_begin(struct joiner *joiner, struct joined *joined)
{
	if (joined->text.ptr == NULL) {
		joined->text = joiner->spare_text;
		joiner->spare_text = (struct buf)BUF_INIT;
	}
	buf_reset(&joined->text);
	joined->stowed_len = 0;
}

void
joiner_text_free(struct joiner *joiner, struct joined *joined)
{
	if (joined->text.ptr == NULL)
		return;
	buf_free(&joiner->spare_text);
	joiner->spare_text = joined->text;
	joined->text = (struct buf)BUF_INIT;
}

void
joiner_text_stow(struct joiner *joiner, struct joined *joined)
{
	if (joined->text.len == 0 ||
	    !stow_add(&joiner->stow, buf_str(&joined->text), &joined->stowed_at))
		return;
	joined->stowed_len = joined->text.len;
	joiner_text_free(joiner, joined);
}

bool
joiner_text_fetch(struct joiner *joiner, struct joined *joined)
{
	size_t len = joined->stowed_len;

	if (len == 0)
		return true;
	joiner_text_begin(joiner, joined);
	return stow_read(
	    &joiner->stow, joined->stowed_at, len, &joined->text, joiner->stage->fault);
}
