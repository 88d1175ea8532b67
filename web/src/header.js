// What the page is about, and what can be taken from it.

import { isDark, setTheme } from './colours.js';
import { allColumns } from './data.js';
import { button, copy, download, el } from './dom.js';
import { findingName } from './certificate.js';
import { plural, short } from './format.js';

const number = (x) => (Number.isFinite(x) ? String(Number(x.toPrecision(6))) : '');
const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function csv(run) {
    const columns = allColumns(run).filter(({ table }) => table.times.length === run.columns.times.length || !run.columns.times.length);
    const times = columns[0]?.table.times ?? run.watch.times;
    const lines = [['t', ...columns.map(({ column }) => quoted(column.name))].join(',')];
    times.forEach((t, k) => lines.push([t, ...columns.map(({ column }) => number(column.values[k]))].join(',')));
    return lines.join('\n') + '\n';
}

function json(run) {
    const { watch, columns, frames, ...facts } = run;
    const table = (t) => ({ every: t.every, t: Array.from(t.times), columns: Object.fromEntries(t.columns.map((c) => [c.what === 'change' ? `change of ${c.name}` : c.name, Array.from(c.values, (x) => (Number.isFinite(x) ? Number(x.toPrecision(6)) : null))])) });
    return JSON.stringify({ ...facts, watch: table(watch), columns: table(columns) }, null, 1);
}

const stem = (run) => run.file.replace(/\.toml$/, '') || 'run';
const clean = (name) => name.replace(/[^\w.-]+/g, '_');

const plurals = { body: 'bodies' };

// Bodies, coordinates that belong to none, constraints that keep none rigid.
function sizes({ bodies, coordinates, constraints }) {
    const list = [[bodies, 'body'], [coordinates, 'coordinate'], [constraints, 'constraint']].filter(([count]) => count > 0);
    return list.map(([count, word]) => plural(count, word, plurals[word])).join(', ');
}

function facts(run) {
    const options = Object.entries(run.options).filter(([, value]) => value !== '0' && value !== 'false').map(([key, value]) => `${key} ${value}`).join(', ');
    const reached = run.time < run.until * (1 - 1e-12) ? `${short(run.time, 6)} of ${short(run.until, 6)}` : short(run.time, 6);
    return [
        ['scheme', options ? `${run.scheme} (${options})` : run.scheme, run.scheme_summary],
        ['order', String(run.order)],
        ['step', short(run.step, 6)],
        ['time', `t = ${reached}, ${plural(run.steps, 'step')}`],
        ['size', sizes(run)],
        ['Newton', `${short(run.newton.mean, 3)} per step, at most ${run.newton.max}`],
        ['model', `${run.file} · ${run.sha256.slice(0, 12)}`, `SHA-256 of the model: ${run.sha256}`],
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

export function header(page, runs) {
    const [run] = runs;
    const theme = button('◐', () => setTheme(isDark() ? 'light' : 'dark'), { 'aria-label': 'light or dark', title: 'light or dark' });
    const actions = el('div', { class: 'actions' },
        button('Copy command', () => copy(runs.map((r) => r.command).join('\n'), 'command')),
        button('Copy BibTeX', () => copy(page.bibtex, 'BibTeX')),
        button('CSV', () => download(`${clean(stem(run))}.csv`, csv(run), 'text/csv'), { title: 'download the columns of this page' }),
        button('JSON', () => download(`${clean(stem(run))}.json`, json(run), 'application/json'), { title: 'download what this page knows' }),
        button('Model', () => download(`${clean(stem(run))}.toml`, run.model, 'application/toml'), { title: 'download the model' }), theme);
    const list = (r, k) => el('dl', { class: 'facts' }, runs.length > 1 ? el('div', {}, el('dt', {}, 'run'), el('dd', {}, String(k + 1))) : null,
        facts(r).map(([name, value, title]) => el('div', { title }, el('dt', {}, name), el('dd', {}, value))));
    return el('header', { class: 'top' },
        el('div', { class: 'headline' }, el('div', {}, el('h1', {}, run.title), run.description ? el('p', { class: 'lead' }, run.description) : null), actions),
        runs.map(list), badges(run));
}

export function footer(page) {
    return el('footer', {}, `livens ${page.version} wrote this page; it needs no network. Space plays, arrows move the time, drag in a plot to scrub, shift-drag to zoom.`);
}
