// What was promised beside what was measured.

import { el } from './dom.js';
import { short } from './format.js';

const marks = { kept: '✓ kept', broken: '✗ broken', measured: 'measured', open: 'not shown by a run' };

// rows: [{property, promised, measured, bound, verdict, note}]
export function certificateTable(rows) {
    const noted = rows.some((row) => row.note), head = ['property', 'promised', 'measured', 'bound', 'verdict', ...(noted ? ['note'] : [])];
    const line = (row) => el('tr', { class: row.verdict },
        el('th', { scope: 'row' }, row.property), el('td', {}, row.promised), el('td', { class: 'number' }, row.measured === null ? '' : short(row.measured, 2)),
        el('td', { class: 'number' }, row.bound === null ? '' : short(row.bound, 2)), el('td', { class: 'verdict' }, row.says ?? marks[row.verdict] ?? row.verdict),
        noted ? el('td', { class: 'note' }, row.note ?? '') : null);
    return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, head.map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows.map(line))));
}

export function certificate(runs) {
    const open = runs.some((run) => run.certificate.some((row) => row.verdict === 'open'));
    return el('section', { class: 'card', id: 'certificate' }, el('h3', {}, 'Certificate'),
        runs.map((run, k) => [runs.length > 1 ? el('h4', {}, `run ${k + 1}: ${run.scheme}, step ${short(run.step, 6)}`) : null, certificateTable(run.certificate)]),
        open ? el('p', { class: 'hint' }, 'Order, symplecticity and symmetry take more than one run: ', el('code', {}, 'livens verify'), ' measures them.') : null);
}
