// A server that speaks as much of the OpenAI API as a summarizer needs, on a free port of this machine:
//     node server.mjs DIR
// The first part of a request's path says how it is answered, as the base URL http://HOST:PORT/429/v1:
//     200     with the text in DIR/answer (whole, and as the only choice)
//     cut     the same, and says that it ends for want of tokens
//     empty   with an answer that has no text
//     html    with 200 and a page for people
//     400     with an error over two lines, that has an escape sequence of terminals
//     401     with an error in the form of other servers
//     429     with Retry-After: 1, and each second time with 200
//     500     with no body
//     break   with the first half of an answer, and closes the connection
//     never
// Its port and its requests stand in DIR, see ../serve.mjs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../serve.mjs';

const directory = process.argv[2];
let limited = 0;

function answer(content, finish_reason) {
	return JSON.stringify({
		id: 'chatcmpl-1', object: 'chat.completion', model: 'm',
		choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
	});
}

function reply(how, response) {
	const text = readFileSync(join(directory, 'answer'), 'utf8');
	const send = (status, body, headers = {}) => {
		response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers });
		response.end(body);
	};
	switch (how === '429' && limited++ % 2 ? '200' : how) {
	case '200': return send(200, answer(text, 'stop'));
	case 'cut': return send(200, answer(text, 'length'));
	case 'empty': return send(200, answer(null, 'stop'));
	case 'html': return send(200, '<!DOCTYPE html>\n<p>Sign in', { 'Content-Type': 'text/html' });
	case '400': return send(400, JSON.stringify({ error: { message: 'no model\n\x1b[31m\'m\'', type: 'invalid_request_error' } }));
	case '401': return send(401, JSON.stringify({ error: 'no such key' }));
	case '429': return send(429, JSON.stringify({ error: { message: 'slow down' } }), { 'Retry-After': '1' });
	case '500': return send(500, '');
	case 'break':
		response.writeHead(200, { 'Content-Length': 1000 });
		return response.write(answer(text, 'stop').slice(0, 40), () => response.destroy());
	case 'never': return undefined;
	default: return send(404, JSON.stringify({ error: { message: 'not found' } }));
	}
}

serve(directory, ({ url }, response) => reply(url.split('/')[1], response));
