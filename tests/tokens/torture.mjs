// Texts that are hard to count: the same ones on every run, made from nothing but this file.
// torture() yields [group, text]; no piece of a text is longer than 5,000 bytes, since the published
// tokenizer takes quadratic time there. Longer ones are in giants().

// A 32 bit generator (mulberry32), so that every machine makes the same texts.
export function random(seed) {
	return () => {
		seed = seed + 0x6d2b79f5 | 0;
		let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
		t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
		return ((t ^ t >>> 14) >>> 0) / 4294967296;
	};
}

const chars = (first, last) =>
	Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));

// Some of each class of unicode_table.h, of each length in UTF-8, and what the rules name.
const SAMPLES = [
	'A', 'Z', 'É', 'Ж', 'Σ', 'ǅ', 'Ꭰ', '𝐀', '𐐀', // Lu, Lt
	'a', 's', 't', 'e', 'l', 'é', 'ж', 'ſ', 'ß', 'ﬁ', '𝐚', // Ll
	'ʰ', 'ª', 'ا', 'क', 'ก', '中', 'あ', 'ー', '한', '𠀀', 'ǀ', // Lm, Lo
	'\u0301', '\u20dd', '\u093f', '\u0e31', '\ufe0f', '\u200d', '\u{e0101}', // M, and Cf
	'1', '٣', '½', 'Ⅷ', '五', '𝟘', // N
	' ', '\t', '\v', '\u0085', '\u00a0', '\u2003', '\u2028', '\u3000', '\u1680', // White_Space
	'\n', '\r',
	'\u001c', '\u001f', '\ufeff', '\u200b', '\u180e', // not White_Space
	'.', '(', '/', '\'', '"', '_', '-', '—', '…', '。', '\u0000', '\u007f', '€', '🙂', '\ufffd',
];

const CONTRACTIONS = ['s', 't', 're', 've', 'm', 'll', 'd', 'ſ', 'ſſ', 'sſ', 'r', 'v', 'l', 'e', 'x', ''];

const BLANKS = [' ', '\t', '\v', '\f', '\n', '\r', '\r\n', '\u0085', '\u00a0', '\u2028', '\u3000', '\ufeff'];

const SCRIPTS = [
	chars(0x4e00, 0x9fff), chars(0x3041, 0x3096).concat(chars(0x30a1, 0x30fa), ['ー', '、', '。', '「', '」']),
	chars(0xac00, 0xd7a3), chars(0x0400, 0x045f), chars(0x0370, 0x03ff), chars(0x0600, 0x06ff),
	chars(0x0590, 0x05ff), chars(0x0900, 0x097f), chars(0x0980, 0x09ff), chars(0x0b80, 0x0bff),
	chars(0x0e00, 0x0e5b), chars(0x1000, 0x109f), chars(0x1f300, 0x1f6ff), chars(0x00c0, 0x024f),
	chars(0x2000, 0x206f), chars(0x2190, 0x22ff), chars(0xfe00, 0xfe0f).concat(chars(0x1f1e6, 0x1f1ff)),
	chars(0x20, 0x7e), chars(0x61, 0x7a), chars(0x0300, 0x036f), chars(0x20000, 0x20fff),
];

const WORDS = `the of and to in is that for it you was with on as are this be at have from or an by not
we can all will one would there their what so up out if about who get which go me when make like time no just
him know take people into year your good some could them see other than then now look only come its over think
also back after use two how our work first well way even new want because any these give day most us
function return const let var import export class struct static void int char size_t buffer length index
"content": "role": {"type": [{"id": null, true, false, 0x7f 3.14159 1e-9 100% $HOME /usr/local/bin -- -> => == !=
camelCase snake_case SCREAMING_CASE HTTPServer iOS McDonald's don't it's we'll they've I'm you'd O'Neil
<|endoftext|> <|fim_prefix|> <|im_start|>assistant<|im_end|> https://example.org/a?b=c&d=e#f user@example.org
déjà naïve Ελληνικά привет мир שלום مرحبا नमस्ते こんにちは 世界 안녕하세요 สวัสดี 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢`.split(/\s+/);

const JOINTS = [' ', ' ', ' ', ' ', '', '\n', '\n\n', '\n    ', ', ', '. ', '\t', '  ', '\r\n', ');\n', ';\n//', '/', '\'', ' \n', '\u00a0'];

const times = (n, f) => Array.from({ length: n }, (_, i) => f(i)).join('');

function* codePoints() {
	const contexts = [c => `a${c}b`, c => ` ${c}${c}1`, c => `\n${c}A.`, c => `x'${c}s ${c}\n/`];
	for (let first = 0; first < 0x110000; first += 16) {
		if (first >= 0xd800 && first < 0xe000)
			continue;
		const row = chars(first, first + 15);
		const few = first >= 0x40000 && (first < 0xe0000 || first >= 0xe1000);
		for (const context of few ? contexts.slice(first >> 4 & 3, (first >> 4 & 3) + 1) : contexts)
			yield row.map(context).join('');
	}
}

function* classes() {
	for (const a of SAMPLES)
		for (const b of SAMPLES) {
			yield a + b;
			for (const c of SAMPLES)
				yield `${a}${b}${c}${a}${c}${b}${c}`;
		}
}

