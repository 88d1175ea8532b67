// Pages in a real browser: every shipped model's opens without errors and requests, its motion moves, its plots have ink,
// the cursor follows; evil texts are texts; what the keyboard, links, themes and small screens do.
//
//     node pages.mjs LIVENS SOURCES DIRECTORY [MODEL...]

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, counts, ink, launch, look, open, showTime, until } from './browser.mjs';

const [program, root, directory, ...chosen] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const browser = await launch(root);
const livens = (...words) => execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const place = (name) => join(directory, name);

// ---- what a page shows ------------------------------------------------------------------------------

const cursors = () => [...document.querySelectorAll('.cursor')].map((c) => c.getBoundingClientRect().left);
const places = () => window.livens.board.plots.map(({ plot, clock }) => plot.over.getBoundingClientRect().left + plot.valToPos(clock.t, 'x') - 0.75);

// ---- shipped models ---------------------------------------------------------------------------------

async function shipped(name) {
    const path = place(`${name}.html`);
    livens('run', name, '--report', path, '--quiet');
    const { page, troubles } = await open(browser, path);
    const has = await page.evaluate(() => ({ motion: !!window.livens.motion.main, moves: window.livens.clock.end > window.livens.clock.begin, h1: document.querySelector('h1').textContent,
        gl: !!window.livens.motion.renderer?.gl, wide: document.documentElement.scrollWidth - innerWidth }));
    check(`${name}: there is a picture`, has.motion);
    check(`${name}: all shaders work`, has.gl);
    check(`${name}: nothing is wider than the window`, has.wide <= 0, has.wide);
    await showTime(page, 0.13);
    if (has.motion) {
        const { colours } = await page.evaluate(look);
        check(`${name}: the picture shows something`, colours > 40, `${colours} colours`);
        await showTime(page, 0.37);
        const { changed } = await page.evaluate(look);
        check(`${name}: the motion moves`, changed > 60, `${changed} pixels`);
    }
    const from = await page.evaluate(cursors);
    await showTime(page, 0.71);
    const to = await page.evaluate(cursors), right = await page.evaluate(places);
    check(`${name}: cursors are there`, to.length > 1 && to.length === right.length, to.length);
    check(`${name}: cursors follow`, to.every((x, k) => x > from[k] && Math.abs(x - right[k]) < 1.5), `${from} ${to} ${right}`);
    const strokes = await page.evaluate(ink);
    check(`${name}: plots have ink`, strokes.every((n) => n > 80), strokes);
    check(`${name}: no troubles`, troubles.length === 0, troubles.join('; '));
    await page.close();
}

// ---- the rest -----------------------------------------------------------------------------------------

const evil = `</script><script>window.hacked = 1</script> "'&<!-- ]]> <img src=x onerror="window.hacked = 1">`;

