// check.mjs CHROMIUM FOLDER PAGE...: opens each page in Chromium, and fails where a page does what a page must not:
// says something in the console, asks for anything, runs a script that is not ours, is seen as wrong by axe, cannot
// be driven by the keyboard, or cannot be read without script. Pictures go to the folder.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import puppeteer from 'puppeteer-core';

const [, , executablePath, folder, ...pages] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = /^(compact-gauge|claude-code-session|codex-session|plan|chosen|diff.*|made-hostile-images|real-.*)$/;
const sizes = { desktop: { width: 1440, height: 900 }, narrow: { width: 400, height: 800 } };
const MOST_FOR_AXE = 1e6;
let failures = 0, checks = 0;

const check = (name, what, holds, detail = '') => {
    checks++;
    if (holds) return;
    failures++;
    console.log(`not ok: ${name}: ${what} ${detail}`);
};

// What the page does by itself: says is all that it said or asked for.
async function watch(page, says) {
    page.on('console', message => says.push(`console: ${message.text()}`));
    page.on('pageerror', error => says.push(`error: ${error.message}`));
    page.on('dialog', dialog => { says.push('dialog'); dialog.dismiss(); });
    page.on('request', request => {
        const url = request.url();
        if (!url.startsWith('file:') && !url.startsWith('data:image/')) says.push(`request: ${url}`);
        if (url.startsWith('file:') && request.resourceType() !== 'document') says.push(`file: ${url}`);
    });
}

const inPage = {
    // What no page has, whatever is in the session.
    odd: () => {
        const odd = [], ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        if (window.HURT) odd.push('it was hurt');
        if (document.scripts.length !== 1) odd.push(`${document.scripts.length} scripts`);
        if (document.querySelectorAll('style').length !== 1) odd.push('styles');
        if (new Set(ids).size !== ids.length) odd.push('ids twice');
        for (const id of ids)
            if (!/^((f\d+)?m\d+(\.\d+)?|log|timeline|filter|text|role|tool|failed|fold|said)$/.test(id)) odd.push(`id ${id}`);
        for (const a of document.querySelectorAll('a'))
            if (!a.getAttribute('href').startsWith('#') || !document.getElementById(a.getAttribute('href').slice(1)))
                odd.push(`link ${a.getAttribute('href')}`);
        for (const img of document.images)
            if (!/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(img.getAttribute('src'))) odd.push('image');
        for (const e of document.querySelectorAll('*')) {
            if (!/^(html|head|meta|title|style|body|header|h[123]|p|nav|a|form|label|input|select|option|button|output|kbd|main|article|b|strong|span|em|time|i|pre|details|summary|del|ins|img|aside|table|tbody|caption|tr|th|td|br|svg|path|script)$/.test(e.localName)) odd.push(`element ${e.localName}`);
            for (const { name } of e.attributes) if (/^on|^style$|^srcdoc$/.test(name)) odd.push(`attribute ${name}`);
        }
        const text = document.querySelector('main').textContent + document.title;
        if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40/.test(text)) odd.push('hidden characters');
        return odd;
    },
    shown: () => [...document.querySelectorAll('article')].filter(e => !e.hidden).length,
    focused: () => document.activeElement.closest('article')?.id || document.activeElement.id || document.activeElement.localName,
    opened: () => document.querySelectorAll('main details[open]').length,
};

