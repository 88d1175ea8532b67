// A page about runs.

import { certificate } from './certificate.js';
import { Clock, linkTime } from './clock.js';
import { beginTheme } from './colours.js';
import { readRun, span } from './data.js';
import { el } from './dom.js';
import { footer, header } from './header.js';
import { keyboard } from './keyboard.js';
import { model, warnings } from './model.js';
import { Motion } from './motion.js';
import { panels, runName } from './panels.js';
import { Board } from './plots.js';

async function begin() {
    const page = JSON.parse(document.getElementById('livens-data').textContent);
    const runs = [];
    for (const json of page.runs) runs.push(await readRun(json));
    beginTheme();
    document.title = `${runs[0].title} – livens`;
    const clock = new Clock(...span(runs)), board = new Board(clock), motion = new Motion(runs, clock);
    const plots = el('div', { class: 'plots' });
    document.body.replaceChildren(header(page, runs), el('main', {}, el('div', { class: 'side' }, motion.element, runs.length > 1 ? runList(runs) : null), plots), footer(page));
    board.watch(plots);
    plots.append(...[warnings(runs), ...panels(runs, clock, board).elements, certificate(runs), model(runs)].filter(Boolean));
    board.plots.forEach((plot) => plot.resize());
    keyboard(clock, () => runs[0].frames.times.length || runs[0].watch.times.length);
    if (!linkTime(clock) && clock.begins()) clock.play(true);
    window.livens = { clock, motion, board, runs };
    document.documentElement.dataset.ready = '1';
}

const runList = (runs) => el('p', { class: 'hint' }, `${runs.map(runName).join(' · ')}. The first is drawn in full, the others as ghosts.`);

begin().catch((error) => {
    document.body.append(el('p', { class: 'empty' }, `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`));
    throw error;
});