function* contractions() {
	const cases = s => s.length === 0 ? [''] : cases(s.slice(1)).flatMap(rest =>
		[...new Set([s[0], s[0].toUpperCase()])].map(c => c + rest));
	const all = CONTRACTIONS.flatMap(cases);
	for (const before of ['', 'it', 'IT', 'It', '中', 'e\u0301', '1', ' ', '(', '.', '\n', 'a\'s', '\'', ' \'', '\t'])
		for (const one of all)
			for (const after of ['', 'x', 'X', ' y', '1', '\'s', '\'', '中', '\u0301', '.', '\n', 'ſ'])
				yield `${before}'${one}${after}`;
	for (const pad of [50, 55, 58, 59, 60, 61, 62, 63, 64])
		for (const one of all)
			yield `${'ab '.repeat(30).slice(0, pad)}'${one}foo bar'${one} `.repeat(2);
}

function* digits() {
	for (const one of ['7', '٣', '½', '𝟘', '1٣'])
		for (let n = 1; n <= 150; n++)
			yield `a${one.repeat(n)}b ${one.repeat(n)}.${one.repeat(n % 7)}`;
}

function* blanks(next) {
	for (const before of ['', 'x', '.', '1', ' .', '中'])
		for (const a of BLANKS)
			for (const b of BLANKS)
				for (const after of ['', 'x', '.', '1', '/', '//', '中', '\'s'])
					yield before + a + b + after;
	for (const one of BLANKS)
		for (let n = 1; n <= 140; n++)
			yield `x${one.repeat(n)}y ${one.repeat(n)}`;
	for (let i = 0; i < 20000; i++)
		yield times(1 + next() * 12, () => next() < 0.15 ? SAMPLES[next() * SAMPLES.length | 0] :
			next() < 0.3 ? '.;/)x1'[next() * 6 | 0] : BLANKS[next() * next() * BLANKS.length | 0]);
}

function* runs() {
	for (const one of ['a', 'A', '=', '-', '#', '.', 'é', '中', '字', '🙂', '\u0301', 'ไ', '(', '/', '\'', '\\', '\0', 'ab', 'Aa', ' a', '.\n', '/\n'])
		for (let n = 1; n * new TextEncoder().encode(one).length <= 4900; n = Math.ceil(n * 1.13))
			yield `${one.repeat(n)}`;
}

function* scripts(next) {
	for (let i = 0; i < 12000; i++) {
		const script = SCRIPTS[i % SCRIPTS.length], other = SCRIPTS[next() * SCRIPTS.length | 0];
		const mix = next() * 0.3, blank = next() * 0.3;
		yield times(5 + next() * 120, () => next() < blank ? JOINTS[next() * JOINTS.length | 0] :
			next() < mix ? other[next() * other.length | 0] : script[next() * script.length | 0]);
	}
}

function* words(next) {
	for (let i = 0; i < 30000; i++)
		yield times(1 + next() * 60, () => WORDS[next() * WORDS.length | 0] +
			JOINTS[next() * (next() < 0.5 ? 4 : JOINTS.length) | 0]);
}

function* bytes(next) {
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	for (let i = 0; i < 10000; i++) {
		const high = next();
		yield decoder.decode(Uint8Array.from({ length: next() * 200 },
			() => next() < high ? next() * 256 : 32 + next() * 95));
	}
}

function* escapes() {
	for (const escape of ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0000', '\\u0041', '\\u00e9',
		'\\u4e2d', '\\ud83d\\ude42', '\\ud83d', '\\ude42', '\\ud83dx', '\\ude42\\ud83d', '\\u2028', '\\ufeff', '\\uffff'])
		for (const around of ['', 'a', ' ', '中', '1', '\\n'])
			yield JSON.parse(`"${around}${escape}${escape}${around}${escape}"`).toWellFormed();
}

function* soup(next) {
	for (let i = 0; i < 30000; i++)
		yield times(1 + next() * 150, () => SAMPLES[next() * SAMPLES.length | 0]);
	for (let i = 0; i < 30000; i++)
		yield times(1 + next() * 200, () => 'abcXYZ  \n\r\t\'\'/.,()123srtdlveSRTDLVE'[next() * 38 | 0] ?? ' ');
}

function* letters(next) {
	for (const alphabet of ['abcdefghijklmnopqrstuvwxyz', 'ab', 'abcq', 'etaoin', 'ACGT', 'aA', '中国人', '!-=*/', '\u0301e'])
		for (let i = 0; i < 60; i++)
			yield times(1 + next() * next() * 1600, () => [...alphabet][next() * [...alphabet].length | 0]);
}

export function* torture() {
	const groups = { codePoints, classes, contractions, digits, blanks, runs, scripts, words, bytes, escapes, soup, letters };
	let seed = 1;
	for (const [name, group] of Object.entries(groups))
		for (const text of group(random(seed++)))
			yield [name, text];
}

// Pieces that are too long for the published tokenizer: the counting methods must agree on them.
export function* giants() {
	const next = random(99);
	for (const one of ['a', 'A', ' ', '\n', '=', '中', '🙂', '(', 'e\u0301', '7'])
		for (const n of [5000, 9999, 10000, 65537, 100000])
			yield one.repeat(n);
	for (const alphabet of ['abcdefghijklmnopqrstuvwxyz', 'ab', 'abcq', '中国人', '!-=*/'])
		yield times(20000, () => [...alphabet][next() * [...alphabet].length | 0]);
}
