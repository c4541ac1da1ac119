// hostile.mjs FOLDER: writes sessions that try to be more than text, as FOLDER/hostile-NAME.jsonl.

import { writeFileSync } from 'node:fs';

const folder = process.argv[2];
const session = (name, ...messages) =>
    writeFileSync(`${folder}/hostile-${name}.jsonl`, messages.map(m => JSON.stringify(m) + '\n').join(''));
const user = (content, metadata) => ({ role: 'user', content, ...(metadata && { metadata }) });
const call = (name, argument, id = 'c1') =>
    ({ role: 'assistant', content: 'x', tool_calls: [{ id, function: { name, arguments: JSON.stringify(argument) } }] });
const result = (content, id = 'c1', metadata = {}) => ({ role: 'tool', tool_call_id: id, content, metadata });
const image = (type, bytes) =>
    ({ type: 'image_url', image_url: { url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}` } });

// Each of these says HURT to window, where it gets its way.
const hurts = [
    '<script>window.HURT=1</script>', '</pre></article><script>window.HURT=1</script>', '<img src=x onerror="HURT=1">',
    '</title><script>HURT=1</script>', '</style><script>HURT=1</script>', '<svg onload=HURT=1>', ']]><script>HURT=1</script>',
    '<!--', '-->', '<![CDATA[', '&lt;script&gt;HURT=1&lt;/script&gt;', '&#60;script>', '<a href="javascript:HURT=1">x</a>',
    '"><script>HURT=1</script>', "' onmouseover='HURT=1", '" onfocus="HURT=1" autofocus="', '<base href="http://127.0.0.1:9/">',
    '<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">', '<link rel=stylesheet href="http://127.0.0.1:9/">',
    '<iframe src="http://127.0.0.1:9/"></iframe>', '<details open ontoggle=HURT=1>', '<plaintext>', '<textarea>', '<noscript>',
    '<style>*{display:none}</style>', '<form action="http://127.0.0.1:9/"><button>x', '<template><b>', '</main></body></html>',
    'http://127.0.0.1:9/ and mailto:a@b.c', '\u2028\u2029\u0000\u0001\u001b[2J\u009b1m', '\u202eevil\u202c\u2066x\u2069',
    'a\u200bb\u200dc\ufeff', String.fromCodePoint(0xe0041, 0xe0042), '\ud800', '\n\nlines', '\r\n\r', '\t',
];

session('markup', ...hurts.map(text => user(text)),
    ...hurts.flatMap((text, i) => [call(text, { [text]: text, old_string: text, new_string: text + '\n' }, 'c' + i),
        result(text + '\n'.repeat(9) + text, 'c' + i, { is_error: i % 2 === 0, id: text, agent_id: i % 3 ? undefined : text })]),
    ...hurts.map(text => ({ role: text, content: text, metadata: { timestamp: text, execution_id: text, kind: text } })),
    ...hurts.map(text => ({ type: text, [text]: text })),
    user([{ type: 'thinking', thinking: hurts.join('\n') }]));

// Numbers and ids of which two records say the same, and that are those of the page.
session('ids', ...['m1', 'log', 'filter', 'text', 'timeline', '#m2', '__proto__', 'toString'].flatMap(id => [
    { ...user(id, { id, source: 'lines 1' }), id }, { ...call(id, {}, id), id }, { ...result(id, id), name: id }]));

session('line', user('x'.repeat(1 << 20)), result('<'.repeat(1 << 16)), user('ab '.repeat(1 << 18)), user('\u202e'.repeat(1 << 14)));

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="HURT=1"><script>HURT=1</script></svg>';
session('images', user([
    image('image/png', png), image('text/html', png), image('image/png', '<script>HURT=1</script>'), image('image/svg+xml', svg),
    image('image/svg+xml', png), image('image/png"onerror="HURT=1', png), image('image/gif', 'GIF89a<script>HURT=1</script>'),
    { type: 'image_url', image_url: { url: 'http://127.0.0.1:9/x.png' } },
    { type: 'image_url', image_url: { url: 'data:image/svg+xml;utf8,' + svg } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo" onerror="HURT=1' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'javascript:HURT=1' } },
]));

writeFileSync(`${folder}/hostile-bytes.jsonl`, Buffer.concat([
    Buffer.from('<script>HURT=1</script>\n\xff\xfe\x80 no JSON\n', 'latin1'),
    Buffer.from('{"role":"user","content":"\xff\xc0\x80\xed\xa0\x80"}\n', 'latin1'), Buffer.from('{"role":"user","content":"torn')]));
