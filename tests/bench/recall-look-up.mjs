// recall-look-up.mjs: of the probes that a compaction lost, which does ctx-recall -F find by the words of
// their question alone? Operands: the directory of probe.mjs, and directories with NAME.jsonl, a compacted
// session, and NAME.archive. Prints the count of lost probes, and of those whose answer is in the first
// 1,000 and 2,000 tokens; with --verbose each probe that is not.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const verbose = process.argv.includes('--verbose');
const [probeDir, ...dirs] = process.argv.slice(2).filter(word => word !== '--verbose');
process.argv.length = 1; // probe.mjs reads it
const { answering, inText, read, strip } = await import(resolve(probeDir, 'probe.mjs'));
const probes = readFileSync(join(probeDir, 'probes.jsonl'), 'utf8').trim().split('\n').map(line => JSON.parse(line));
const recall = join(process.env.CTX_BIN, 'ctx-recall');

function finds(archive, probe, tokens) {
	try {
		const answer = execFileSync(recall, [archive, '-F', probe.question, '--tokens', String(tokens)]);
		return inText(probe, strip(answer.toString()));
	} catch (error) {
		if (error.status !== 1)
			throw error;
		return false; // no word is in the archive
	}
}

const found = { 1000: 0, 2000: 0 };
let lost = 0;
for (const dir of dirs)
	for (const file of readdirSync(dir).filter(name => name.endsWith('.jsonl'))) {
		const name = basename(file, '.jsonl');
		const messages = read(readFileSync(join(dir, file), 'utf8'));
		for (const probe of probes.filter(each => each.session === name && answering(each, messages).length === 0)) {
			lost++;
			for (const tokens of [1000, 2000])
				if (finds(join(dir, `${name}.archive`), probe, tokens))
					found[tokens]++;
				else if (verbose)
					console.error(`${tokens} ${join(basename(dir), name)} ${probe.source}: ${probe.question} -- ${probe.answer}`);
		}
	}
console.log(lost, found[1000], found[2000]);