async function evilTexts() {
    const model = place('evil.toml'), path = place('evil.html');
    const text = `# ${evil}\nname = '''${evil}'''\ndescription = "\\u0001\\u2028\\u202e ${evil.replaceAll('"', '\\"')}"\n[parameters]\nm = 1\n[coordinates]\nx = { value = [1, 0], velocity = [0, 1] }\n` +
        `[energy]\nkinetic = "m*norm2(x')/2"\npotential = "norm2(x)/2"\n[outputs]\ny = "x[1]"\n[run]\nscheme = "rattle"\nstep = 0.1\nuntil = 3\n`;
    writeFileSync(model, text);
    livens('run', model, '--report', path, '--quiet');
    const { page, troubles } = await open(browser, path);
    const seen = await page.evaluate(() => ({ hacked: window.hacked, title: document.title, h1: document.querySelector('h1').textContent, lead: document.querySelector('.lead').textContent,
        model: document.querySelector('pre.model').textContent, images: document.images.length, scripts: document.scripts.length }));
    check('evil texts are shown as texts', seen.h1 === evil && seen.model === text && seen.title.startsWith(evil) && seen.lead.endsWith(evil));
    check('evil texts do nothing', seen.hacked === undefined && seen.images === 0 && seen.scripts === 0, JSON.stringify(seen));
    check('evil texts: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

// Pixels of a canvas that are coloured.
const coloured = (selector) => {
    const canvas = document.querySelector(selector), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 60 && Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) count++;
    return count;
};

// A certificate beside the motion: findings as `verify` has them, errors over steps.
async function certified() {
    const path = place('certified.html'), result = JSON.parse(livens('verify', 'pendulum3d', '--until', '3', '--report', path, '--json'));
    const { page, troubles } = await open(browser, path);
    const seen = await page.evaluate(() => ({ verdicts: [...document.querySelectorAll('#certificate tbody .verdict')].map((x) => x.textContent), motion: !!window.livens.motion.main,
        labels: [...document.querySelectorAll('.badge')].length, wide: document.documentElement.scrollWidth - innerWidth }));
    check('a certificate has every finding', seen.verdicts.length === result.findings.length && seen.verdicts.filter((x) => x.includes('kept')).length === result.kept, JSON.stringify(seen));
    check('a certificate shows the motion', seen.motion && seen.wide <= 0);
    check('errors over steps have ink', (await page.evaluate(coloured, '#convergence canvas')) > 80);
    check('certificate: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

// Members that fail, with texts that would do harm; choosing columns, clicking a point.
async function ensemble() {
    const file = place('ensemble.toml'), path = place('ensemble.html');
    writeFileSync(file, `# ${evil}\nname = \'\'\'${evil}\'\'\'\ndescription = "\\u0001\\u2028 ${evil.replaceAll('"', '\\"')}"\n[parameters]\nk = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = "x'^2/2"\npotential = "-sqrt(k)*cos(x)"\n` +
        `[sweep]\nmembers = 60\n[sweep.set]\nk = "j - 9"\n[outputs]\ny = "x^2"\n[run]\nscheme = "rattle"\nstep = 0.05\nuntil = 3\n`);
    try {
        livens('sweep', file, '--report', path, '--quiet');
    } catch (error) {
        check('members that fail are told', error.status === 3, error.message);
    }
    for (const width of [1280, 390]) {
        const { page, troubles } = await open(browser, path, { width });
        const seen = await page.evaluate(() => ({ h1: document.querySelector('h1').textContent, hacked: window.hacked, failures: document.querySelector('#failures')?.textContent ?? '', images: document.images.length,
            scripts: document.scripts.length, wide: document.documentElement.scrollWidth - innerWidth, rows: window.livens.sweep.rows, k: [...window.livens.sweep.columns.find((c) => c.name === 'k').values].slice(8, 12) }));
        check('ensemble: evil texts are texts', seen.h1 === evil && seen.hacked === undefined && seen.images === 0 && seen.scripts === 0, JSON.stringify(seen));
        check('ensemble: members and failures', seen.rows === 60 && seen.failures.includes('9 members') && seen.k.join() === '-1,0,1,2', JSON.stringify(seen));
        check('ensemble: nothing is wider than the window', seen.wide <= 0, seen.wide);
        check('ensemble: points and bars have ink', (await page.evaluate(coloured, '#scatter canvas')) > 300 && (await page.evaluate(coloured, '#histogram canvas')) > 300);
        await page.selectOption('#scatter select[aria-label="horizontal column"]', { label: 'x' });
        await page.selectOption('#scatter select[aria-label="colour"]', { label: 'k' });
        await page.getByRole('button', { name: 'log y' }).click();
        check('ensemble: other columns have ink', (await page.evaluate(coloured, '#scatter canvas')) > 100);
        const at = await page.evaluate(() => {
            const { chart } = window.livens.scatter, box = chart.canvas.getBoundingClientRect(), p = chart.point(chart.series[0], 30);
            return [box.left + p[0], box.top + p[1]];
        });
        await page.mouse.click(...at);
        const member = await page.locator('#member').textContent();
        check('ensemble: a click shows a member and its command', /livens run ensemble.toml --set k=\d+/.test(member) && !member.includes('null'), member);
        check('ensemble: no troubles', troubles.length === 0, troubles.join('; '));
        await page.close();
    }
}

// Schemes over steps: lines in both charts, names that switch them, advice with its command; evil texts.
async function studied() {
    const file = place('study.toml'), path = place('study.html');
    writeFileSync(file, `name = \'\'\'${evil}\'\'\'\n[coordinates]\nx = 1\n[energy]\nkinetic = "x'^2/2"\npotential = "-cos(x)"\n[run]\nscheme = "rattle"\nstep = 0.1\nuntil = 2\n`);
    livens('study', file, '--schemes', 'rattle,em,lobatto:stages=3', '--report', path, '--quiet');
    for (const width of [1280, 390]) {
        const { page, troubles } = await open(browser, path, { width });
        const seen = await page.evaluate(() => ({ h1: document.querySelector('h1').textContent, hacked: window.hacked, scripts: document.scripts.length, images: document.images.length, methods: window.livens.study.methods.length,
            keys: document.querySelectorAll('#methods .choices button').length, advice: document.querySelectorAll('#advice tbody tr').length, wide: document.documentElement.scrollWidth - innerWidth }));
        check('study: evil texts are texts', seen.h1 === evil && seen.hacked === undefined && seen.images === 0 && seen.scripts === 0, JSON.stringify(seen));
        check('study: every scheme and every advice', seen.keys === seen.methods && seen.methods >= 3 && seen.advice === 3, JSON.stringify(seen));
        check('study: nothing is wider than the window', seen.wide <= 0, seen.wide);
        const before = await page.evaluate(coloured, '#cost canvas');
        check('study: charts have ink', before > 300 && (await page.evaluate(coloured, '#orders canvas')) > 300, before);
        await page.getByRole('button', { name: 'none' }).click();
        check('study: names switch lines off', (await page.evaluate(coloured, '#cost canvas')) < before / 10);
        check('study: no troubles', troubles.length === 0, troubles.join('; '));
        await page.close();
    }
}

async function controls() {
    const path = place('controls.html');
    livens('run', 'kepler', '--until', '10', '--report', path, '--quiet');
    const { page, troubles } = await open(browser, path, { hash: '#t=6.25' });
    const time = () => page.evaluate(() => window.livens.clock.t);
    check('a link leads to a time', (await time()) === 6.25, await time());
    check('who wants less motion gets none', !(await page.evaluate(() => window.livens.clock.playing)));
    await page.keyboard.press('ArrowRight');
    const later = await time();
    check('an arrow steps', later > 6.25 && later < 6.5, later);
    await page.keyboard.press('Shift+ArrowLeft');
    check('an arrow with shift goes far', (await time()) < later, await time());
    await page.keyboard.press('Home');
    check('home is the beginning', (await time()) === 0);
    await page.keyboard.press(' ');
    await until(page, () => window.livens.clock.t > 0.05, 'space plays on');
    check('space plays', await page.evaluate(() => window.livens.clock.playing));
    await page.keyboard.press(' ');
    check('space pauses', !(await page.evaluate(() => window.livens.clock.playing)));
    const over = page.locator('.u-over').first(), box = await over.boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20, { steps: 4 });
    await page.mouse.up();
    check('dragging in a plot moves the time', Math.abs((await time()) - 5) < 0.1, await time());
    await until(page, () => /t=5|t=4\.9/.test(location.hash), 'the link follows');
    await page.evaluate(() => (location.hash = '#t=2'));
    await until(page, () => window.livens.clock.t === 2, 'the time follows the link');
    // A file that is downloaded has what the page shows.
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const lines = readFileSync(await file.path(), 'utf8').trim().split('\n');
    check('a CSV file is downloaded', lines[0].startsWith('t,') && lines.length > 100, lines[0]);
    const stage = await page.locator('.stage').boundingBox();
    await page.evaluate(look);
    await page.mouse.move(stage.x + 200, stage.y + 200);
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(200);
    check('the wheel zooms', (await page.evaluate(look)).changed > 60);
    await page.getByRole('button', { name: 'light or dark' }).click();
    check('dark', (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === 'rgb(15, 18, 24)');
    check('plots have ink in the dark', (await page.evaluate(ink)).every((n) => n > 80));
    check('controls: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

async function withoutWebGl() {
    const { page, troubles } = await open(browser, place('controls.html'), { query: '?canvas' });
    check('a plain canvas takes over', (await page.evaluate(() => window.livens.motion.renderer.gl)) === undefined);
    await showTime(page, 0.1);
    await page.evaluate(look);
    await showTime(page, 0.4);
    check('it moves, too', (await page.evaluate(look)).changed > 60);
    check('plain canvas: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

async function plays() {
    const { page, troubles } = await open(browser, place('controls.html'), { reducedMotion: 'no-preference', colorScheme: 'dark' });
    check('the motion begins by itself', await page.evaluate(() => window.livens.clock.playing));
    check('the theme is that of the system', (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
    check('plays: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

async function several() {
    const files = [['a.h5', '0.02'], ['b.h5', '0.05']].map(([name, step]) => {
        livens('run', 'kepler', '--until', '5', '--step', step, '-o', place(name), '--quiet');
        return place(name);
    });
    const path = place('several.html');
    livens('report', ...files, '-o', path);
    const { page, troubles } = await open(browser, path);
    const seen = await page.evaluate(() => ({ scenes: window.livens.motion.scenes.length, labels: [...document.querySelectorAll('.legend .name')].map((x) => x.textContent) }));
    check('several runs: ghosts and overlaid errors', seen.scenes === 2 && seen.labels.includes('E (1)') && seen.labels.includes('E (2)'), JSON.stringify(seen));
    check('several runs: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

async function small() {
    const { page, troubles } = await open(browser, place('controls.html'), { width: 390, height: 844 });
    const seen = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, side: document.querySelector('.side').getBoundingClientRect(), plots: document.querySelector('.plots').getBoundingClientRect() }));
    check('a phone has one column', seen.wide <= 390 && seen.plots.top >= seen.side.bottom && seen.plots.width > 340, JSON.stringify(seen));
    check('phone: no troubles', troubles.length === 0, troubles.join('; '));
    await page.close();
}

// A model that begins with nothing and one whose rows lack coordinates.
async function bare() {
    const path = place('bare.html');
    livens('run', 'kepler', '--until', '0', '--report', path, '--quiet');
    const start = await open(browser, path);
    check('a run without steps has a page', start.troubles.length === 0, start.troubles.join('; '));
    await start.page.close();
    livens('run', 'kepler', '--until', '2', '-o', place('bare.h5'), '--channels', 'E', '--quiet');
    livens('report', place('bare.h5'), '-o', path);
    const { page, troubles } = await open(browser, path);
    check('a file without coordinates has a page without picture', (await page.locator('.stage').textContent()).includes('no picture') && troubles.length === 0, troubles.join('; '));
    await page.close();
}

const names = chosen.length ? chosen : JSON.parse(livens('list', 'models', '--json')).models.map((model) => model.name);
const queue = [...names];
await Promise.all([0, 1].map(async () => {
    while (queue.length) {
        const name = queue.shift();
        await shipped(name).catch((error) => check(name, false, error.message));
    }
}));
for (const suite of chosen.length ? [] : [evilTexts, controls, withoutWebGl, plays, several, small, bare, certified, ensemble, studied]) await suite().catch((error) => check(suite.name, false, error.message));
await browser.close();
console.log(`${counts.passed} checks passed, ${counts.failed} failed, ${names.length} models`);
process.exit(counts.failed ? 1 : 0);
