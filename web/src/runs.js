// A page about runs: their motion, what they kept, their columns.

import { certificate, convergence, findingName } from './certificate.js';
import { Clock, linkTime } from './clock.js';
import { allColumns, readRun, span } from './data.js';
import { el } from './dom.js';
import { plural, short } from './format.js';
import { csvLines, factList, footer, header, modelFact, schemeName } from './header.js';
import { keyboard } from './keyboard.js';
import { model, warnings } from './model.js';
import { Motion } from './motion.js';
import { panels, runName } from './panels.js';
import { Board } from './plots.js';

const number = (x) => (Number.isFinite(x) ? String(Number(x.toPrecision(6))) : '');

function csv(run) {
    const columns = allColumns(run).filter(({ table }) => table.times.length === run.columns.times.length || !run.columns.times.length);
    const times = columns[0]?.table.times ?? run.watch.times;
    return csvLines([['t', ...columns.map(({ column }) => column.name)], ...Array.from(times, (t, k) => [t, ...columns.map(({ column }) => number(column.values[k]))])]);
}

function json(run) {
    const { watch, columns, frames, ...facts } = run;
    const table = (t) => ({ every: t.every, t: Array.from(t.times), columns: Object.fromEntries(t.columns.map((c) => [c.what === 'change' ? `change of ${c.name}` : c.name, Array.from(c.values, (x) => (Number.isFinite(x) ? Number(x.toPrecision(6)) : null))])) });
    return JSON.stringify({ ...facts, watch: table(watch), columns: table(columns) }, null, 1);
}

const plurals = { body: 'bodies' };

// Bodies, coordinates that belong to none, constraints that keep none rigid.
function sizes({ bodies, coordinates, constraints }) {
    const list = [[bodies, 'body'], [coordinates, 'coordinate'], [constraints, 'constraint']].filter(([count]) => count > 0);
    return list.map(([count, word]) => plural(count, word, plurals[word])).join(', ');
}

function facts(run) {
    const reached = run.time < run.until * (1 - 1e-12) ? `${short(run.time, 6)} of ${short(run.until, 6)}` : short(run.time, 6);
    return [
        ['scheme', schemeName(run), run.scheme_summary],
        ['order', String(run.order)],
        ['step', short(run.step, 6)],
        ['time', `t = ${reached}, ${plural(run.steps, 'step')}`],
        ['size', sizes(run)],
        ['Newton', `${short(run.newton.mean, 3)} per step, at most ${run.newton.max}`],
        ...(run.settings ? [['set', run.settings.trim().split('\n').join(', '), 'parameters that are not as the model says']] : []),
        modelFact(run),
    ];
}

function badges(run) {
    // Momentum maps that are kept are one badge.
    const judged = run.certificate.filter((row) => ['kept', 'broken'].includes(row.verdict));
    const isMap = (row) => row.verdict === 'kept' && row.property === 'momentum';
    const maps = judged.filter(isMap), rest = maps.length > 2 ? judged.filter((row) => !isMap(row)) : judged;
    const isFirst = (row) => ['order', 'symplecticity', 'reversibility', 'energy'].includes(row.property);
    const badge = (row) => el('li', { class: `badge ${row.verdict}`, title: `promised ${row.promise}, measured ${short(row.measured, 2)}` }, `${row.verdict === 'kept' ? '✓' : '✗'} ${row.label ?? findingName(row)}`);
    const joined = maps.length > 2 ? [badge({ ...maps[0], label: `${maps.length} momentum maps`, measured: Math.max(...maps.map((row) => row.measured)) })] : [];
    return judged.length ? el('ul', { class: 'badges', 'aria-label': 'what was kept' }, rest.filter(isFirst).map(badge), joined, rest.filter((row) => !isFirst(row)).map(badge)) : null;
}

const runList = (runs) => el('p', { class: 'hint' }, `${runs.map(runName).join(' · ')}. The first is drawn in full, the others as ghosts.`);

// What several runs are, and what can be taken from the first.
export function runsHeader(page, runs) {
    const [run] = runs, lists = runs.map((r, k) => factList(runs.length > 1 ? [['run', String(k + 1)], ...facts(r)] : facts(r)));
    return header(page, run, runs.map((r) => r.command), [['CSV', 'csv', 'text/csv', () => csv(run)], ['JSON', 'json', 'application/json', () => json(run)]], lists, badges(run));
}

export const runsFooter = (page) => footer(page, 'Space plays, arrows move the time, drag in a plot to scrub, shift-drag to zoom.');

export async function runsPage(page) {
    const runs = [];
    for (const json of page.runs) runs.push(await readRun(json));
    document.title = `${runs[0].title} – livens`;
    const clock = new Clock(...span(runs)), board = new Board(clock), motion = new Motion(runs, clock), plots = el('div', { class: 'plots' });
    document.body.replaceChildren(runsHeader(page, runs), el('main', {}, el('div', { class: 'side' }, motion.element, runs.length > 1 ? runList(runs) : null), plots), runsFooter(page));
    board.watch(plots);
    // A certificate is what its page is about.
    const certified = runs.some((run) => run.convergence), proof = [certificate(runs), ...runs.map(convergence)], { elements } = panels(runs, clock, board);
    plots.append(...[warnings(runs), ...(certified ? [...proof, ...elements] : [...elements, ...proof]), model(runs)].filter(Boolean));
    board.plots.forEach((plot) => plot.resize());
    keyboard(clock, () => runs[0].frames.times.length || runs[0].watch.times.length);
    if (!linkTime(clock) && clock.begins()) clock.play(true);
    return { clock, motion, board, runs };
}
