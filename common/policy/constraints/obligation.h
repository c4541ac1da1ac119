#ifndef POLICY_CONSTRAINTS_OBLIGATION_H
#define POLICY_CONSTRAINTS_OBLIGATION_H

/*
 * Whether an English sentence obliges, forbids or releases. The wordings are rows of wordings.c,
 * each with the place where it has that sense:
 *
 *     anywhere   under no circumstances, is forbidden ...
 *     open       at the start of a clause, or behind a word such as "please" or "and":
 *                never, always, do not ...; so "the list is always empty" does not oblige
 *     start      at the start of a clause alone: use, leave, only ...
 *     own        also where the author tells of himself: I prefer, without my approval ...
 *     must       anywhere, but where it is a guess: "it must have been the cache"
 *     may not    where it does not say what may happen: "the patch may not apply"
 *     we         before a verb of what one does at will: we never push, we don't use
 *     you        at the start, but before what nobody does on demand: "you have to laugh"
 *     never      behind things of a kind, or where somebody has to do it: "logs are never sent",
 *                "the table is never edited"; so "the lamp is never lit" does not oblige
 *     told       behind "it", "that", "we" ...: that should never happen
 *     behind     behind the name of a thing: "needs to be set to 1" tells, "the flag needs to be
 *                set" obliges
 *
 * An order that begins with a verb obliges if it is a standing one: "run the linter after every
 * edit", or corrects: "no, take the second one". One behind a condition says what should be: "if a
 * test fails, tell me". Of a sentence that begins with every, each, all, nobody or only, the verb
 * has to say how things are to be: "every file gets a licence line". Some sentences without a verb
 * oblige: "tabs, not spaces", "no new dependencies".
 *
 * What is not the author's wish has no sense: a question but for a request, unless it asks whether
 * that can be ("can you only run one, or is that hard?"), and of one what it asks about ("can you
 * see why it must be so"), what should be and is not ("it should stop but runs"), what he tells of
 * himself ("I always forget it"), what somebody says or what is in quotes ("the page shows that you
 * must"), what somebody does ("if it is cold, the service never answers"), and a guess ("it must
 * have been the cache", "it must not fail, I think").
 */

#include "policy/constraints/phrases.h"

enum obligation_sense { OBLIGATION_OBLIGES, OBLIGATION_FORBIDS, OBLIGATION_RELEASES };

struct obligation {
	bool stands;    /* it obliges or forbids */
	bool is_strict; /* it says what must or may not be, rather than what should */
	bool releases;  /* it has words that release */
	enum obligation_sense sense;
};

/* A sentence of sentences.h, which is not empty. Phrases of the user oblige anywhere; NULL: there
 * are none. */
struct obligation obligation_of(struct str sentence, struct phrases *own);

#endif
