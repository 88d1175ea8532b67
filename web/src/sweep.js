// A page about an ensemble: any column of its members over any other.

import { Chart } from './chart.js';
import { colour, isDark, onTheme, rgb, variable } from './colours.js';
import { readColumn } from './data.js';
import { button, copy, el } from './dom.js';
import { plural, short } from './format.js';
import { Frame, prepare } from './frame.js';
import { csvLines, factList, footer, header, modelFact, schemeName } from './header.js';
import { model } from './model.js';

const finite = (list) => Array.from(list).filter(Number.isFinite);

// Columns that say something: not all of one value.
const varies = ({ least, most }) => least !== null && most !== null && least < most;

function chooser(columns, chosen, label, onchange, none = null) {
    const select = el('select', { 'aria-label': label, onchange }), groups = new Map();
    if (none) select.append(el('option', { value: -1 }, none));
    columns.forEach((column, k) => {
        if (!groups.has(column.kind)) groups.set(column.kind, el('optgroup', { label: column.kind || 'member' }));
        groups.get(column.kind).append(el('option', { value: k, selected: k === chosen }, column.name));
    });
    select.append(...groups.values());
    return select;
}

// ---- scatter ---------------------------------------------------------------------------------------------

// From one colour to another, by the rank of a value.
function scaleColours(values) {
    const order = Array.from(values.keys()).filter((k) => Number.isFinite(values[k])).sort((a, b) => values[a] - values[b]), rank = new Map();
    order.forEach((k, i) => rank.set(k, order.length > 1 ? i / (order.length - 1) : 0.5));
    return (k) => {
        const s = rank.get(k);
        if (s === undefined) return variable('--faint-solid');
        const [a, b] = isDark() ? ['#3b82c4', '#ffd166'] : ['#08519c', '#e6a100'];
        return `rgb(${rgb(a).map((x, i) => Math.round(255 * (x + s * (rgb(b)[i] - x)))).join(',')})`;
    };
}

class Scatter {
    constructor(sweep, pick) {
        const { columns } = sweep, set = columns.findIndex((c) => c.kind === 'set' && varies(c)), others = columns.map((c, k) => k).filter((k) => columns[k].kind !== 'set' && varies(columns[k]) && columns[k].name !== 'member');
        const results = others.filter((k) => ['outputs', 'q', 'bodies'].includes(columns[k].kind)), member = columns.findIndex((c) => c.name === 'member');
        this.sweep = sweep;
        this.x = chooser(columns, set >= 0 ? set : member, 'horizontal column', () => this.update());
        this.y = chooser(columns, results.at(-1) ?? others[0] ?? 0, 'vertical column', () => this.update());
        this.z = chooser(columns, -2, 'colour', () => this.update(), 'one colour');
        this.logs = ['x', 'y'].map((axis) => {
            const toggle = button(`log ${axis}`, () => {
                toggle.setAttribute('aria-pressed', String(toggle.getAttribute('aria-pressed') !== 'true'));
                this.update();
            }, { class: 'choice', 'aria-pressed': 'false' });
            return toggle;
        });
        const controls = el('span', { class: 'choosers' }, this.y, 'over', this.x, 'coloured by', this.z, this.logs);
        this.chart = new Chart({ title: 'Members', id: 'scatter', controls, height: 420, x: {}, y: {}, pick: (s, k) => pick(k) });
        this.element = this.chart.element;
        this.element.append(el('p', { class: 'hint' }, `Every point is a member: click it.${sweep.failed > 0 ? ' Crosses are members that failed; their results are not known, so they stand on the edge.' : ''}${sweep.every > 1 ? ` 1 of ${sweep.every} members is drawn.` : ''}`));
        this.update();
    }

    update() {
        const { columns, rows } = this.sweep, at = (select) => columns[Number(select.value)], x = at(this.x), y = at(this.y), z = at(this.z);
        const status = columns.find((c) => c.name === 'status')?.values, many = rows > 3000;
        const log = this.logs.map((toggle) => toggle.getAttribute('aria-pressed') === 'true');
        this.chart.axes = [{ name: x.name, log: log[0] }, { name: y.name, log: log[1] }];
        this.chart.series = [{ label: y.name, x: x.values, y: y.values, paint: 0, radius: many ? 2 : 3.4, alpha: many ? 0.45 : 0.72, colourAt: z ? scaleColours(z.values) : undefined,
            failed: (k) => status?.[k] > 0, tip: (k) => [`member ${Math.round(columns[0].values[k])}`, `${x.name} = ${short(x.values[k], 5)}`, `${y.name} = ${short(y.values[k], 5)}`, ...(z ? [`${z.name} = ${short(z.values[k], 5)}`] : [])] }];
        this.chart.draw();
    }
}

// ---- histogram -------------------------------------------------------------------------------------------

class Histogram {
    constructor(sweep) {
        const { columns } = sweep, first = columns.findLastIndex((c) => varies(c) && c.kind !== 'set');
        this.sweep = sweep;
        this.select = chooser(columns, first < 0 ? 0 : first, 'column', () => this.draw());
        this.canvas = el('canvas', { class: 'phase', role: 'img', 'aria-label': 'histogram', style: 'height:240px' });
        this.numbers = el('p', { class: 'hint' });
        this.element = el('figure', { class: 'card', id: 'histogram' }, el('figcaption', {}, el('h3', {}, 'Histogram'), el('span', { class: 'choosers' }, this.select)), this.canvas, this.numbers);
        new ResizeObserver(() => this.draw()).observe(this.canvas);
        onTheme(() => this.draw());
    }

