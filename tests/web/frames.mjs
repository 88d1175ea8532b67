// How smoothly a page plays: frames in a second and processor time of a frame, in headless Chromium. No test: its numbers are
// those of a machine. WebGL2 is drawn by software there (SwiftShader), so that the picture itself costs more than elsewhere;
// `script` is what the page does on its own before that.
//
//     node frames.mjs SOURCES PAGE.html [SECONDS]

import { resolve } from 'node:path';
import { launch, open } from './browser.mjs';

const [root, path, seconds = '4'] = process.argv.slice(2);
const browser = await launch(resolve(root));
const sizes = [['1280 x 900', 1280, 900], ['390 x 844', 390, 844]];

// Plays for some time: moments of frames, and how long the page's own functions took in each.
const play = async (time) => {
    const { clock, motion } = window.livens, frames = [], renders = [], glTimes = [];
    const { render } = motion, inner = motion.renderer.render;
    motion.renderer.render = function (...words) {
        const began = performance.now();
        inner.apply(this, words);
        glTimes.push(performance.now() - began);
    };
    motion.render = function () {
        const began = performance.now();
        render.call(this);
        renders.push(performance.now() - began);
    };
    clock.set(clock.begin + 0.3 * (clock.end - clock.begin));
    clock.speed = (0.5 * (clock.end - clock.begin)) / time;
    clock.play(true);
    const end = performance.now() + 1000 * time;
    await new Promise((done) => {
        const tick = (now) => {
            frames.push(now);
            if (performance.now() < end) requestAnimationFrame(tick);
            else done();
        };
        requestAnimationFrame(tick);
    });
    clock.play(false);
    motion.render = render;
    motion.renderer.render = inner;
    return { frames, renders, glTimes };
};

const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);
const worst = (list) => [...list].sort((a, b) => a - b)[Math.floor(0.95 * (list.length - 1))] ?? NaN;

// What this machine has to give just now.
const blank = await browser.newPage();
const most = await blank.evaluate(() => new Promise((done) => {
    const from = performance.now();
    let count = 0;
    const tick = (now) => (count++, now - from < 2000 ? requestAnimationFrame(tick) : done((1000 * count) / (now - from)));
    requestAnimationFrame(tick);
}));
console.log(`a blank page: ${most.toFixed(1)} frames/s`);
await blank.close();

for (const [name, width, height] of sizes) {
    const { page, troubles } = await open(browser, resolve(path), { width, height });
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable');
    const scripts = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value])).ScriptDuration;
    const before = await scripts(), { frames, renders, glTimes } = await page.evaluate(play, Number(seconds)), script = (await scripts()) - before;
    const gaps = frames.slice(1).map((t, k) => t - frames[k]);
    console.log(`${name}: ${(1000 / mean(gaps)).toFixed(1)} frames/s, the slowest twentieth below ${(1000 / worst(gaps)).toFixed(1)}; script ${((1000 * script) / frames.length).toFixed(2)} ms a frame, ` +
        `of it the picture ${mean(renders).toFixed(2)} ms (95 %: ${worst(renders).toFixed(2)}), of that WebGL calls ${mean(glTimes).toFixed(2)} ms${troubles.length ? `; ${troubles.join('; ')}` : ''}`);
    await page.close();
}
await browser.close();
