// A page about a study: errors of schemes over what they cost.

import { Chart, sample } from './chart.js';
import { button, copy, el } from './dom.js';
import { short } from './format.js';
import { csvLines, factList, footer, header, modelFact } from './header.js';
import { model } from './model.js';

const seconds = (x) => (x === null ? '–' : x < 1e-3 ? `${short(x * 1e6, 3)} µs` : x < 1 ? `${short(x * 1e3, 3)} ms` : `${short(x, 3)} s`);

// Points of runs that have an error, the largest step first.
function seriesOf(method, k, over) {
    const runs = method.runs.filter((run) => run.error > 0 && over(run) > 0);
    return { label: method.label, x: runs.map(over), y: runs.map((run) => run.error), paint: k, line: Math.floor(k / 7), mark: k % 6, lines: true, strong: method.own, hidden: false,
        tip: (i) => [method.label, `step ${short(runs[i].step, 4)}, ${runs[i].steps} steps`, `error ${short(runs[i].error, 3)}${runs[i].below_floor ? ', below what is known' : ''}`, `${seconds(runs[i].seconds)} of processor time`] };
}

function charts(study) {
    const orders = [...new Set(study.methods.map((m) => m.order))].sort((a, b) => a - b);
    const y = { name: 'error', log: true }, floor = study.reference.floor;
    const make = (title, note, id, name, over, slopes) => new Chart({ title, note, id, height: 420, x: { name, log: true }, y, floor, slopes, series: study.methods.map((m, k) => seriesOf(m, k, over)) });
    return [make('Error over processor time', 'lower left is better', 'cost', 'processor time in seconds', (run) => run.seconds, []),
        make('Error over the step', 'slopes are orders', 'orders', 'step', (run) => run.step, orders.length > 4 ? [orders[0], orders[orders.length >> 1], orders.at(-1)] : orders)];
}

// Names that switch lines on and off, in all charts.
function legend(study, list) {
    const show = (k, on) => {
        for (const chart of list) chart.series[k].hidden = !on;
        keys[k].setAttribute('aria-pressed', String(on));
    };
    const draw = () => list.forEach((chart) => chart.draw());
    const keys = study.methods.map((method, k) => button(el('span', { class: 'key' }, sample(list[0].series[k]), method.label, method.own ? ' (the model’s own)' : ''), () => {
        show(k, keys[k].getAttribute('aria-pressed') !== 'true');
        draw();
    }, { class: 'choice', 'aria-pressed': 'true' }));
    const all = (on) => button(on ? 'all' : 'none', () => {
        study.methods.forEach((_, k) => show(k, on));
        draw();
    }, { class: 'choice' });
    return el('section', { class: 'card', id: 'methods' }, el('figcaption', {}, el('h3', {}, 'Schemes'), el('span', { class: 'choosers' }, all(true), all(false))), el('div', { class: 'choices tall' }, keys));
}

function table(head, rows) {
    return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows)));
}

const cells = (list) => list.map((x) => el('td', { class: 'number' }, x));

// How a method is asked for on the command line.
function command(study, { spec }, step) {
    const [scheme, ...options] = spec.split(':'), words = options.map((option) => `--${option.replaceAll('_', '-')}`);
    return ['livens run', /\s/.test(study.file) ? `'${study.file}'` : study.file, `--scheme ${scheme}`, ...words, `--step ${step}`, `--until ${study.until}`].join(' ');
}

function recommended(study) {
    const rows = study.advices.map((advice) => {
        const method = study.methods[advice.method];
        if (!method) return el('tr', { class: 'open' }, el('th', { scope: 'row' }, short(advice.tolerance, 2)), el('td', { colspan: 5, class: 'wrap' }, advice.note));
        const text = command(study, method, advice.step);
        return el('tr', {}, el('th', { scope: 'row' }, short(advice.tolerance, 2)), el('td', {}, el('strong', {}, method.label)), cells([short(advice.step, 4), short(advice.error, 2), seconds(advice.seconds)]),
            el('td', {}, button('Copy', () => copy(text, 'command'), { title: text, class: 'choice', 'aria-label': 'copy the command' })));
    });
    return el('section', { class: 'card', id: 'advice' }, el('h3', {}, 'Recommended'), el('p', { class: 'hint' }, 'The cheapest scheme and step for an error, confirmed by a run of its own; times are those of the processor.'),
        table(['wanted', 'scheme', 'step', 'found', 'time', ''], rows));
}

