#include "json/place.h"

#include "json/bytes.h"

void
json_place_open(struct json_place *place, struct json_value string)
{
	*place = (struct json_place){.at = string.ptr + 1,
	    .end = string.ptr + string.len - 1,
	    .escaped = string.escaped != 0};
}

const char *
json_place_find(struct json_place *place, size_t decoded)
{
	char bytes[4];

	if (!place->escaped) {
		place->at += decoded - place->decoded;
		place->decoded = decoded;
	}
	while (place->decoded < decoded && place->at < place->end) {
		if (*place->at == '\\') {
			place->decoded += json_decode_escape(&place->at, place->end, bytes);
		} else {
			place->at++;
			place->decoded++;
		}
	}
	return place->at;
}
