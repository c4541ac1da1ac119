#ifndef TERMINAL_PART_MEDIA_H
#define TERMINAL_PART_MEDIA_H

/*
 * The content of a media part, in the spelling of any API. The longest string of the part is the
 * bytes in base64, or their address.
 */

#include "base/buf.h"
#include "json/value.h"

struct part_media {
	struct str type; /* as the part says it, such as "image/png"; or "" */
	struct str data; /* base64, unless it is an address */
	bool is_address;
};

/* Reads the part, a JSON object. data is decoded and is in scratch; type is in the part or in
 * scratch. */
void part_media_read(struct part_media *media, struct json_value part, struct buf *scratch);

#endif
