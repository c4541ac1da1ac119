#include "base/text/distance.h"

unsigned
distance_between(struct str a, struct str b)
{
	unsigned row[DISTANCE_MAX + 1];

	if (a.len >= DISTANCE_MAX || b.len >= DISTANCE_MAX)
		return DISTANCE_MAX;
	for (unsigned j = 0; j <= b.len; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			unsigned change = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);

			diagonal = row[j];
			row[j] = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
			if (change < row[j])
				row[j] = change;
		}
	}
	return row[b.len];
}

/* Whether a and b differ only in the order of two neighbours. */
static bool
is_swapped(struct str a, struct str b)
{
	size_t i = 0;

	if (a.len != b.len)
		return false;
	while (i < a.len && a.ptr[i] == b.ptr[i])
		i++;
	return i + 1 < a.len && a.ptr[i] == b.ptr[i + 1] && a.ptr[i + 1] == b.ptr[i] &&
	    memcmp(a.ptr + i + 2, b.ptr + i + 2, a.len - i - 2) == 0;
}

bool
distance_is_slip(struct str typed, struct str meant)
{
	size_t len = typed.len < meant.len ? typed.len : meant.len;
	unsigned slips = len < 4 ? 0 : len < 6 ? 1 : 2;

	return distance_between(typed, meant) <= slips ||
	    (meant.len >= 4 && is_swapped(typed, meant));
}
