// The lab in a real browser: it runs models, says what is wrong where, follows sliders, schemes and steps, measures
// certificates, can be stopped; all shipped models run in it.
//
//     node lab.mjs LAB.html SOURCES

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { check, counts, ink, launch, look, open, showTime, until } from './browser.mjs';

const [path, root] = process.argv.slice(2).map((word) => resolve(word));
const browser = await launch(root);

// Does something that makes the lab run, and waits for that.
async function rerun(page, action, name, milliseconds = 10000) {
    const runs = () => page.evaluate(() => Number(document.documentElement.dataset.runs ?? 0)), before = action ? await runs() : 0;
    await action?.();
    const begin = Date.now();
    while ((await runs()) <= before && Date.now() - begin < milliseconds) await page.waitForTimeout(20);
    check(`${name}: the lab runs`, (await runs()) > before, await page.evaluate(() => document.querySelector('.state').textContent));
}

async function start(options, name) {
    const { page, troubles } = await open(browser, path, options);
    await rerun(page, null, name);
    return { page, troubles, end: async () => {
        check(`${name}: no troubles`, troubles.length === 0, troubles.join('; '));
        await page.close();
    } };
}

const lastOf = (name) => window.livens.run.columns.find(name).values.at(-1);

async function runs() {
    const { page, end } = await start({ hash: '#double-pendulum' }, 'runs');
    // Its file has the numbers of the motion, which other programs have computed.
    const [found, exact] = [await page.evaluate(lastOf, 'a[1]'), -0.2638540545115];
    check('a run has the right numbers', Math.abs(found - exact) < 1e-6, found);
    await showTime(page, 0.1);
    check('there is a picture', (await page.evaluate(look)).colours > 40);
    await showTime(page, 0.8);
    check('it moves', (await page.evaluate(look)).changed > 60);
    check('plots have ink', (await page.evaluate(ink)).every((n) => n > 80), await page.evaluate(ink));
    check('there is a certificate', (await page.locator('#certificate tr.kept').count()) === 2);
    check('nothing is wider than the window', (await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    await rerun(page, () => page.locator('.bar select').selectOption('kepler'), 'another model');
    check('another model is shown', (await page.evaluate(() => window.livens.run.file)) === 'kepler');
    check('its text is in the editor', (await page.locator('textarea').inputValue()) === readFileSync(`${root}/models/kepler.toml`, 'utf8'));
    await end();
}

async function mistakes() {
    const { page, end } = await start({ hash: '#kepler' }, 'mistakes');
    const text = await page.locator('textarea').inputValue(), lines = text.split('\n');
    const row = lines.findIndex((line) => line.startsWith('potential')), column = lines[row].indexOf('"') + 2;
    lines[row] = lines[row].replace(/"[^"]*"/, '"µ + nonsense*2"'); // characters count, not bytes
    await rerun(page, () => page.locator('textarea').fill(lines.join('\n')), 'a mistake');
    const seen = await page.evaluate(() => ({ message: document.querySelector('.message').innerText, number: document.querySelector('.numbers .wrong')?.textContent, mark: document.querySelector('.marks .wrong')?.textContent,
        stale: document.querySelector('.results').classList.contains('stale') }));
    check('the line of a mistake is marked', seen.number === String(row + 1), JSON.stringify(seen));
    check('it is said where it is', seen.message.startsWith(`line ${row + 1}, column ${column}`), seen.message);
    check('the mistake is underlined', seen.mark === 'µ' || seen.mark === 'nonsense', seen.mark);
    check('what is shown is pale', seen.stale);
    await page.locator('.place').click();
    check('who asks is led there', await page.evaluate(() => {
        const area = document.querySelector('textarea');
        return document.activeElement === area && area.value.slice(area.selectionStart, area.selectionEnd) === document.querySelector('.marks .wrong').textContent;
    }));
    await rerun(page, () => page.locator('textarea').fill(text), 'the mistake is gone');
    check('nothing is marked then', (await page.locator('.wrong').count()) === 0 && !(await page.locator('.message').isVisible()));
    await rerun(page, () => page.locator('textarea').fill('[coordinates'), 'no model at all');
    check('text that is no model is said to be none', (await page.locator('.message').innerText()).startsWith('line 1'));
    // What was edited is still there after another model was looked at, and can be taken back.
    await rerun(page, () => page.locator('.bar select').selectOption('pendulum3d'), 'another one');
    await rerun(page, () => page.locator('.bar select').selectOption('kepler'), 'back again');
    check('what was edited is kept', (await page.locator('textarea').inputValue()) === '[coordinates');
    await rerun(page, () => page.getByRole('button', { name: 'original' }).click(), 'the original');
    check('the original comes back', (await page.locator('textarea').inputValue()) === text && (await page.evaluate(() => window.livens.run.file)) === 'kepler');
    await rerun(page, () => page.locator('input[type=file]').setInputFiles({ name: 'mine.toml', mimeType: 'text/plain', buffer: Buffer.from(text) }), 'a file');
    check('a model from a file runs', (await page.evaluate(() => window.livens.run.file)) === 'mine.toml');
    await end();
}

const moveSlider = ([name, value]) => {
    const slider = window.livens.controls.sliders.get(name).range;
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
};

async function follows() {
    const { page, end } = await start({ hash: '#pendulum3d' }, 'follows');
    await until(page, () => document.documentElement.dataset.checks !== undefined, 'what schemes take the model is asked');
    const names = await page.evaluate(() => [...window.livens.controls.sliders.keys()]), name = names[0];
    const before = await page.evaluate(() => window.livens.run.energy.initial);
    await rerun(page, () => page.evaluate(moveSlider, [name, 0.5]), 'a slider');
    const after = await page.evaluate(() => ({ energy: window.livens.run.energy.initial, command: window.livens.run.command }));
    check('a run follows a slider', after.energy !== before && after.command.includes(`--set ${name}=0.5`), JSON.stringify(after));
    await rerun(page, () => page.locator('.slider.set button').click(), 'a slider goes back');
    check('as the model says', (await page.evaluate(() => window.livens.run.energy.initial)) === before);
    await rerun(page, () => page.locator('#controls select').selectOption('vi-a'), 'another scheme');
    check('another scheme is taken', (await page.evaluate(() => window.livens.run.scheme)) === 'vi-a');
    await page.getByRole('button', { name: 'pin' }).click();
    const steps = await page.evaluate(() => window.livens.run.steps);
    await rerun(page, () => page.getByTitle('half the step').click(), 'half the step');
    check('half the step, twice the steps', (await page.evaluate(() => window.livens.run.steps)) === 2 * steps);
    const beside = await page.evaluate(() => [window.livens.motion.scenes.length, [...document.querySelectorAll('.legend .name')].filter((x) => /^E \([12]\)$/.test(x.textContent)).length > 1]);
    check('a run that was pinned is a ghost, and in the plots', beside[0] === 2 && beside[1], beside);
    await page.getByRole('button', { name: 'pin' }).click();
    check('it leaves', (await page.evaluate(() => window.livens.motion.scenes.length)) === 1);
    const refused = await page.evaluate(() => [...document.querySelectorAll('#controls option:disabled')].map((o) => [o.value, o.title]));
    check('schemes that do not take the model say why', refused.length > 0 && refused.every(([, why]) => why.length > 10), JSON.stringify(refused));
    await rerun(page, () => page.getByPlaceholder('options').fill('--stages 99').then(() => page.getByPlaceholder('options').press('Tab')), 'a wrong option');
    check('a wrong option is refused with a reason', (await page.locator('.message').innerText()).includes('stages'), await page.locator('.message').innerText());
    await rerun(page, () => page.getByRole('button', { name: 'reset all' }).click(), 'all as the model says');
    await page.locator('#verify').click();
    await until(page, () => !document.querySelector('#certificate tr.open'), 'a certificate is measured');
    const findings = await page.locator('#certificate').innerText();
    check('its promises are kept', (await page.locator('#certificate tr.broken').count()) === 0 && /symplectic\t.*✓ kept/.test(findings) && /order\t2\t2\.0/.test(findings), findings);
    await end();
}

// A run without end can be stopped, or is given up for a newer one.
async function stops() {
    const { page, end } = await start({ hash: '#kepler' }, 'stops');
    const endless = () => page.evaluate(() => {
        const { input } = window.livens.controls.until;
        input.value = '1e7';
        input.dispatchEvent(new Event('change'));
    });
    await endless();
    await page.getByRole('button', { name: 'stop' }).click();
    check('a run can be stopped', (await page.locator('.state').innerText()) === 'stopped');
    await endless();
    await page.waitForTimeout(400);
    await rerun(page, () => page.getByRole('button', { name: 'reset all' }).click(), 'a newer run');
    check('a newer run takes its place', (await page.evaluate(() => window.livens.run.until)) < 1e3);
    await end();
}

const evil = `</script><script>window.hacked = 1</script> "'&<!-- <img src=x onerror="window.hacked = 1">`;

async function evilTexts() {
    const { page, end } = await start({ hash: '#kepler' }, 'evil texts');
    const text = `# ${evil}\nname = '''${evil}'''\n[parameters]\nm = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = "m*x'^2/2"\npotential = "x^2/2"\n[run]\nscheme = "rattle"\nstep = 0.1\nuntil = 3\n`;
    await rerun(page, () => page.locator('textarea').fill(text), 'evil texts');
    await rerun(page, () => page.locator('textarea').fill(text.replace('x^2/2', `'${evil.replaceAll('"', '\\"')}'`)), 'evil formulas');
    const seen = await page.evaluate(() => ({ h1: document.querySelector('h1').textContent, hacked: window.hacked, images: document.images.length, paint: document.querySelector('.layer.model').textContent }));
    check('evil texts are shown as texts, and do nothing', seen.h1 === evil && seen.hacked === undefined && seen.images === 0 && seen.paint.includes(evil.slice(0, 30)), JSON.stringify(seen));
    await end();
}

async function small() {
    const { page, end } = await start({ hash: '#four-particles', width: 390, height: 844 }, 'phone');
    const seen = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, side: document.querySelector('.side').getBoundingClientRect(), plots: document.querySelector('.plots').getBoundingClientRect() }));
    check('a phone has one column', seen.wide <= 390 && seen.plots.top >= seen.side.bottom && seen.plots.width > 340, JSON.stringify(seen));
    await end();
}

