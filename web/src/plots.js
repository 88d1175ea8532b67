// Plots over time with one cursor through all of them.

import uPlot from 'uplot';
import { colour, dash, onTheme, variable } from './colours.js';
import { rowAt } from './data.js';
import { el } from './dom.js';
import { power, short, ticks } from './format.js';

// ---- axes --------------------------------------------------------------------------------------------

const font = '12px system-ui, sans-serif';

function axis(extra) {
    return { stroke: () => variable('--muted'), grid: { stroke: () => variable('--rule'), width: 1 }, ticks: { show: false }, font, labelFont: font, ...extra };
}

// Decades, and not too many of them.
function logAxis() {
    return axis({
        size: 58,
        splits: (u, index, low, high) => {
            const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9);
            const step = Math.max(1, Math.ceil((to - from + 1) / Math.max(2, u.height / 42)));
            const list = [];
            for (let k = Math.ceil(from / step) * step; k <= to; k += step) list.push(10 ** k);
            return list;
        },
        filter: (u, splits) => splits,
        values: (u, splits) => splits.map((x) => power(Math.round(Math.log10(x)))),
    });
}

function plainAxis() {
    return axis({
        size: 58,
        splits: (u, index, low, high) => ticks(low, high, Math.max(2, u.height / 46)),
        values: (u, splits) => splits.map((x) => short(x, 6)),
    });
}

function timeAxis(label) {
    return axis({ size: 28, label: label ? 'time' : undefined, labelSize: 18, labelGap: -4,
        splits: (u, index, low, high) => ticks(low, high, Math.max(2, u.width / 90)),
        values: (u, splits) => splits.map((x) => short(x, 6)) });
}

// ---- one plot ------------------------------------------------------------------------------------------

// series: [{label, times, values, least, most, paint, line, steps}]; all on one set of times.
export class TimePlot {
    constructor({ title, note, series, log = false, rounding = 0, label = false, height = 190 }, clock, board) {
        Object.assign(this, { series, log, rounding, clock, board, label, height });
        this.legend = el('div', { class: 'legend' });
        this.holder = el('div', { class: 'plot' });
        this.element = el('figure', { class: 'card' }, el('figcaption', {}, el('h3', {}, title), note ? el('p', {}, note) : null), this.holder, this.legend);
        this.marks = series.map((s) => {
            const value = el('span', { class: 'value' });
            this.legend.append(el('span', { class: 'key' }, this.sample(s), el('span', { class: 'name' }, s.label), value));
            return value;
        });
        this.cursor = el('div', { class: 'cursor' });
        this.draw();
        board.add(this);
    }

