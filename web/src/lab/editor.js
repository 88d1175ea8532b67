// The text of a model, which can be changed: coloured, with lines numbered and what is wrong marked. Layers of the same size lie on
// each other, and the uppermost takes the keys.

import { el } from '../dom.js';
import { coloured } from '../model.js';

const TAB = '    ';

export class Editor {
    // changed: called with the text after it was typed.
    constructor(changed) {
        this.changed = changed;
        this.lines = el('pre', { class: 'numbers', 'aria-hidden': true });
        this.paint = el('pre', { class: 'layer model', 'aria-hidden': true });
        this.marks = el('pre', { class: 'layer marks', 'aria-hidden': true });
        this.area = el('textarea', { class: 'layer', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', 'aria-label': 'text of the model',
            oninput: () => this.typed(), onscroll: () => this.scroll(), onkeydown: (event) => this.key(event) });
        this.message = el('div', { class: 'message', role: 'status' });
        this.element = el('div', { class: 'editor' }, el('div', { class: 'sheet' }, this.lines, el('div', { class: 'layers' }, this.paint, this.marks, this.area)), this.message);
    }

    get text() {
        return this.area.value;
    }

    set text(text) {
        this.area.value = text; // the way back by keys ends here
        this.area.scrollTop = this.area.scrollLeft = 0;
        this.draw();
    }

    typed() {
        this.draw();
        this.changed(this.text);
    }

    // The tabulator indents; with escape before, or in a text without focus, it moves on as everywhere.
    key(event) {
        if (event.key === 'Escape') this.leaves = true;
        else if (event.key === 'Tab' && !event.shiftKey && !this.leaves) {
            event.preventDefault();
            this.area.setRangeText(TAB, this.area.selectionStart, this.area.selectionEnd, 'end');
            this.typed();
        } else if (event.key !== 'Tab' && event.key !== 'Shift') this.leaves = false;
    }

    draw() {
        const count = this.text.split('\n').length;
        this.paint.replaceChildren(...coloured(this.text), '\n');
        this.numbers = Array.from({ length: count }, (_, k) => el('span', {}, String(k + 1)));
        this.lines.replaceChildren(...this.numbers);
        this.mark(null);
        this.scroll();
    }

    scroll() {
        const { scrollTop, scrollLeft } = this.area;
        for (const layer of [this.paint, this.marks]) layer.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
        this.lines.style.transform = `translateY(${-scrollTop}px)`;
    }

    // Where a place is in the text: columns count characters.
    offset(line, column, length) {
        const lines = this.text.split('\n'), row = Math.min(line, lines.length) - 1;
        const before = lines.slice(0, row).reduce((sum, text) => sum + text.length + 1, 0), characters = Array.from(lines[row]);
        const size = (from, to) => characters.slice(from, to).join('').length;
        const begin = Math.max(0, column - 1);
        return { begin: before + size(0, begin), end: before + size(0, begin + Math.max(1, length)) };
    }

    // failure: {message, line, column, length, note, hint}, or null.
    mark(failure) {
        const at = failure?.line ? this.offset(failure.line, failure.column ?? 1, failure.length ?? 1) : null;
        this.marks.replaceChildren(...(at ? [this.text.slice(0, at.begin), el('span', { class: 'wrong' }, this.text.slice(at.begin, at.end) || ' '), this.text.slice(at.end)] : []), '\n');
        this.numbers?.forEach((number, k) => number.classList.toggle('wrong', k + 1 === failure?.line));
        this.message.replaceChildren(...(failure ? this.says(failure, at) : []));
        this.message.classList.toggle('shown', !!failure);
        this.element.classList.toggle('failed', !!failure);
    }

    says({ message, line, column, note, hint }, at) {
        const place = at ? el('button', { type: 'button', class: 'place', title: 'go there', onclick: () => this.goTo(line, at) }, `line ${line}, column ${column}`) : null;
        return [el('p', {}, place, message), note ? el('p', { class: 'aside' }, note) : null, hint ? el('p', { class: 'aside' }, hint) : null].filter(Boolean);
    }

    goTo(line, at) {
        this.area.focus();
        this.area.setSelectionRange(at.begin, at.end);
        const height = parseFloat(getComputedStyle(this.area).lineHeight);
        this.area.scrollTop = Math.max(0, (line - 1) * height - this.area.clientHeight / 2);
    }
}