    draw() {
        const place = prepare(this.canvas), column = this.sweep.columns[Number(this.select.value)];
        if (!place) return;
        const values = finite(column.values).sort((a, b) => a - b), { c, width, height } = place;
        if (!values.length) {
            this.numbers.textContent = 'No member has a value.';
            return;
        }
        const low = values[0], high = values.at(-1), bins = high > low ? Math.max(8, Math.min(60, Math.ceil(1.6 * Math.sqrt(values.length)))) : 1, size = (high - low) / bins || Math.abs(low) || 1;
        const counts = new Array(bins).fill(0);
        for (const v of values) counts[Math.min(bins - 1, Math.floor((v - low) / size))]++;
        const pad = high > low ? 0 : size / 2;
        const frame = new Frame(width, height, [{ range: [low - pad, low - pad + bins * size], name: column.name }, { range: [0, 1.08 * Math.max(...counts)], name: 'members' }]);
        frame.draw(c);
        c.fillStyle = colour(0);
        counts.forEach((count, k) => {
            const left = frame.place(0, low - pad + k * size), right = frame.place(0, low - pad + (k + 1) * size), top = frame.place(1, count);
            if (count > 0) c.fillRect(left + 0.5, top, Math.max(1, right - left - 1), frame.place(1, 0) - top);
        });
        const mean = values.reduce((a, b) => a + b, 0) / values.length, deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, values.length - 1));
        const quantile = (s) => values[Math.round(s * (values.length - 1))];
        this.numbers.textContent = `${plural(values.length, 'member')}: mean ${short(mean, 5)}, standard deviation ${short(deviation, 3)}, median ${short(quantile(0.5), 5)}, ` +
            `5 % to 95 % from ${short(quantile(0.05), 4)} to ${short(quantile(0.95), 4)}.`;
    }
}

// ---- one member, and all of them -----------------------------------------------------------------------------

class Member {
    constructor(sweep) {
        this.sweep = sweep;
        this.element = el('section', { class: 'card', id: 'member' }, el('h3', {}, 'Member'), el('p', { class: 'hint' }, 'Click a point to see all its numbers, and the command that runs this member.'));
    }

    show(k) {
        const { columns, messages, command: ofSweep } = this.sweep, number = Math.round(columns[0].values[k]), message = messages.find(([of]) => of === number)?.[1];
        const set = columns.filter((c) => c.kind === 'set').map((c) => `--set ${c.name}=${c.values[k]}`), command = [ofSweep.replace('livens sweep', 'livens run'), ...set].join(' ');
        this.element.replaceChildren(el('h3', {}, `Member ${number}`), ...(message ? [el('p', { class: 'failed' }, message)] : []),
            el('p', { class: 'command' }, el('code', {}, command), button('Copy', () => copy(command, 'command'))),
            el('ul', { class: 'parameters' }, columns.slice(1).map((c) => el('li', { class: c.kind === 'set' ? 'set' : '' }, `${c.name} = ${short(c.values[k], 6)}`))));
    }
}

function ranges(sweep) {
    const head = ['column', 'least', 'mean', 'most'];
    const rows = sweep.columns.slice(1).filter((c) => c.least !== null).map((c) => el('tr', {}, el('th', { scope: 'row' }, c.name), [c.least, c.mean, c.most].map((x) => el('td', { class: 'number' }, short(x, 6)))));
    return el('section', { class: 'card', id: 'ranges' }, el('h3', {}, 'Columns'), el('p', { class: 'hint' }, 'Over all members that did not fail.'),
        el('div', { class: 'scroll tall' }, el('table', {}, el('thead', {}, el('tr', {}, head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows))));
}

function groups(title, list, id) {
    return list.length ? el('section', { class: 'card warnings', id }, el('h3', {}, title), el('ul', {}, list.map(({ count, first, text }) => el('li', {}, `${plural(count, 'member')}, the first is ${first}: ${text}`)))) : null;
}

function csv({ columns, rows }) {
    return csvLines([columns.map((c) => c.name), ...Array.from({ length: rows }, (_, k) => columns.map((c) => (Number.isFinite(c.values[k]) ? (c.exact ? c.values[k] : Number(c.values[k].toPrecision(7))) : '')))]);
}

export async function sweepPage(page) {
    const sweep = { ...page.sweep, columns: [] };
    for (const { data, ...column } of page.sweep.columns) sweep.columns.push({ ...column, values: await readColumn({ data, exact: column.exact }, sweep.rows) });
    document.title = `${sweep.title} – livens sweep`;
    const facts = [['scheme', schemeName(sweep), sweep.scheme_summary], ['order', String(sweep.order)], ['members', sweep.done < sweep.members ? `${sweep.done} of ${sweep.members}` : plural(sweep.members, 'member')],
        ['failed', String(sweep.failed)], ['steps', plural(sweep.steps, 'step')], modelFact(sweep)];
    const member = new Member(sweep), scatter = new Scatter(sweep, (k) => member.show(k)), histogram = new Histogram(sweep);
    document.body.replaceChildren(header(page, sweep, [sweep.command], [['CSV', 'csv', 'text/csv', () => csv(sweep)]], factList(facts)),
        el('main', {}, el('div', { class: 'side column' }, scatter.element, member.element),
            el('div', { class: 'plots' }, groups('Failures', sweep.failures, 'failures'), groups('Warnings', sweep.warnings, 'warnings'), histogram.element, ranges(sweep), model([sweep]))),
        footer(page, 'Points say which member they are, and how to run it.'));
    scatter.update();
    histogram.draw();
    return { sweep, scatter, histogram, member };
}