    // The line of a series, as the legend shows it.
    sample({ paint, line }) {
        const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'line');
        for (const [key, value] of Object.entries({ width: 26, height: 8 })) svg.setAttribute(key, value);
        for (const [key, value] of Object.entries({ x1: 1, x2: 25, y1: 4, y2: 4, 'stroke-width': 2.2, 'stroke-dasharray': dash(line).join(' ') })) path.setAttribute(key, value);
        const recolour = () => path.setAttribute('stroke', colour(paint));
        recolour();
        onTheme(recolour);
        svg.append(path);
        return svg;
    }

    // Numbers as uPlot wants them: no zeros on logarithmic axes.
    data() {
        let least = Infinity;
        for (const s of this.series)
            for (const list of [s.values, s.least, s.most])
                for (const x of list ?? []) if (x > 0 && x < least) least = x;
        const smallest = Math.max(Number.isFinite(least) ? least : 1e-16, this.rounding / 1000);
        const floor = this.log ? 10 ** Math.floor(Math.log10(smallest)) : 0;
        this.floor = this.log ? Math.max(floor, 1e-30) : 0;
        const fit = (list) => Array.from(list, (x) => (!Number.isFinite(x) ? null : this.log ? Math.max(x, this.floor) : x));
        // Runs with other times are shown at the times of the first.
        const times = this.series.reduce((a, b) => (b.times.length > a.length ? b.times : a), this.series[0].times);
        const on = (s, list) => (s.times === times ? fit(list) : fit(Array.from(times, (t) => (t > s.times.at(-1) ? NaN : list[rowAt(s.times, t)]))));
        const columns = [Array.from(times)];
        for (const s of this.series) columns.push(on(s, s.values));
        this.bands = [];
        this.series.forEach((s, k) => {
            if (!s.least) return;
            columns.push(on(s, s.most), on(s, s.least));
            this.bands.push({ k, series: [columns.length - 2, columns.length - 1] });
        });
        return columns;
    }

    range() {
        return this.log
            ? (u, low, high) => {
                const bottom = Math.min(low ?? 1e-16, this.rounding || Infinity), top = Math.max(high ?? 1e-15, 3 * this.rounding);
                const a = Math.floor(Math.log10(bottom) + 1e-9), b = Math.ceil(Math.log10(top) - 1e-9);
                return [10 ** Math.max(a, b - 24), 10 ** Math.max(b, a + 2)];
            }
            : (u, low, high) => {
                if (low === null || high === null) return [0, 1];
                const pad = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
                return [low - pad, high + pad];
            };
    }

    draw() {
        this.plot?.destroy();
        const data = this.data();
        const series = [{}, ...this.series.map((s) => ({ label: s.label, stroke: colour(s.paint), width: 1.7, dash: dash(s.line), points: { show: false },
            spanGaps: false, pxAlign: 0, paths: s.steps ? uPlot.paths.stepped({ align: 1 }) : undefined }))];
        for (const { k } of this.bands)
            for (let i = 0; i < 2; i++) series.push({ stroke: `${colour(this.series[k].paint)}55`, width: 1, points: { show: false } });
        const options = {
            width: Math.max(200, this.holder.clientWidth || 500), height: this.height,
            series, bands: this.bands.map(({ k, series: pair }) => ({ series: pair, fill: `${colour(this.series[k].paint)}2e` })),
            scales: { x: { time: false, range: (u, low, high) => this.board.range ?? [low, high] }, y: { distr: this.log ? 3 : 1, log: 10, range: this.range() } },
            axes: [timeAxis(this.label), this.log ? logAxis() : plainAxis()],
            legend: { show: false }, padding: [10, 12, 0, 0],
            cursor: { x: false, y: false, points: { show: false }, drag: { setScale: false, x: false, y: false } },
            hooks: { drawClear: [(u) => this.shadeRounding(u)], draw: [(u) => this.nameRounding(u)] },
        };
        this.plot = new uPlot(options, data, this.holder);
        this.plot.over.append(this.cursor);
        this.scrub(this.plot.over);
        this.follow();
    }

    // Where rounding begins, in pixels; null: it is not in the plot.
    roundingTop({ bbox }, position) {
        if (!(this.rounding > 0)) return null;
        const top = Math.max(bbox.top, position(this.rounding));
        return top < bbox.top + bbox.height ? top : null;
    }

    // What is below is rounding.
    shadeRounding(u) {
        const { ctx, bbox } = u, top = this.roundingTop(u, (x) => u.valToPos(x, 'y', true));
        if (top === null) return;
        ctx.save();
        ctx.fillStyle = variable('--band');
        ctx.fillRect(bbox.left, top, bbox.width, bbox.top + bbox.height - top);
        ctx.restore();
    }

    // Its name, above all lines, on a ground of its own.
    nameRounding(u) {
        const { ctx, bbox } = u, d = devicePixelRatio || 1, top = this.roundingTop(u, (x) => u.valToPos(x, 'y', true));
        if (top === null) return;
        ctx.save();
        ctx.font = `${11 * d}px system-ui, sans-serif`;
        const width = ctx.measureText('rounding').width + 10 * d, height = 16 * d, left = bbox.left + bbox.width - width - 3 * d;
        const above = Math.min(top + 3 * d, bbox.top + bbox.height - height - 2 * d);
        ctx.globalAlpha = 0.88;
        ctx.fillStyle = variable('--card');
        ctx.beginPath();
        ctx.roundRect(left, above, width, height, 4 * d);
        ctx.fill();
        ctx.globalAlpha = 1;
        ctx.fillStyle = variable('--muted');
        ctx.textAlign = 'center';
        ctx.textBaseline = 'middle';
        ctx.fillText('rounding', left + width / 2, above + height / 2);
        ctx.restore();
    }

    // Dragging moves the time; with shift it chooses a range.
    scrub(over) {
        let from = null;
        const timeOf = (event) => this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
        over.style.touchAction = 'pan-y';
        over.addEventListener('pointerdown', (event) => {
            over.setPointerCapture(event.pointerId);
            from = event.shiftKey ? timeOf(event) : null;
            if (from === null) this.move(timeOf(event));
            over.dataset.down = '1';
        });
        over.addEventListener('pointermove', (event) => over.dataset.down && from === null && this.move(timeOf(event)));
        over.addEventListener('pointerup', (event) => {
            delete over.dataset.down;
            if (from === null) return;
            const to = timeOf(event);
            if (Math.abs(to - from) > 0.005 * (this.clock.end - this.clock.begin)) this.board.zoom([Math.min(from, to), Math.max(from, to)]);
        });
        over.addEventListener('pointercancel', () => delete over.dataset.down);
        over.addEventListener('dblclick', () => this.board.zoom(null));
    }

    move(t) {
        this.clock.play(false);
        this.clock.set(t);
    }

    // The cursor, and the values there.
    follow() {
        const t = this.clock.t, x = this.plot.valToPos(t, 'x'), width = this.plot.bbox.width / (devicePixelRatio || 1);
        this.cursor.style.transform = `translateX(${x}px)`;
        this.cursor.style.display = x >= -1 && x <= width + 1 ? '' : 'none';
        if (this.offscreen) return;
        this.series.forEach((s, k) => {
            const text = t > s.times.at(-1) ? '–' : short(s.values[rowAt(s.times, t)], 4);
            if (this.marks[k].textContent !== text) this.marks[k].textContent = text;
        });
    }

    resize() {
        const width = this.holder.clientWidth;
        if (width > 0 && width !== this.plot.width) {
            this.plot.setSize({ width, height: this.height });
            this.follow();
        }
    }
}

