#ifndef POLICY_CONSTRAINTS_OBLIGATION_H
#define POLICY_CONSTRAINTS_OBLIGATION_H

/*
 * Whether an English sentence obliges, forbids or releases. The wordings are rows of wordings.c,
 * each with the place where it has that sense:
 *
 *     anywhere   under no circumstances, is forbidden ...
 *     open       at the start of a clause, or after a word such as "please" or "and":
 *                never, always, do not ...; so "the list is always empty" does not oblige
 *     start      at the start of a clause alone: use, leave, only ...
 *     own        also where the author reports on himself: I prefer, without my approval ...
 *     must       anywhere, but where it is a guess: "it must have been the cache"
 *     may not    except for a thing that may happen: "the patch may not apply"
 *     we         before a verb for an act at will: we never push, we don't use
 *     you        at the start, but not before an act that nobody does on demand: "you have to
 *                laugh"
 *     never      after things of a kind, or before an act that somebody has to do: "logs are never
 *                sent", "the table is never edited"; so "the lamp is never lit" does not oblige
 *     told       after "it", "that", "we" ...: that should never happen
 *     behind     after the name of a thing: "needs to be set to 1" reports, "the flag needs to be
 *                set" obliges
 *
 * An order that begins with a verb obliges if it is a standing one: "run the linter after every
 * edit", or corrects: "no, take the second one". An order after a condition obliges weakly: "if a
 * test fails, tell me". Of a sentence that begins with every, each, all, nobody or only, the verb
 * has to say how things are to be: "every file gets a licence line". Some sentences without a verb
 * oblige: "tabs, not spaces", "no new dependencies".
 *
 * Words that are not the author's wish have no sense:
 *
 *     a question that is no request; also a request that asks whether it is possible ("can you only
 *     run one, or is that hard?"), and the subject of a request ("can you see why it must be so")
 *     a fault report: "it should stop but runs"
 *     the author's report on himself: "I always forget it"
 *     another person's words, and quotations: "the page shows that you must"
 *     a description: "if it is cold, the service never answers"
 *     a guess: "it must have been the cache", "it must not fail, I think"
 */

#include "policy/constraints/phrases.h"

enum obligation_sense { OBLIGATION_OBLIGES, OBLIGATION_FORBIDS, OBLIGATION_RELEASES };

struct obligation {
	bool stands;    /* it obliges or forbids */
	bool is_strict; /* it says "must" or "may not", rather than "should" */
	bool releases;  /* it has words that release */
	enum obligation_sense sense;
};

/* A sentence of sentences.h, which is not empty. Phrases of the user oblige anywhere; NULL: there
 * are none. */
struct obligation obligation_of(struct str sentence, struct phrases *own);

#endif
