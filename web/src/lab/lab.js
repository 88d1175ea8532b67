// The lab: a page about a run, with the library in it. The model can be edited, and the run follows.

import { certificate, convergence } from '../certificate.js';
import { Clock } from '../clock.js';
import { beginTheme, keepThemeListeners, themeListeners } from '../colours.js';
import { readRun, span } from '../data.js';
import { button, download, el } from '../dom.js';
import { keyboard } from '../keyboard.js';
import { warnings } from '../model.js';
import { Motion } from '../motion.js';
import { panels } from '../panels.js';
import { Board } from '../plots.js';
import { runsFooter, runsHeader } from '../runs.js';
import { Controls } from './controls.js';
import { Editor } from './editor.js';
import { Engine } from './engine.js';

const TYPING = 350; // milliseconds without a key before the text is run
const FIRST = 'four-particles';

class Lab {
    constructor(models, module) {
        this.models = models;
        this.shipped = new Set(Object.keys(models));
        this.runner = new Engine(module, LAB_WORKER);
        this.judge = new Engine(module, LAB_WORKER); // what takes longer: checks and certificates
        this.editor = new Editor(() => this.edited());
        this.texts = new Map(); // of models that were edited
        this.controls = new Controls(() => this.later(0), (on) => this.pin(on ? this.run : null));
        this.clock = new Clock(0, 1);
        this.count = 0;
        this.build();
        this.choose(this.linked() ?? FIRST);
        addEventListener('hashchange', () => this.linked() && this.linked() !== this.name && this.choose(this.linked()));
        addEventListener('beforeunload', (event) => this.texts.size > 0 && event.preventDefault());
    }

    // The model that the address names.
    linked() {
        const name = location.hash.slice(1);
        return Object.hasOwn(this.models, name) ? name : null;
    }

