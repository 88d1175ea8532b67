// The text of the model, coloured; and what livens had to say about it.

import { el } from './dom.js';
import { short } from './format.js';

const token = /("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(#[^\n]*)|(^[ \t]*\[\[?[^\]\n]*\]?\])|(^[ \t]*[A-Za-z0-9_.-]+(?=[ \t]*=))/gm;
const kinds = ['string', 'comment', 'section', 'name'];

// Pieces of the text, each as text.
export function coloured(text) {
    const pieces = [];
    let at = 0;
    for (const found of text.matchAll(token)) {
        if (found.index > at) pieces.push(text.slice(at, found.index));
        pieces.push(el('span', { class: kinds[found.slice(1).findIndex((part) => part !== undefined)] }, found[0]));
        at = found.index + found[0].length;
    }
    pieces.push(text.slice(at));
    return pieces;
}

function parameters(run) {
    if (!run.parameters.length) return null;
    const set = new Set(run.settings.split('\n').map((line) => line.split('=')[0]));
    return el('ul', { class: 'parameters' }, run.parameters.map(([name, ...values]) =>
        el('li', { class: set.has(name) ? 'set' : '', title: set.has(name) ? 'set on the command line' : undefined }, `${name} = ${values.length > 1 ? `[${values.map((x) => short(x, 6)).join(', ')}]` : short(values[0], 6)}`)));
}

function stopped(run) {
    if (run.failure) return [run.failure.startsWith('stopped') ? `The run ${run.failure}.` : `The run stopped at t = ${short(run.time, 6)}: ${run.failure}.`];
    return run.time < run.until * (1 - 1e-12) ? [`The run ended at t = ${short(run.time, 6)}, before t = ${short(run.until, 6)}.`] : [];
}

export function warnings(runs) {
    const texts = runs.flatMap((run, k) => [...stopped(run), ...run.warnings].map((text) => (runs.length > 1 ? `run ${k + 1}: ${text}` : text)));
    return texts.length ? el('section', { class: 'card warnings', id: 'warnings' }, el('h3', {}, texts.length === 1 ? 'Warning' : 'Warnings'), el('ul', {}, texts.map((text) => el('li', {}, text)))) : null;
}

export function model(runs) {
    const texts = [...new Map(runs.map((run) => [run.sha256, run])).values()];
    return el('section', { class: 'card', id: 'model' }, el('h3', {}, 'Model'), texts.map((run) => [
        parameters(run), el('pre', { class: 'model', tabindex: 0 }, el('code', {}, coloured(run.model))), el('p', { class: 'hint' }, el('code', {}, run.command))]));
}
