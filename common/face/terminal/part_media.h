#ifndef TERMINAL_PART_MEDIA_H
#define TERMINAL_PART_MEDIA_H

/*
 * What a part of media carries, in the spelling of any API: its longest string is the bytes in
 * base64, or says where they are.
 */

#include "base/buf.h"
#include "json/value.h"

struct part_media {
	struct str type; /* as the part says it, such as "image/png"; or "" */
	struct str data; /* base64, unless it is an address */
	bool is_address;
};

/* Reads the part, a JSON object. type lives as long as the part, or as scratch, in which data
 * lives, decoded. */
void part_media_read(struct part_media *media, struct json_value part, struct buf *scratch);

#endif