    build() {
        this.chooser = el('select', { 'aria-label': 'model', onchange: () => this.choose(this.chooser.value) }, Object.keys(this.models).map((name) => el('option', { value: name }, name)));
        this.file = el('input', { type: 'file', accept: '.toml,text/plain', hidden: true, onchange: () => this.readFile(this.file.files[0]) });
        this.state = el('span', { class: 'state', role: 'status' });
        this.bar = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'progress' });
        this.stopButton = button('stop', () => this.stop(), { hidden: true });
        this.top = el('div');
        this.side = el('div', { class: 'side' });
        this.plots = el('div', { class: 'plots' });
        this.results = el('div', { class: 'plots results' });
        const save = button('save', () => download(`${this.name}.toml`, this.editor.text, 'application/toml'), { title: 'download the model' });
        this.original = button('original', () => this.restore(), { hidden: true, title: 'the text as it was' });
        this.plots.append(el('section', { class: 'card', id: 'editor' }, el('figcaption', {}, el('h3', {}, 'Model'), el('span', { class: 'choosers' }, this.original, save)), this.editor.element), this.results);
        document.body.replaceChildren(
            el('nav', { class: 'bar' }, el('strong', {}, 'livens lab'), el('label', {}, this.chooser), button('open', () => this.file.click(), { title: 'a model from a file' }), this.file,
                el('span', { class: 'busy' }, this.state, this.bar, this.stopButton)),
            this.top, el('main', {}, this.side, this.plots), (this.foot = el('div')));
        this.themes = themeListeners();
        keyboard(this.clock, () => this.run?.frames.times.length || this.run?.watch.times.length || 2);
    }

    // ---- the model ------------------------------------------------------------------------------

    choose(name) {
        this.begin(name);
        history.replaceState(null, '', `#${name}`);
    }

    // A model from a file is one of the list from then on.
    async readFile(file) {
        this.file.value = '';
        if (!file) return;
        const name = file.name.replace(/\.toml$/, '') || 'model';
        if (!Object.hasOwn(this.models, name)) this.chooser.append(el('option', { value: name }, name));
        this.texts.delete(name);
        this.models[name] = await file.text();
        this.begin(name);
    }

    begin(name) {
        this.name = this.chooser.value = name;
        this.pinned = null;
        this.fresh = true;
        this.editor.text = this.texts.get(name) ?? this.models[name];
        this.original.hidden = !this.texts.has(name);
        this.controls.clear();
        this.later(0);
    }

    edited() {
        if (this.editor.text === this.models[this.name]) this.texts.delete(this.name);
        else this.texts.set(this.name, this.editor.text);
        this.original.hidden = !this.texts.has(this.name);
        this.later(TYPING);
    }

    restore() {
        this.editor.text = this.models[this.name];
        this.edited();
    }

    // A request: what the model is called, options, its text. A text that was edited is a file, once it is saved.
    words() {
        const name = this.shipped.has(this.name) && !this.texts.has(this.name) ? this.name : `${this.name}.toml`;
        return [name.startsWith('-') ? `./${name}` : name, ...this.controls.words(), this.editor.text];
    }

    // ---- running --------------------------------------------------------------------------------

    later(milliseconds) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.runNow(), milliseconds);
    }

    async runNow() {
        const words = this.words();
        this.judge.stop();
        this.busy('running');
        const reply = await this.runner.ask({ action: 'run', words, progress: (share) => this.progress(share) });
        if (!reply) return; // there is a newer one
        this.busy('');
        await this.take(reply);
        this.count++;
        document.documentElement.dataset.runs = this.count;
        this.check(words);
    }

    stop() {
        this.runner.stop();
        this.judge.stop();
        this.busy('');
        this.state.textContent = 'stopped';
    }

    busy(text) {
        clearTimeout(this.slow);
        this.state.textContent = text || this.state.textContent;
        if (!text) this.bar.hidden = this.stopButton.hidden = true;
        else this.slow = setTimeout(() => {
            this.bar.value = 0;
            this.bar.hidden = this.stopButton.hidden = false;
        }, 300);
    }

    progress(share) {
        this.bar.value = share;
    }

    async take({ facts, answer, failure, milliseconds }) {
        if (facts) this.controls.showFacts(facts);
        this.editor.mark(failure ?? null);
        this.state.classList.toggle('failed', !!failure);
        this.results.classList.toggle('stale', !!failure);
        if (failure) this.state.textContent = failure.line ? `line ${failure.line}: see the model` : 'refused: see below the model';
        if (!answer) return;
        this.page = answer;
        this.show(await readRun(answer.runs[0]));
        this.state.textContent = `${this.run.steps.toLocaleString('en')} steps in ${milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`}`;
    }

    // What schemes take the model is asked when nothing else is to be done.
    async check(words) {
        const reply = await this.judge.ask({ action: 'check', words });
        if (!reply) return;
        if (reply.answer) this.controls.showSchemes(reply.answer);
        document.documentElement.dataset.checks = this.count;
    }

    // A run that stays beside newer ones; null: none.
    pin(run) {
        this.pinned = run;
        this.show(this.run);
    }

    // ---- showing --------------------------------------------------------------------------------

    show(run) {
        const fresh = this.fresh || !this.run, runs = this.pinned && this.pinned !== run ? [run, this.pinned] : [run], kept = fresh ? {} : { columns: this.shown && [...this.shown.chosen.chosen], axes: this.shown?.phase?.axes() };
        this.fresh = false;
        this.run = run;
        this.controls.pin.setAttribute('aria-pressed', String(!!this.pinned));
        document.title = `${run.title} – livens lab`;
        this.forget();
        if (fresh) this.clock.t = 0;
        this.clock.span(...span(runs));
        if (!this.motion) this.beginMotion(runs);
        else this.motion.show(runs, !fresh);
        const range = fresh ? null : this.board?.range;
        this.board = new Board(this.clock);
        this.top.replaceChildren(runsHeader(this.page, runs));
        this.foot.replaceChildren(runsFooter(this.page));
        this.shown = panels(runs, this.clock, this.board, kept);
        this.results.replaceChildren(...[warnings(runs), ...this.shown.elements, this.certificate(runs)].filter(Boolean));
        this.board.watch(this.results);
        this.board.plots.forEach((plot) => plot.resize());
        if (range && range[1] <= this.clock.end) this.board.zoom(range);
        this.clock.set(this.clock.t);
        if (fresh && this.clock.begins()) this.clock.play(true);
    }

    // The run that was shown is no longer listened to.
    forget() {
        this.board?.clear();
        this.clock.listeners.length = this.listeners ?? 0;
        keepThemeListeners(this.themes);
    }

    beginMotion(runs) {
        this.motion = new Motion(runs, this.clock);
        this.listeners = this.clock.listeners.length;
        this.themes = themeListeners();
        this.side.replaceChildren(this.motion.element, this.controls.element);
    }

    // ---- the certificate ------------------------------------------------------------------------

    // What one run has shown, until more was measured.
    certificate(runs) {
        const card = certificate(runs), ask = button('measure it', () => this.verify(card, ask, runs), { id: 'verify', title: 'order, symplecticity, reversibility, bits: livens verify' });
        card.querySelector(':scope > .hint')?.replaceWith(el('p', { class: 'hint' }, 'What is open takes more than one run. ', ask));
        return card;
    }

    async verify(card, ask, [run, ...others]) {
        const bar = el('progress', { max: 1, value: 0, 'aria-label': 'progress of the certificate' });
        ask.replaceWith(bar);
        const reply = await this.judge.ask({ action: 'verify', words: this.words(), progress: (share) => (bar.value = share) });
        const measured = { ...run, ...reply?.answer };
        if (reply?.answer) card.replaceWith(...[certificate([measured, ...others]), convergence(measured)].filter(Boolean));
        else bar.replaceWith(ask, el('span', {}, reply ? ` ${reply.failure.message}` : ' It was not measured to the end: something newer was asked.'));
    }
}

async function begin() {
    beginTheme();
    const [models, library] = await Promise.all(['livens-models', 'livens-library'].map(window.livensUnpack));
    const lab = new Lab(await models.json(), await WebAssembly.compile(await library.arrayBuffer()));
    window.livens = lab;
    document.documentElement.dataset.ready = '1';
}

begin().catch((error) => {
    document.body.append(el('p', { class: 'empty' }, `The lab cannot begin: ${error.message}. It needs a browser of 2023 or later.`));
    throw error;
});
