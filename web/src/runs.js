// A page about runs: their motion, what they kept, their columns.

import { certificate, convergence, findingName } from './certificate.js';
import { Clock, linkTime } from './clock.js';
import { allColumns, readRun } from './data.js';
import { el } from './dom.js';
import { plural, short } from './format.js';
import { csvLines, factList, footer, header, modelFact, schemeName } from './header.js';
import { keyboard } from './keyboard.js';
import { model, warnings } from './model.js';
import { Motion } from './motion.js';
import { Chosen, firstColumns, phasePortrait, runName, watchPlots } from './panels.js';
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

function leftOut(runs) {
    const count = Math.max(...runs.map((run) => run.left_out));
    return count > 0 ? el('p', { class: 'hint' }, `${count} columns had no room in this page; the result file has them.`) : null;
}

const runList = (runs) => el('p', { class: 'hint' }, `${runs.map(runName).join(' · ')}. The first is drawn in full, the others as ghosts.`);

export async function runsPage(page) {
    const runs = [];
    for (const json of page.runs) runs.push(await readRun(json));
    const [run] = runs;
    document.title = `${run.title} – livens`;
    const begins = Math.min(...runs.map((r) => r.watch.times[0] ?? 0)), ends = Math.max(...runs.map((r) => r.watch.times.at(-1) ?? 0));
    const clock = new Clock(begins, ends), board = new Board(clock), motion = new Motion(runs, clock);
    const plots = el('div', { class: 'plots' }), lists = runs.map((r, k) => factList(runs.length > 1 ? [['run', String(k + 1)], ...facts(r)] : facts(r)));
    const top = header(page, run, runs.map((r) => r.command), [['CSV', 'csv', 'text/csv', () => csv(run)], ['JSON', 'json', 'application/json', () => json(run)]], lists, badges(run));
    document.body.replaceChildren(top, el('main', {}, el('div', { class: 'side' }, motion.element, runs.length > 1 ? runList(runs) : null), plots),
        footer(page, 'Space plays, arrows move the time, drag in a plot to scrub, shift-drag to zoom.'));
    board.watch(plots);
    // A certificate is what its page is about.
    const certified = runs.some((r) => r.convergence), proof = [certificate(runs), ...runs.map(convergence)];
    plots.append(...[warnings(runs), ...(certified ? proof : []), ...watchPlots(runs, clock, board), new Chosen(runs, clock, board, firstColumns(run)).element, leftOut(runs),
        phasePortrait(run, clock), ...(certified ? [] : proof), model(runs)].filter(Boolean));
    board.plots.forEach((plot) => plot.resize());
    keyboard(clock, run.frames.times.length || run.watch.times.length);
    if (!linkTime(clock) && clock.begins()) clock.play(true);
    return { clock, motion, board, runs };
}
