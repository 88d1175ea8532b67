// How the model is run: parameters, scheme, step, end. What is changed here is an option of `livens run`; the text stays as it is.

import { button, el } from '../dom.js';
import { short } from '../format.js';

// Where a slider begins and ends.
function reach(value, whole) {
    if (whole) return [Math.min(1, value), Math.max(10, 2 * value), 1];
    const [low, high] = value > 0 ? [0, 2 * value] : value < 0 ? [2 * value, 0] : [-1, 1];
    return [low, high, (high - low) / 200];
}

const text = (x) => String(Number(x.toPrecision(6)));

// A parameter as a slider and a number.
class Slider {
    constructor({ name, value, structural }, changed) {
        Object.assign(this, { name, base: value, changed, set: false });
        const whole = structural && Number.isInteger(value), [min, max, step] = reach(value, whole);
        this.range = el('input', { type: 'range', min, max, step, 'aria-label': name, oninput: () => this.choose(Number(this.range.value)) });
        this.number = el('input', { type: 'number', step: 'any', 'aria-label': `${name}, as a number`, onchange: () => this.choose(this.number.value === '' ? null : Number(this.number.value)) });
        this.reset = button('↺', () => this.choose(null), { title: 'as the model says', 'aria-label': `${name} as the model says` });
        this.element = el('div', { class: 'slider' }, el('label', { title: name }, name), this.range, this.number, this.reset);
        this.show(value, false);
    }

    // null: as the model says.
    choose(value) {
        this.show(value ?? this.base, value !== null);
        this.changed();
    }

    show(value, set) {
        this.set = set;
        this.value = value;
        this.range.value = value;
        this.number.value = text(value);
        this.element.classList.toggle('set', set);
        this.reset.disabled = !set;
    }

    words() {
        return this.set ? ['--set', `${this.name}=${text(this.value)}`] : [];
    }
}

const number = (label, title, changed, extra = {}) => {
    const input = el('input', { type: 'number', min: 0, step: 'any', title, onchange: changed, ...extra });
    return { input, element: el('label', {}, label, input) };
};

export class Controls {
    // changed: called when something is to be run; pinned: when the run that is shown is to stay for comparison, or no longer.
    constructor(changed, pinned) {
        this.changed = changed;
        this.pin = button('pin', () => pinned(this.pin.getAttribute('aria-pressed') !== 'true'), { 'aria-pressed': 'false', title: 'keep this run, and show the next ones beside it' });
        this.sliders = new Map();
        this.scheme = el('select', { 'aria-label': 'scheme', onchange: changed });
        this.step = number('step', 'size of the steps in time; empty: as the model says', changed);
        this.until = number('until', 'when the run ends; empty: as the model says', changed);
        this.options = el('input', { type: 'search', placeholder: 'options, such as --stages 3', 'aria-label': 'options of the scheme', title: 'options of the scheme, as livens run takes them', onchange: changed });
        this.halve = button('÷2', () => this.scale(0.5), { title: 'half the step' });
        this.double = button('×2', () => this.scale(2), { title: 'twice the step' });
        this.list = el('div', { class: 'sliders' });
        this.refused = el('details', { class: 'refused' });
        this.resetAll = button('reset all', () => this.reset(), { title: 'everything as the model says' });
        this.element = el('section', { class: 'card controls', id: 'controls' },
            el('figcaption', {}, el('h3', {}, 'How it is run'), el('span', { class: 'choosers' }, this.pin, this.resetAll)),
            el('div', { class: 'choosing' }, el('label', {}, 'scheme', this.scheme), this.step.element, this.halve, this.double, this.until.element, this.options),
            this.refused, this.list);
        this.showSchemes(null);
    }

    // Another model: nothing is changed yet.
    clear() {
        this.sliders.clear();
        this.list.replaceChildren();
        this.reset(true);
        this.showSchemes(null);
    }

    reset(silent = false) {
        for (const slider of this.sliders.values()) slider.show(slider.base, false);
        this.scheme.value = '';
        this.step.input.value = this.until.input.value = this.options.value = '';
        if (!silent) this.changed();
    }

    scale(factor) {
        const now = Number(this.step.input.value) || this.step.fallback;
        if (!(now > 0)) return;
        this.step.input.value = text(now * factor);
        this.changed();
    }

    // What the model says of itself, as it is run now.
    showFacts({ parameters, run }) {
        const scalars = parameters.filter(({ value }) => typeof value === 'number');
        for (const name of this.sliders.keys()) if (!scalars.some((p) => p.name === name)) this.sliders.delete(name);
        for (const parameter of scalars) {
            const slider = this.sliders.get(parameter.name);
            if (!slider || (!slider.set && slider.base !== parameter.value)) this.sliders.set(parameter.name, new Slider(parameter, this.changed));
        }
        const wanted = scalars.map(({ name }) => this.sliders.get(name).element);
        if (wanted.length !== this.list.children.length || wanted.some((element, k) => element !== this.list.children[k])) this.list.replaceChildren(...wanted);
        this.step.fallback = run.step;
        for (const [field, value] of [[this.step, run.step], [this.until, run.until]]) field.input.placeholder = value === null ? '' : text(value);
        this.own = run.scheme;
        this.first.textContent = run.scheme ? `${run.scheme} (the model’s)` : 'choose one';
    }

    // check: which schemes take the model, and why others do not; null: not known yet.
    showSchemes(check) {
        const chosen = this.scheme.value;
        this.first = el('option', { value: '' }, this.own ? `${this.own} (the model’s)` : 'the model’s');
        const fits = check ? check.check.schemes.map(({ name }) => name) : [], refused = check?.refused ?? [];
        const known = fits.concat(refused.map(({ name }) => name));
        const others = chosen && !known.includes(chosen) ? [chosen] : [];
        this.scheme.replaceChildren(this.first, ...fits.concat(others).map((name) => el('option', { value: name }, name)),
            ...(refused.length ? [el('optgroup', { label: 'do not take this model' }, refused.map(({ name, reason }) => el('option', { value: name, disabled: true, title: reason }, name)))] : []));
        this.scheme.value = chosen;
        this.refused.hidden = !refused.length;
        this.refused.replaceChildren(el('summary', {}, `${refused.length} schemes do not take this model`), el('dl', {}, refused.map(({ name, reason }) => [el('dt', {}, name), el('dd', {}, reason)])));
        const step = check?.check.probe?.suggested_step;
        this.step.input.title = `size of the steps in time; empty: as the model says${step ? `; ${short(step, 2)} resolves the fastest motion` : ''}`;
    }

    words() {
        const field = (name, { input }) => (input.value === '' ? [] : [`--${name}`, input.value]);
        return [...(this.scheme.value ? ['--scheme', this.scheme.value] : []), ...field('step', this.step), ...field('until', this.until),
            ...this.options.value.split(/\s+/).filter(Boolean), ...[...this.sliders.values()].flatMap((slider) => slider.words())];
    }
}
