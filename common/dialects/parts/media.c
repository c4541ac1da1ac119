#include "dialects/parts/media.h"

#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "json/string.h"
#include "json/write.h"

/* Splits the inner text of "data:TYPE;base64,DATA". Returns false for any other URL. */
static bool
split_data_url(struct str url, struct str *type, struct str *data)
{
	const struct str scheme = STR_INIT("data:"), mark = STR_INIT(";base64,");
	struct str rest;
	const char *at;

	if (!str_has_prefix(url, scheme))
		return false;
	rest = str_of(url.ptr + scheme.len, url.len - scheme.len);
	at = str_find(str_of(rest.ptr, rest.len < 256 ? rest.len : 256), mark);
	if (at == NULL)
		return false;
	*type = str_of(rest.ptr, (size_t)(at - rest.ptr));
	*data = str_of(at + mark.len, (size_t)(rest.ptr + rest.len - at) - mark.len);
	return true;
}

/* Writes a member whose value is a string. inner comes from inside a JSON string, so its escapes
 * stay. */
static void
put_inner(struct json_writer *w, struct str name, struct str inner)
{
	json_member_raw(w, name, str_of(inner.ptr, 0));
	buf_add_char(w->buf, '"');
	buf_add_str(w->buf, inner);
	buf_add_char(w->buf, '"');
}

static void
add_source(struct buf *buf, struct str kind, struct str url)
{
	struct json_writer w;
	struct str type, data;

	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), kind);
	json_member_open(&w, STR("source"), '{');
	if (split_data_url(url, &type, &data)) {
		json_member_string(&w, STR("type"), STR("base64"));
		put_inner(&w, STR("media_type"), type);
		put_inner(&w, STR("data"), data);
	} else {
		json_member_string(&w, STR("type"), STR("url"));
		put_inner(&w, STR("url"), url);
	}
	json_close(&w);
	json_close(&w);
}

/* The URL of an image: the member image_url of the part, or the url in that. */
static struct json_value
find_image_url(struct json_value part)
{
	struct json_value value = json_find(part, STR("image_url"));

	if (value.type == JSON_OBJECT)
		value = json_find(value, STR("url"));
	if (value.type == JSON_ABSENT)
		value = json_find(part, STR("value"));
	return value;
}

bool
media_to_anthropic(struct json_value part, struct buf *buf)
{
	struct json_value type = json_find(part, STR("type"));
	struct json_value value;

	if (json_is(type, STR("image_url")) || json_is(type, STR("input_image"))) {
		value = find_image_url(part);
		if (value.type == JSON_STRING)
			add_source(buf, STR("image"), json_inner(value));
		return value.type == JSON_STRING;
	}
	if (json_is(type, STR("input_file")))
		value = json_find(
		    part, json_has(part, STR("file_data")) ? STR("file_data") : STR("file_url"));
	else if (json_is(type, STR("file")))
		value = json_find(json_find(part, STR("file")), STR("file_data"));
	else
		return false;
	if (value.type == JSON_STRING)
		add_source(buf, STR("document"), json_inner(value));
	return value.type == JSON_STRING;
}

/* Appends the URL of a source, still escaped. Returns false when the source has none. */
static bool
add_url(struct json_value source, struct buf *buf)
{
	struct json_value url = json_find(source, STR("url"));
	struct json_value type = json_find(source, STR("media_type"));
	struct json_value data = json_find(source, STR("data"));

	if (url.type == JSON_STRING) {
		buf_add_str(buf, json_inner(url));
		return true;
	}
	if (type.type != JSON_STRING || data.type != JSON_STRING)
		return false;
	buf_add_str(buf, STR("data:"));
	buf_add_str(buf, json_inner(type));
	buf_add_str(buf, STR(";base64,"));
	buf_add_str(buf, json_inner(data));
	return true;
}

