#include "dialects/media.h"

#include "json/text.h"

/* The inner text of "data:TYPE;base64,DATA", split; false when it is anything else. */
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

static void
add_quoted(struct buf *buf, struct str name, struct str inner)
{
	buf_add_char(buf, '"');
	buf_add_str(buf, name);
	buf_add_str(buf, STR("\":\""));
	buf_add_str(buf, inner);
	buf_add_char(buf, '"');
}

/* Escapes pass through: what stood between quotes stands between quotes again. */
static void
add_source(struct buf *buf, struct str kind, struct str url)
{
	struct str type, data;

	buf_add_str(buf, STR("{\"type\":\""));
	buf_add_str(buf, kind);
	buf_add_str(buf, STR("\",\"source\":{"));
	if (split_data_url(url, &type, &data)) {
		buf_add_str(buf, STR("\"type\":\"base64\","));
		add_quoted(buf, STR("media_type"), type);
		buf_add_char(buf, ',');
		add_quoted(buf, STR("data"), data);
	} else {
		buf_add_str(buf, STR("\"type\":\"url\","));
		add_quoted(buf, STR("url"), url);
	}
	buf_add_str(buf, STR("}}"));
}

bool
media_to_anthropic(struct json_value part, struct buf *buf)
{
	struct json_value type = json_find(part, STR("type"));
	struct json_value value;

	if (json_is(type, STR("image_url"))) {
		value = json_find(part, STR("image_url"));
		if (value.type == JSON_OBJECT)
			value = json_find(value, STR("url"));
		if (value.type == JSON_ABSENT)
			value = json_find(part, STR("value"));
		if (value.type == JSON_STRING)
			add_source(buf, STR("image"), json_inner(value));
		return value.type == JSON_STRING;
	}
	if (!json_is(type, STR("file")))
		return false;
	value = json_find(json_find(part, STR("file")), STR("file_data"));
	if (value.type == JSON_STRING)
		add_source(buf, STR("document"), json_inner(value));
	return value.type == JSON_STRING;
}

/* Appends the URL of a source, escaped; false when it has none. */
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

bool
media_to_openai(struct json_value part, struct buf *buf)
{
	struct json_value type = json_find(part, STR("type"));
	bool is_image = json_is(type, STR("image"));
	size_t start = buf->len;

	if (!is_image && !json_is(type, STR("document")))
		return false;
	buf_add_str(buf, is_image ? STR("{\"type\":\"image_url\",\"image_url\":{\"url\":\"") :
	    STR("{\"type\":\"file\",\"file\":{\"file_data\":\""));
	if (!add_url(json_find(part, STR("source")), buf)) {
		buf->len = start;
		return false;
	}
	buf_add_str(buf, STR("\"}}"));
	return true;
}
