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
    await page.waitForSelector('html[data-ready]', { timeout: 20000 }).catch(() => troubles.push('the page was not ready'));
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
