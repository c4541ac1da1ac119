#ifndef PAGE_PAGE_IMAGE_H
#define PAGE_PAGE_IMAGE_H

/*
 * Images within a page, as data of it. The type of an image is recognized by its first bytes, not
 * by the record, which is not trusted.
 */

#include "base/buf.h"

/* Appends an element with the image, of base64. Returns false, and appends nothing, when the text
 * is no base64, or its bytes do not begin as those of a png, jpeg, gif or webp. */
bool page_image_add(struct buf *out, struct str base64);

#endif
