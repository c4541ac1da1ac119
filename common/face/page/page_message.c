#include "face/page/page_message.h"

#include "base/number.h"
#include "base/text/base64.h"
#include "data/message/part.h"
#include "data/message/texts.h"
#include "face/page/page_text.h"
#include "face/terminal/part_media.h"
#include "face/terminal/screen_text.h"
#include "json/string.h"

enum {
	SHORT_LINES = 4, /* a text with no more is not folded */
	SHORT_BYTES = 400,
	SIGNATURE_MAX = 12
};

/* How far a message has been added. */
struct adding {
	struct page *page;
	const struct page_message *message;
	size_t calls;
	struct buf tool, label, scratch;
	bool has_name; /* for a call whose arguments come next */
};

/* Sets the label to the start of the text. */
static void
set_label(struct adding *adding, struct str text)
{
	buf_reset(&adding->label);
	page_text_fit(&adding->label, text);
}

static size_t
count_lines(struct str text)
{
	size_t count = 0;

	while (text.len > 0) {
		str_take_line(&text);
		count++;
	}
	return count;
}

/* Adds the lines of the screen below the label. */
static void
add_fold(struct adding *adding, bool matters)
{
	page_fold(adding->page, adding->tool.len > 0 ? buf_str(&adding->tool) : STR(""),
	    buf_str(&adding->label), matters);
	buf_reset(&adding->tool);
}

/* Whether a text of the message is folded where it is long. */
static bool
folds(const struct message *message)
{
	return message->role != ROLE_USER && message->role != ROLE_ASSISTANT;
}

static void
add_content(struct adding *adding, struct json_value value)
{
	struct screen *screen = &adding->page->screen;
	const struct message *message = adding->message->message;
	size_t lines;

	screen_text(screen, value, PAINT_NONE);
	lines = count_lines(buf_str(&screen->text));
	if (!folds(message) || (lines <= SHORT_LINES && screen->text.len <= SHORT_BYTES)) {
		page_painted(adding->page);
		return;
	}
	set_label(adding, adding->message->words);
	buf_add_fmt(&adding->label, "%s%zu lines", adding->label.len > 0 ? " · " : "", lines);
	add_fold(adding, message_is(message, METADATA_IS_ERROR));
}

static void
add_thinking(struct adding *adding, struct json_value value)
{
	struct screen *screen = &adding->page->screen;
	struct buf words = BUF_INIT;

	screen_text(screen, value, PAINT_NONE);
	if (screen->text.len == 0)
		return;
	buf_add_str(&words, STR("thinking · "));
	buf_add_str(&words, str_first_line(buf_str(&screen->text)));
	set_label(adding, buf_str(&words));
	add_fold(adding, false);
	buf_free(&words);
}

/* Sets the tool and the label for the next call. */
static void
take_name(struct adding *adding, struct json_value name)
{
	const struct page_message *message = adding->message;
	size_t i = adding->calls++;

	buf_reset(&adding->tool);
	json_decode(name, &adding->tool);
	set_label(adding, i < message->use_count ? message->use[i] : STR(""));
	if (adding->tool.len + adding->label.len == 0)
		buf_add_str(&adding->label, STR("call"));
	adding->has_name = true;
}

/* Adds a call without arguments, with its name alone. */
static void
end_call(struct adding *adding)
{
	if (adding->has_name)
		add_fold(adding, false);
	adding->has_name = false;
}

/* The first bytes of an image; a dot is any byte. */
static const struct image_type {
	const char *name;
	struct str signature;
} image_types[] = {
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

/* Appends an element with the image, of base64, as data of the page. The type is recognized by the
 * first bytes, not by the record, which is not trusted. Returns false, and appends nothing, when
 * the text is no base64, or of no such type. */
static bool
add_image(struct buf *out, struct str base64)
{
	size_t digits = number_least(base64_digits(base64), 2 * SIGNATURE_MAX);
	struct buf first = BUF_INIT;
	const char *type = NULL;

	base64_decode(str_of(base64.ptr, digits), &first);
	for (size_t i = 0; type == NULL && i < ARRAY_COUNT(image_types); i++)
		if (first.len > 0 && begins_as(buf_str(&first), image_types[i].signature))
			type = image_types[i].name;
	if (type != NULL)
		buf_add_fmt(out, "<img alt=image src=\"data:image/%s;base64,%.*s\">\n", type,
		    STR_ARG(base64));
	buf_free(&first);
	return type != NULL;
}

static void
add_media(struct adding *adding, enum text_kind kind, struct json_value part)
{
	struct page *page = adding->page;
	struct part_media media;
	struct buf *scratch = &adding->scratch;
	bool is_svg;

	screen_text_media(&page->screen, kind, part);
	page_painted(page);
	part_media_read(&media, part, scratch);
	if (kind != TEXT_IMAGE || media.is_address || add_image(&page->out, media.data))
		return;
	is_svg = media.type.len > 0 && str_find(media.type, STR("svg")) != NULL;
	if (is_svg && base64_decode(media.data, &adding->label))
		page_text(page, buf_str(&adding->label));
	else if (is_svg)
		page_text(page, media.data);
}

static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	struct adding *adding = context;
	struct screen *screen = &adding->page->screen;

	if (kind != TEXT_ARGUMENTS)
		end_call(adding);
	switch (kind) {
	case TEXT_CONTENT:
	case TEXT_SIGNED:
		add_content(adding, value);
		break;
	case TEXT_THINKING:
		add_thinking(adding, value);
		break;
	case TEXT_NAME:
		take_name(adding, value);
		break;
	case TEXT_ARGUMENTS:
		screen_text_arguments(screen, value);
		add_fold(adding, str_count(buf_str(&screen->text), '\n') > 1);
		adding->has_name = false;
		break;
	default:
		add_media(adding, kind, value);
	}
}

enum page_look
page_message_look(const struct message *message)
{
	if (message->kind == RECORD_CONTEXT)
		return PAGE_SYSTEM;
	if (message->kind != RECORD_MESSAGE)
		return PAGE_OTHER;
	if (message_is_artifact(message))
		return PAGE_ARTIFACT;
	switch (message->role) {
	case ROLE_USER:
		return PAGE_USER;
	case ROLE_ASSISTANT:
		return PAGE_ASSISTANT;
	case ROLE_TOOL:
		return PAGE_TOOL;
	case ROLE_SYSTEM:
	case ROLE_DEVELOPER:
		return PAGE_SYSTEM;
	default:
		return PAGE_OTHER;
	}
}

void
page_message_add(struct page *page, const struct page_message *message)
{
	struct adding adding = {.page = page, .message = message};

	message_texts(message->message, add_found, &adding);
	end_call(&adding);
	if (message->has_members) {
		screen_text_members(&page->screen, message->message);
		set_label(&adding, STR("metadata"));
		if (page->screen.text.len > 0)
			add_fold(&adding, false);
	}
	buf_free(&adding.tool);
	buf_free(&adding.label);
	buf_free(&adding.scratch);
}
