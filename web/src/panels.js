// The plots of a page.

import { allColumns } from './data.js';
import { button, el } from './dom.js';
import { short } from './format.js';
import { Phase } from './phase.js';
import { TimePlot } from './plots.js';

const names = { E: 'E', 'g.max': 'g', 'gdot.max': 'dg/dt', 'nonholonomic.max': 'Φ', legendre: 'p − Mv' };

const runName = (run, k) => `${k + 1}: ${run.scheme}, h = ${short(run.step, 4)}`;

// Series of some columns of the watch, of all runs: a single run has a colour for every column, several have one for every run.
function watched(runs, wanted) {
    const series = [];
    runs.forEach((run, k) =>
        run.watch.columns.filter(wanted).forEach((column, i) => {
            const name = names[column.name] ?? column.name;
            series.push({ label: runs.length > 1 ? `${name} (${k + 1})` : name, times: run.watch.times, values: column.values, least: column.least, most: column.most,
                paint: runs.length > 1 ? k : i, line: i, steps: column.channel === 'newton' });
        }));
    return series;
}

function thinned(runs) {
    const every = Math.max(...runs.map((run) => run.watch.every));
    return every > 1 ? `1 of ${every} rows, and the range of those between.` : null;
}

function watchPlots(runs, clock, board) {
    const list = [], note = thinned(runs);
    const largest = (key) => Math.max(0, ...runs.map((run) => run.rounding[key] ?? 0));
    const plot = (title, wanted, options = {}) => {
        const series = watched(runs, wanted);
        if (series.length) list.push(new TimePlot({ title, series, note, ...options }, clock, board).element);
    };
    plot('Energy', (c) => c.channel === 'energy' && c.what === 'value', { label: true });
    const log = (key) => ({ log: true, rounding: largest(key) });
    plot(runs.some((run) => run.watch.find('balance')) ? 'Change of the energy, and balance of energy and work' : 'Error of the energy',
        (c) => (c.channel === 'energy' && c.what === 'change') || c.channel === 'balance' || c.channel === 'invariant', log('energy'));
    plot('Errors of momentum maps', (c) => c.channel === 'momentum', log('momentum'));
    plot('Residuals of constraints', (c) => (c.channel === 'constraints' || c.channel === 'legendre') && hasResidual(runs, c.name), log('position'));
    plot('Newton iterations', (c) => c.channel === 'newton', { height: 120, label: true });
    return list;
}

// Without constraints there is nothing to show.
const hasResidual = (runs, name) => runs.some((run) => run.constraints > 0 && run.watch.find(name)?.values.some((x) => x > 0));

// Columns by choice, in one plot.
class Chosen {
    constructor(runs, clock, board, first) {
        Object.assign(this, { runs, clock, board, chosen: new Set(first) });
        this.columns = allColumns(runs[0]);
        this.place = el('div');
        this.filter = el('input', { type: 'search', placeholder: 'filter columns', 'aria-label': 'filter columns', oninput: () => this.list() });
        this.choices = el('div', { class: 'choices' });
        this.element = el('section', { class: 'card', id: 'columns' }, el('figcaption', {}, el('h3', {}, 'Columns'), this.filter), this.choices, this.place);
        this.list();
        this.draw();
    }

    list() {
        const word = this.filter.value.trim().toLowerCase(), most = 120;
        const found = this.columns.filter(({ column }) => column.name.toLowerCase().includes(word));
        this.choices.replaceChildren(...found.slice(0, most).map(({ column }) => button(column.name, () => this.toggle(column.name), { class: 'choice', 'aria-pressed': String(this.chosen.has(column.name)) })),
            ...(found.length > most ? [el('span', { class: 'hint' }, `and ${found.length - most} more: filter them`)] : []));
    }

    toggle(name) {
        if (!this.chosen.delete(name)) this.chosen.add(name);
        this.list();
        this.draw();
    }

    draw() {
        if (this.plot) this.board.remove(this.plot);
        this.plot = null;
        const series = [];
        [...this.chosen].forEach((name, i) =>
            this.runs.forEach((run, k) => {
                const found = allColumns(run).find(({ column }) => column.name === name);
                if (!found) return;
                series.push({ label: this.runs.length > 1 ? `${name} (${k + 1})` : name, times: found.table.times, values: found.column.values,
                    paint: this.runs.length > 1 ? k : i, line: this.runs.length > 1 ? i : Math.floor(i / 7) });
            }));
        if (!series.length) return;
        const every = Math.max(...this.runs.map((run) => run.columns.every));
        this.plot = new TimePlot({ title: '', note: every > 1 ? `1 of ${every} rows.` : null, series, label: true, height: 220 }, this.clock, this.board);
        this.plot.element.className = 'bare-plot';
        this.place.replaceChildren(this.plot.element);
        this.plot.resize();
    }
}

// The first columns to show: outputs if there are any, else coordinates.
function firstColumns(run) {
    for (const channel of ['outputs', 'q', 'bodies']) {
        const found = run.columns.columns.filter((c) => c.channel === channel);
        if (found.length) return found.slice(0, 3).map((c) => c.name);
    }
    return [];
}

// axes: names of columns, horizontal and vertical, if there are such.
function phasePortrait(run, clock, axes) {
    const has = (channel) => run.columns.columns.filter((c) => c.channel === channel);
    const q = has('q'), v = has('v'), bodies = has('bodies');
    const pair = q.length ? [q[0].name, v[0]?.name ?? q[1]?.name] : [bodies[0]?.name, bodies[1]?.name];
    const [x, y] = axes?.every((name) => allColumns(run).some(({ column }) => column.name === name)) ? axes : pair;
    return run.columns.columns.length > 1 ? new Phase(run, clock, x, y) : null;
}

function leftOut(runs) {
    const count = Math.max(...runs.map((run) => run.left_out));
    return count > 0 ? el('p', { class: 'hint' }, `${count} columns had no room in this page; the result file has them.`) : null;
}

// All of them. kept: what was chosen before, {columns, axes}.
export function panels(runs, clock, board, kept = {}) {
    const plots = watchPlots(runs, clock, board), columns = kept.columns?.filter((name) => allColumns(runs[0]).some(({ column }) => column.name === name));
    const chosen = new Chosen(runs, clock, board, columns ?? firstColumns(runs[0])), phase = phasePortrait(runs[0], clock, kept.axes);
    return { chosen, phase, elements: [...plots, chosen.element, leftOut(runs), phase?.element].filter(Boolean) };
}

export { runName };
