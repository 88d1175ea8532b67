// What was promised beside what was measured.

import { Chart } from './chart.js';
import { el } from './dom.js';
import { short } from './format.js';

const marks = { kept: '✓ kept', broken: '✗ broken', not_promised: 'not promised', open: 'open' };
const names = { order: 'order', symplecticity: 'symplectic', reversibility: 'symmetric in time', balance: 'energy less work', position: 'constraints g', velocity: 'their rates dg/dt',
    nonholonomic: 'nonholonomic constraints', repeat: 'bits of a second run', threads: 'bits on several threads', resume: 'bits of a resumed run' };

export function findingName({ property, name }) {
    return property === 'momentum' ? `momentum J.${name}` : property === 'invariant' ? name : names[property] ?? property;
}

function row(finding) {
    const { property, promise, measured, bound, verdict, note } = finding;
    const number = (x) => (x === null ? '' : property === 'order' ? x.toFixed(2) : short(x, 2));
    return el('tr', { class: verdict, title: note }, el('th', { scope: 'row' }, findingName(finding)), el('td', {}, promise ?? '–'), el('td', { class: 'number' }, number(measured)),
        el('td', { class: 'number' }, number(bound)), el('td', { class: 'verdict' }, marks[verdict] ?? verdict));
}

function table(run) {
    const head = ['property', 'promised', 'measured', 'bound', 'verdict'];
    return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, run.certificate.map(row))));
}

// How things were measured, and why some cannot be judged; what is said of several, once.
function notes(run) {
    const said = new Map();
    for (const finding of run.certificate) if (finding.note) said.set(finding.note, [...(said.get(finding.note) ?? []), findingName(finding)]);
    return el('details', { class: 'notes', open: !!run.convergence }, el('summary', {}, 'How it was measured'),
        el('dl', {}, [...said].map(([note, of]) => el('div', {}, el('dt', {}, of.length > 3 ? `${of.slice(0, 2).join(', ')} and ${of.length - 2} more` : of.join(', ')), el('dd', {}, note)))));
}

export function certificate(runs) {
    const open = runs.some((run) => !run.convergence && run.certificate.some((finding) => finding.verdict === 'open'));
    return el('section', { class: 'card', id: 'certificate' }, el('h3', {}, 'Certificate'),
        runs.map((run, k) => [runs.length > 1 ? el('h4', {}, `run ${k + 1}: ${run.scheme}, step ${short(run.step, 6)}`) : null, table(run), notes(run)]),
        open ? el('p', { class: 'hint' }, 'What is open takes more than one run: ', el('code', {}, 'livens verify'), ' measures it.') : null);
}

// Errors over steps, as verify measured them.
export function convergence(run) {
    const c = run.convergence;
    if (!c || c.steps.length < 2) return null;
    const series = [{ label: run.scheme, x: c.steps, y: c.errors, paint: 0, lines: true, radius: 4.5, tip: (k) => [`step ${short(c.steps[k], 4)}`, `error ${short(c.errors[k], 3)}`] }];
    return new Chart({ title: 'Error over the step', note: `up to t = ${short(c.t, 4)}, relative, against a motion that knows nothing of the scheme`, id: 'convergence', series, height: 260,
        x: { name: 'step', log: true }, y: { name: 'error', log: true }, slopes: [run.order], floor: c.reference > 0 ? c.reference : null }).element;
}