function results(study) {
    const best = (m) => m.runs.filter((run) => run.error > 0).reduce((a, b) => (a && a.error <= b.error ? a : b), null);
    const failed = (m) => m.runs.filter((run) => run.message).length;
    const rows = study.methods.map((m) => el('tr', {}, el('th', { scope: 'row' }, m.label), cells([String(m.order), m.observed === null ? '–' : m.observed.toFixed(2), m.asymptotic ? '✓' : 'not seen',
        short(best(m)?.error ?? null, 2), short(best(m)?.step ?? null, 3), seconds(best(m)?.seconds ?? null), String(failed(m) || '')])));
    return el('section', { class: 'card', id: 'results' }, el('h3', {}, 'Orders'), table(['scheme', 'order', 'observed', '', 'least error', 'step', 'time', 'failed'], rows),
        el('details', { class: 'notes' }, el('summary', {}, 'All runs'), table(['scheme', 'step', 'steps', 'error', 'time', 'iterations', 'energy', 'momenta', 'g', 'dg/dt'], study.methods.flatMap((m) => m.runs.map((run) =>
            el('tr', { class: run.message ? 'broken' : '', title: run.message }, el('th', { scope: 'row' }, m.label), cells([short(run.step, 4), String(run.steps), run.message ? 'stopped' : short(run.error, 2), seconds(run.seconds), short(run.iterations, 3),
                short(run.energy, 2), short(run.momentum, 2), short(run.position, 2), short(run.velocity, 2)])))))));
}

function remarks(study) {
    const list = [study.interrupted ? 'The study was interrupted: runs, orders and advice may be missing.' : null,
        study.shortened ? `Errors are compared up to t = ${short(study.until, 5)} of ${short(study.asked, 5)}: ${study.shortened}.` : null].filter(Boolean);
    return list.length ? el('section', { class: 'card warnings', id: 'warnings' }, el('ul', {}, list.map((text) => el('li', {}, text)))) : null;
}

function refusals(study) {
    const stopped = study.methods.flatMap((m) => m.runs.filter((run) => run.message).map((run) => [`${m.label}, step ${short(run.step, 4)}`, run.message]));
    const list = [...study.refusals, ...stopped];
    return list.length ? el('section', { class: 'card', id: 'refusals' }, el('details', { class: 'notes' }, el('summary', {}, `Schemes that do not take the model, and runs that stopped: ${list.length}`),
        el('dl', {}, list.map(([name, reason]) => el('div', {}, el('dt', {}, name), el('dd', {}, reason)))))) : null;
}

function csv(study) {
    const keys = ['step', 'steps', 'error', 'seconds', 'iterations', 'energy', 'momentum', 'position', 'velocity'];
    return csvLines([['scheme', 'order', ...keys, 'message'], ...study.methods.flatMap((m) => m.runs.map((run) => [m.spec, m.order, ...keys.map((key) => run[key] ?? ''), run.message ?? '']))]);
}

export async function studyPage(page) {
    const { study } = page, { reference } = study, list = charts(study);
    document.title = `${study.title} – livens study`;
    const facts = [['schemes', String(study.methods.length)], ['runs', String(study.methods.reduce((n, m) => n + m.runs.length, 0))], ['time', `t = ${short(study.until, 6)}`],
        ['reference', `${reference.first}; ${reference.second}`, `steps ${short(reference.first_step, 3)} and ${short(reference.second_step, 3)}`], ['they agree to', short(reference.difference, 2)], modelFact(study)];
    document.body.replaceChildren(header(page, study, [study.command], [['CSV', 'csv', 'text/csv', () => csv(study)], ['JSON', 'json', 'application/json', () => JSON.stringify(study, null, 1)]], factList(facts)),
        el('main', { class: 'wide' }, el('div', { class: 'plots' }, remarks(study), recommended(study), list[0].element, results(study)), el('div', { class: 'plots' }, legend(study, list), list[1].element, refusals(study), model([study]))),
        footer(page, 'Points say what they are; names switch lines on and off.'));
    list.forEach((chart) => chart.draw());
    return { study, charts: list };
}
