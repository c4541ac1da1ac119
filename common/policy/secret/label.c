#include "policy/secret/label.h"

#include "json/bytes.h"
#include "json/members.h"

/* Whether the name ends with the word, which is of small letters, in either case. */
static bool
ends_with(struct json_value name, struct str word)
{
	struct str text = json_inner(name);

	if (text.len < word.len)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if ((text.ptr[text.len - word.len + i] | 0x20) != word.ptr[i])
			return false;
	return true;
}

static bool
is_label_name(struct json_value name)
{
	static const struct str words[] = {
	    STR_INIT("name"), STR_INIT("key"), STR_INIT("header"), STR_INIT("variable")};

	for (size_t i = 0; name.type == JSON_STRING && i < ARRAY_COUNT(words); i++)
		if (ends_with(name, words[i]))
			return true;
	return false;
}

void
label_open(struct label_list *list, uint64_t walk)
{
	list->walk = walk;
}

static bool
is_option(struct json_value string)
{
	return str_has_prefix(json_inner(string), STR("-"));
}

void
label_note(struct label_list *list, const struct json_leaves *leaves)
{
	unsigned last = leaves->depth - 1;

	if (leaves->depth > 0 &&
	    (leaves->level[last].is_object ? is_label_name(leaves->level[last].name) :
					     is_option(leaves->value)))
		list->level[last] =
		    (struct label){leaves->value, list->walk, leaves->level[last].index};
}

/* The place after blanks and the byte c; NULL when another byte is there. */
static const char *
pass(const struct json_leaves *leaves, const char *p, char c)
{
	while (p < leaves->end && byte_is_blank(*p))
		p++;
	return p < leaves->end && *p == c ? p + 1 : NULL;
}

/* The string in the next member, if that is a label. */
static struct json_value
find_behind(const struct json_leaves *leaves)
{
	struct json_value name;
	const char *p = pass(leaves, leaves->at, ',');

	p = p != NULL ? pass(leaves, p, '"') : NULL;
	if (p == NULL)
		return json_absent;
	name = json_value_at(p - 1);
	p = is_label_name(name) ? pass(leaves, p - 1 + name.len, ':') : NULL;
	p = p != NULL ? pass(leaves, p, '"') : NULL;
	return p != NULL ? json_value_at(p - 1) : json_absent;
}

/* Whether the label is of the object or array of the level, in this walk. */
static bool
is_at_hand(const struct label_list *list, const struct label *label, const struct json_level *level)
{
	return label->walk == list->walk && label->value.ptr > level->from;
}

struct json_value
label_find(const struct label_list *list, const struct json_leaves *leaves)
{
	unsigned at = leaves->depth;
	const struct label *label;

	if (at > 0 && !leaves->level[at - 1].is_object) {
		label = &list->level[at - 1];
		if (is_at_hand(list, label, &leaves->level[at - 1]) &&
		    label->index + 1 == leaves->level[at - 1].index && !is_option(leaves->value))
			return label->value;
	}
	while (at > 0 && !leaves->level[at - 1].is_object)
		at--;
	if (at == 0 || !ends_with(leaves->level[at - 1].name, STR("value")))
		return json_absent;
	label = &list->level[at - 1];
	if (is_at_hand(list, label, &leaves->level[at - 1]))
		return label->value;
	return find_behind(leaves);
}