// Folding, filter, keys and links, all by the keyboard.
async function drive(page, name) {
    const all = await page.evaluate(inPage.shown), folds = await page.$$eval('main details', list => list.length);
    const links = await page.$$eval('article h3 a', list => list.map(a => a.closest('article').id));
    const press = key => page.keyboard.press(key);
    if (links.length > 1) {
        await press('j');
        check(name, 'j', await page.evaluate(inPage.focused) === links[0]);
        await press('j');
        check(name, 'j again', await page.evaluate(inPage.focused) === links[1]);
        await press('k');
        check(name, 'k', await page.evaluate(inPage.focused) === links[0]);
        await press('Enter');
        check(name, 'a link', new URL(page.url()).hash === `#${links[0]}`, page.url());
    }
    if (folds > 0) {
        await page.evaluate(() => document.querySelector('main summary').focus());
        const before = await page.evaluate(inPage.opened);
        await press('Enter');
        check(name, 'a fold by Enter', Math.abs(await page.evaluate(inPage.opened) - before) === 1);
        await press('o');
        await page.focus('#fold');
        await press('Enter');
        check(name, 'all folds', await page.evaluate(inPage.opened) === folds);
        await press('Enter');
        check(name, 'no folds', await page.evaluate(inPage.opened) === 0);
    }
    await page.evaluate(() => document.activeElement.blur());
    await press('/');
    check(name, '/', await page.evaluate(inPage.focused) === 'text');
    await page.keyboard.type('no such text, surely');
    await press('Enter');
    check(name, 'the filter', await page.evaluate(inPage.shown) === 0);
    await press('Escape');
    check(name, 'Esc', await page.evaluate(inPage.shown) === all);
    const failed = await page.$$eval('article.e', list => list.length);
    await page.focus('#failed');
    await press('Space');
    check(name, 'failures', await page.evaluate(inPage.shown) === failed);
    await press('Escape');
    for (const select of ['role', 'tool']) {
        const options = await page.$$eval(`#${select} option`, list => list.length);
        if (options < 2) continue;
        await page.focus(`#${select}`);
        await press('ArrowDown');
        const shown = await page.evaluate(inPage.shown);
        check(name, select, shown > 0 && shown <= all, `${shown} of ${all}`);
        await press('Escape');
    }
    check(name, 'all are back', await page.evaluate(inPage.shown) === all);
}

// On paper is all that is folded, and nothing that only a screen can use.
async function print(page, name, url) {
    await page.goto(url);
    await page.emulateMediaType('print');
    check(name, 'a filter on paper', !await page.$eval('#filter', e => e.checkVisibility()));
    const folded = await page.$('main details:not([open]) > pre');
    if (folded) check(name, 'folded on paper', await folded.evaluate(e => e.checkVisibility()));
    await page.emulateMediaType('screen');
}

async function pictures(page, name, url) {
    for (const [size, viewport] of Object.entries(sizes))
        for (const scheme of ['light', 'dark']) {
            await page.setViewport(viewport);
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            await page.goto(url);
            check(name, `wider than ${size}`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            if (PICTURES.test(name)) await page.screenshot({ path: `${folder}/${name}-${size}-${scheme}.png` });
        }
}

// The page's own policy keeps axe out; it is put beside the page by the browser. On a line of 1 MB it takes minutes,
// and says no more than on a short one.
async function judge(page, name, url) {
    if (await page.evaluate(() => document.body.textContent.length) > MOST_FOR_AXE) return;
    await page.setBypassCSP(true);
    for (const scheme of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(url);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
        check(name, `axe, ${scheme}`, violations.length === 0,
            violations.map(v => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`).join('; '));
    }
}

async function withoutScript(browser, name, url, text) {
    const page = await browser.newPage(), says = [];
    await watch(page, says);
    await page.setJavaScriptEnabled(false);
    await page.goto(url);
    check(name, 'the filter without script', !await page.$eval('#filter', e => e.checkVisibility()));
    check(name, 'the text without script', await page.$eval('main', e => e.textContent) === text);
    const summary = await page.$('main summary');
    if (summary) {
        const open = () => summary.evaluate(e => e.parentNode.open);
        const before = await open();
        await summary.focus();
        await page.keyboard.press('Enter');
        check(name, 'a fold without script', await open() !== before);
    }
    check(name, 'without script', says.length === 0, says.join('; '));
    await page.close();
}

const browser = await puppeteer.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
for (const path of pages) {
    const name = basename(path, '.html'), url = `file://${path}`, says = [];
    const page = await browser.newPage();
    await watch(page, says);
    await page.setViewport(sizes.desktop);
    await page.goto(url);
    const odd = await page.evaluate(inPage.odd);
    check(name, 'odd', odd.length === 0, odd.slice(0, 5).join('; '));
    const text = await page.$eval('main', e => e.textContent);
    await drive(page, name);
    await pictures(page, name, url);
    await print(page, name, url);
    check(name, 'said', says.length === 0, says.slice(0, 5).join('; '));
    await judge(page, name, url);
    await page.close();
    await withoutScript(browser, name, url, text);
}
await browser.close();
console.log(`${failures ? 'not ok' : 'ok'}: ${pages.length} pages, ${checks} checks, ${failures} failures; pictures: ${folder}`);
process.exit(failures ? 1 : 0);
