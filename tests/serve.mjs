// What the servers of the tests have in common, which play an API on a free port of this machine:
//     serve(directory, reply)
// Each request is handed to reply(request, response), with its whole body as request.body, a Buffer.
// Writes the port to directory/port when it listens, and appends what it got to directory/requests, a
// JSON line each.

import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

export function serve(directory, reply) {
	const server = createServer((request, response) => {
		const parts = [];
		request.on('data', part => parts.push(part));
		request.on('end', () => {
			const { method, url, headers } = request;
			request.body = Buffer.concat(parts);
			appendFileSync(join(directory, 'requests'), JSON.stringify({
				method, url, authorization: headers.authorization ?? null, body: request.body.toString(),
			}) + '\n');
			reply(request, response);
		});
	});
	server.listen(0, '127.0.0.1', () => {
		writeFileSync(join(directory, 'port.new'), String(server.address().port));
		renameSync(join(directory, 'port.new'), join(directory, 'port'));
	});
}
