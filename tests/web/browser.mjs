// A headless Chromium, and checks that are counted.

import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

async function exists(path) {
    try {
        await access(path);
        return true;
    } catch {
        return false;
    }
}

// Ends the program with 77, which ctest reads as skipped; in CI nothing may be missing.
function skip(reason) {
    console.log(`skipped: ${reason}`);
    process.exit(process.env.CI ? 1 : 77);
}

export async function launch(root) {
    let chromium;
    try {
        chromium = createRequire(join(root, 'web/package.json'))('playwright-core').chromium;
    } catch {
        skip('web/node_modules is missing: run npm ci in web');
    }
    for (const executablePath of [process.env.LIVENS_CHROMIUM, ...places])
        if (executablePath && (await exists(executablePath)))
            return chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });
    return skip('there is no Chromium: apt-get install chromium-headless-shell');
}

export const counts = { passed: 0, failed: 0 };

export function check(name, condition, detail = '') {
    counts[condition ? 'passed' : 'failed']++;
    if (!condition) console.log(`FAILED ${name}${detail === '' ? '' : `: ${detail}`}`);
}

// A page that has been opened; complains of errors and of any request but that for the file itself.
export async function open(browser, path, { hash = '', query = '', width = 1280, height = 900, reducedMotion = 'reduce', colorScheme = 'light' } = {}) {
    const page = await browser.newPage({ viewport: { width, height }, reducedMotion, colorScheme });
    const troubles = [];
    page.on('console', (message) => message.type() === 'error' && troubles.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
    page.on('request', (request) => {
        if (!request.url().startsWith(`file://${path}`) && !/^(data|blob):/.test(request.url())) troubles.push(`request: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
        troubles.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    await page.goto(`file://${path}${query}${hash}`);
    // Asked by the clock: a page that is not drawn gets no frames, and is ready all the same.
    const ready = () => page.evaluate(() => !!document.documentElement.dataset.ready);
    for (let k = 0; k < 400 && !(await ready()); k++) await new Promise((done) => setTimeout(done, 50));
    if (!(await ready())) troubles.push('the page was not ready');
    return { page, troubles };
}

// Waits until the picture of a time has been drawn.
export async function showTime(page, share) {
    await page.evaluate(async (s) => {
        const { clock, motion } = window.livens, before = motion.frameCount ?? 0;
        clock.play(false);
        clock.set(clock.begin + s * (clock.end - clock.begin));
        for (let k = 0; k < 200 && motion.main && (motion.frameCount ?? 0) === before; k++) await new Promise((done) => requestAnimationFrame(done));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }, share);
}

// Pixels of the picture: how many differ from those of the last call, and how many colours there are.
export const look = () => {
    const { canvas } = window.livens.motion, copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const c = copy.getContext('2d', { willReadFrequently: true });
    c.drawImage(canvas, 0, 0);
    const now = new Uint32Array(c.getImageData(0, 0, copy.width, copy.height).data.buffer), before = window.lastLook;
    window.lastLook = now;
    let changed = 0;
    for (let k = 0; before && k < now.length; k++) changed += now[k] !== before[k];
    return { changed, colours: new Set(now).size };
};

// Of each plot, how many pixels lines have.
export const ink = () => window.livens.board.plots.map(({ plot }) => {
    const canvas = plot.ctx.canvas, { data } = plot.ctx.getImageData(0, 0, canvas.width, canvas.height);
    let strong = 0; // lines, not the pale rules behind them
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 60 && Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) strong++;
    return strong;
});

// The policy of pages forbids what waitForFunction does.
export async function until(page, condition, name) {
    for (let k = 0; k < 60 && !(await page.evaluate(condition)); k++) await page.waitForTimeout(50);
    check(name, await page.evaluate(condition));
}
