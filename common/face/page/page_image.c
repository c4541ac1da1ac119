#include "face/page/page_image.h"

#include "base/text/base64.h"

enum { SIGNATURE = 12 };

/* The first bytes of an image; a dot is any byte. */
static const struct image_type {
	const char *name;
	struct str signature;
} types[] = {
    {"png", STR_INIT("\x89PNG\r\n\x1a\n")},
    {"jpeg", STR_INIT("\xff\xd8\xff")},
    {"gif", STR_INIT("GIF87a")},
    {"gif", STR_INIT("GIF89a")},
    {"webp", STR_INIT("RIFF....WEBP")},
};

static bool
begins_as(struct str bytes, struct str signature)
{
	size_t i = 0;

	if (bytes.len < signature.len)
		return false;
	while (i < signature.len && (signature.ptr[i] == '.' || signature.ptr[i] == bytes.ptr[i]))
		i++;
	return i == signature.len;
}

bool
page_image_add(struct buf *out, struct str base64)
{
	size_t digits = base64_digits(base64);
	struct buf first = BUF_INIT;
	const char *type = NULL;

	base64_decode(str_of(base64.ptr, digits < 2 * SIGNATURE ? digits : 2 * SIGNATURE), &first);
	for (size_t i = 0; type == NULL && i < sizeof types / sizeof types[0]; i++)
		if (first.len > 0 && begins_as(buf_str(&first), types[i].signature))
			type = types[i].name;
	if (type != NULL)
		buf_add_fmt(out, "<img alt=image src=\"data:image/%s;base64,%.*s\">\n", type,
		    STR_ARG(base64));
	buf_free(&first);
	return type != NULL;
}
