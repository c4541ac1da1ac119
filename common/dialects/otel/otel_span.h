#ifndef OTEL_OTEL_SPAN_H
#define OTEL_OTEL_SPAN_H

/*
 * The messages of a span or an event of OpenTelemetry: those in its attributes, or else those of
 * events by the conventions before 1.37; the record is such an event, or has a list of them.
 *
 *     {"attributes":{"gen_ai.input.messages":[message,…],…}}      or the list as JSON in a string
 *     {"attributes":[{"key":"gen_ai.input.messages","value":{"arrayValue":…}},…]}     OTLP
 *     {"eventName":"gen_ai.user.message","body":{"content":…}}      an event
 *     {"name":"chat","events":[{"name":"gen_ai.choice","attributes":{"message":{…}}},…]}
 */

#include "dialects/rows/row_reader.h"

/* Whether the record is such a span or event. */
bool otel_span_is(struct json_value record);

/* Reads its messages. Returns false if the record is no such span or event. */
row_function otel_span_read;

/* Of otel.c: an element of a list of messages, and the parts of instructions. */
extern const struct row otel_messages[];
extern const struct row otel_instructions[];

#endif