// All plots over time.
export class Board {
    constructor(clock) {
        this.plots = [];
        this.range = null;
        this.seen = 0;
        clock.listen(() => {
            if (this.pending) return;
            this.pending = true;
            requestAnimationFrame(() => {
                this.pending = false;
                for (const plot of this.plots) plot.follow();
            });
        });
        onTheme(() => this.redraw());
        this.watcher = new ResizeObserver(() => this.plots.forEach((plot) => plot.resize()));
    }

    watch(element) {
        this.watcher.observe(element);
    }

    // Values of plots that nobody sees are not written.
    add(plot) {
        this.plots.push(plot);
        this.sight ??= new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                const own = this.plots.find(({ element }) => element === target);
                if (!own) continue;
                own.offscreen = !isIntersecting;
                own.follow();
            }
        });
        this.sight.observe(plot.element);
    }

    zoom(range) {
        this.range = range;
        for (const plot of this.plots) plot.plot.setScale('x', range ? { min: range[0], max: range[1] } : { min: plot.plot.data[0][0], max: plot.plot.data[0].at(-1) });
        for (const plot of this.plots) plot.follow();
    }

    // Forgets all plots.
    clear() {
        this.watcher.disconnect();
        this.sight?.disconnect();
        for (const plot of this.plots) plot.plot.destroy();
        this.plots = [];
    }

    redraw() {
        for (const plot of this.plots) plot.draw();
    }

    remove(plot) {
        this.plots = this.plots.filter((p) => p !== plot);
        this.sight.unobserve(plot.element);
        plot.plot.destroy();
        plot.element.remove();
    }
}
