// What the page is about, and what can be taken from it.

import { isDark, setTheme } from './colours.js';
import { button, copy, download, el } from './dom.js';

export const clean = (name) => name.replace(/[^\w.-]+/g, '_');
export const stem = (about) => clean(about.file.replace(/\.toml$/, '') || 'run');

// Names and values, and what hovering says.
export function factList(facts) {
    return el('dl', { class: 'facts' }, facts.map(([name, value, title]) => el('div', { title }, el('dt', {}, name), el('dd', {}, value))));
}

export function schemeName({ scheme, options }) {
    const given = Object.entries(options).filter(([, value]) => value !== '0' && value !== 'false').map(([key, value]) => `${key} ${value}`).join(', ');
    return given ? `${scheme} (${given})` : scheme;
}

export const modelFact = ({ file, sha256 }) => ['model', `${file} · ${sha256.slice(0, 12)}`, `SHA-256 of the model: ${sha256}`];

// about: {title, description, file, model}; commands: texts; files: [[label, ending, type, content]].
export function header(page, about, commands, files, ...rest) {
    const theme = button('◐', () => setTheme(isDark() ? 'light' : 'dark'), { 'aria-label': 'light or dark', title: 'light or dark' });
    const all = [...files, ['Model', 'toml', 'application/toml', () => about.model]];
    const actions = el('div', { class: 'actions' },
        button('Copy command', () => copy(commands.join('\n'), 'command')),
        button('Copy BibTeX', () => copy(page.bibtex, 'BibTeX')),
        all.map(([label, ending, type, content]) => button(label, () => download(`${stem(about)}.${ending}`, content(), type), { title: `download: ${label}` })), theme);
    return el('header', { class: 'top' },
        el('div', { class: 'headline' }, el('div', {}, el('h1', {}, about.title), about.description ? el('p', { class: 'lead' }, about.description) : null), actions), rest);
}

export function footer(page, hint) {
    return el('footer', {}, `livens ${page.version} wrote this page; it needs no network. ${hint}`);
}

// Rows of CSV.
const quoted = (name) => (/[",\n]/.test(name) ? `"${String(name).replaceAll('"', '""')}"` : name);
export const csvLines = (rows) => rows.map((row) => row.map(quoted).join(',')).join('\n') + '\n';