static bool
add_image(struct json_value part, struct buf *buf)
{
	struct json_value url = find_image_url(part);
	struct json_value detail = json_find(json_find(part, STR("image_url")), STR("detail"));
	size_t start = buf->len;

	buf_add_str(buf, STR("{\"type\":\"image_url\",\"image_url\":{\"url\":\""));
	if (url.type == JSON_STRING) {
		buf_add_str(buf, json_inner(url));
	} else if (!add_url(json_find(part, STR("source")), buf)) {
		buf->len = start;
		return false;
	}
	buf_add_char(buf, '"');
	if (detail.type == JSON_STRING) {
		buf_add_str(buf, STR(",\"detail\":"));
		buf_add_str(buf, json_span(detail));
	}
	buf_add_str(buf, STR("}}"));
	return true;
}

/* Writes {"type":type,type:{…}} with those of the named members that are strings in held. Returns
 * false when neither of the first two is. */
static bool
add_held(struct str type, struct json_value held, const struct str *names, unsigned count,
    struct buf *buf)
{
	struct json_writer w;

	if (json_find(held, names[0]).type != JSON_STRING &&
	    json_find(held, names[1]).type != JSON_STRING)
		return false;
	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), type);
	json_member_open(&w, type, '{');
	for (unsigned i = 0; i < count; i++) {
		struct json_value value = json_find(held, names[i]);

		if (value.type == JSON_STRING)
			json_member_value(&w, names[i], value);
	}
	json_close(&w);
	json_close(&w);
	return true;
}

bool
media_text(struct json_value part, struct buf *buf)
{
	struct json_value source = json_find(part, STR("source"));
	struct json_value type = json_find(source, STR("media_type"));
	struct json_value data = json_find(source, STR("data"));
	struct buf text = BUF_INIT;
	bool is_text = false;

	if (data.type != JSON_STRING || !json_has_type(part, STR("document")))
		return false;
	if (json_has_type(source, STR("text"))) {
		buf_add_str(buf, json_span(data));
		return true;
	}
	if (json_has_type(source, STR("base64")) && type.type == JSON_STRING &&
	    str_has_prefix(json_inner(type), STR("text/")))
		is_text = base64_decode(json_inner(data), &text) && utf8_valid(buf_str(&text));
	if (is_text)
		json_write_string(buf, buf_str(&text));
	buf_free(&text);
	return is_text;
}

/* Adds a file, or of one that is text the text. */
static bool
add_document(struct json_value part, struct buf *buf)
{
	size_t start = buf->len;

	buf_add_str(buf, STR("{\"type\":\"text\",\"text\":"));
	if (media_text(part, buf)) {
		buf_add_char(buf, '}');
		return true;
	}
	buf->len = start;
	buf_add_str(buf, STR("{\"type\":\"file\",\"file\":{\"file_data\":\""));
	if (!add_url(json_find(part, STR("source")), buf)) {
		buf->len = start;
		return false;
	}
	buf_add_str(buf, STR("\"}}"));
	return true;
}

bool
media_to_openai(struct json_value part, struct buf *buf)
{
	static const struct str file[] = {
	    STR_INIT("file_data"), STR_INIT("file_id"), STR_INIT("filename")};
	static const struct str audio[] = {STR_INIT("data"), STR_INIT("format")};
	struct json_value type = json_find(part, STR("type"));

	if (json_is(type, STR("image_url")) || json_is(type, STR("input_image")) ||
	    json_is(type, STR("image")))
		return add_image(part, buf);
	if (json_is(type, STR("document")))
		return add_document(part, buf);
	if (json_is(type, STR("input_file")))
		return add_held(STR("file"), part, file, 3, buf);
	if (json_is(type, STR("file")))
		return add_held(STR("file"), json_find(part, STR("file")), file, 3, buf);
	return json_is(type, STR("input_audio")) &&
	    add_held(STR("input_audio"), json_find(part, STR("input_audio")), audio, 2, buf);
}
