#ifndef OPENHANDS_OPENHANDS_ACTIONS_H
#define OPENHANDS_OPENHANDS_ACTIONS_H

/*
 * Rows for actions and observations, the events of OpenHands from before its events had kinds.
 */

#include "dialects/rows/row.h"

extern const struct row openhands_actions[];

/* Adds each URL of the value's image_urls to the open message, as an image. */
row_function openhands_actions_images;

#endif
