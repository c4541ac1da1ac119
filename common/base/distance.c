#include "base/distance.h"

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