// Every shipped model, for a few steps; half of them in each of two pages.
async function shipped(part) {
    const { page, end } = await start({ hash: '#kepler' }, 'shipped');
    const names = (await page.evaluate(() => Object.keys(window.livens.models))).filter((_, k) => k % 2 === part);
    for (const name of names) {
        await rerun(page, () => page.evaluate((chosen) => {
            const lab = window.livens, step = /^step *= *([-+.\deE]+)/m.exec(lab.models[chosen]);
            lab.choose(chosen);
            if (step) lab.controls.until.input.value = 5 * Number(step[1]);
        }, name), name);
        const seen = await page.evaluate(() => ({ message: document.querySelector('.message').innerText, file: window.livens.run.file, steps: window.livens.run.steps, failure: window.livens.run.failure, picture: !!window.livens.motion.main }));
        check(`${name} runs in the lab`, seen.message === '' && seen.file === name && seen.steps > 0 && !seen.failure && seen.picture, JSON.stringify(seen));
    }
    await end();
    return names.length;
}

check('the lab is below 700 kB', statSync(path).size < 700000, statSync(path).size);
const models = await Promise.all([shipped(0), shipped(1)]);
check('there are models', models[0] + models[1] > 40, models);
for (const suite of [runs, mistakes, follows, stops, evilTexts, small]) await suite().catch((error) => check(suite.name, false, error.message));
await browser.close();
console.log(`${counts.passed} checks passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
