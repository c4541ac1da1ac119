#ifndef PAGE_PAGE_IMAGE_H
#define PAGE_PAGE_IMAGE_H

/*
 * Images within a page, as data of it. What a record says of the type of an image is not believed:
 * the first bytes tell.
 */

#include "base/buf.h"

/* Appends an element with the image, of base64. Returns false, and appends nothing, when the text
 * is no base64, or its bytes do not begin as those of a png, jpeg, gif or webp. */
bool page_image_add(struct buf *out, struct str base64);

#endif
