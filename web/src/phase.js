// A column over another one, with the present point.

import { colour, onTheme, variable } from './colours.js';
import { allColumns, rowAt } from './data.js';
import { el } from './dom.js';
import { short, ticks } from './format.js';

const margin = { left: 64, right: 16, top: 14, bottom: 44 };

export class Phase {
    constructor(run, clock, x, y) {
        Object.assign(this, { run, clock });
        this.columns = allColumns(run);
        this.x = this.chooser(x, 'horizontal');
        this.y = this.chooser(y, 'vertical');
        this.canvas = el('canvas', { class: 'phase', role: 'img', 'aria-label': 'phase portrait' });
        this.element = el('figure', { class: 'card', id: 'phase' }, el('figcaption', {}, el('h3', {}, 'Phase portrait'), el('span', { class: 'choosers' }, this.y, el('span', {}, 'over'), this.x)), this.canvas);
        new ResizeObserver(() => this.draw()).observe(this.element);
        onTheme(() => this.draw());
        clock.listen(() => this.request());
    }

    chooser(chosen, label) {
        const select = el('select', { 'aria-label': `${label} column`, onchange: () => this.draw() });
        const groups = new Map();
        this.columns.forEach(({ column }, k) => {
            if (!groups.has(column.channel)) groups.set(column.channel, el('optgroup', { label: column.channel }));
            groups.get(column.channel).append(el('option', { value: k, selected: column.name === chosen }, column.name));
        });
        select.append(...groups.values());
        return select;
    }

    // Names of the columns that are shown, horizontal and vertical.
    axes() {
        return [this.x, this.y].map((select) => this.columns[Number(select.value)]?.column.name);
    }

    request() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.paint();
        });
    }

    // Values of the first column at the times of the second.
    pairs() {
        const [a, b] = [this.x, this.y].map((select) => this.columns[Number(select.value)]);
        if (!a || !b) return null;
        const times = a.table.times.length <= b.table.times.length ? a.table.times : b.table.times;
        const on = ({ column, table }) => (table.times === times ? column.values : Float32Array.from(times, (t) => column.values[rowAt(table.times, t)]));
        return { times, x: on(a), y: on(b), names: [a.column.name, b.column.name] };
    }

    draw() {
        this.data = this.pairs();
        if (!this.data || !this.element.clientWidth) return;
        const range = (values) => {
            let low = Infinity, high = -Infinity;
            for (const v of values) {
                if (!Number.isFinite(v)) continue;
                low = Math.min(low, v);
                high = Math.max(high, v);
            }
            if (!(low <= high)) return [0, 1];
            const pad = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
            return [low - pad, high + pad];
        };
        this.ranges = [range(this.data.x), range(this.data.y)];
        this.background = null;
        this.paint();
    }

    paint() {
        if (!this.data || !this.ranges) return;
        const d = Math.min(2, devicePixelRatio || 1), width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        if (!width) return;
        if (!this.background || this.background.width !== Math.round(width * d)) this.background = this.paintCurve(width, height, d);
        this.canvas.width = this.background.width;
        this.canvas.height = this.background.height;
        const c = this.canvas.getContext('2d');
        c.drawImage(this.background, 0, 0);
        c.setTransform(d, 0, 0, d, 0, 0);
        const row = rowAt(this.data.times, this.clock.t);
        c.fillStyle = colour(1);
        c.strokeStyle = variable('--card');
        c.lineWidth = 2;
        c.beginPath();
        c.arc(this.place(0, this.data.x[row], width, height), this.place(1, this.data.y[row], width, height), 5.5, 0, 2 * Math.PI);
        c.fill();
        c.stroke();
    }

    place(axis, value, width, height) {
        const [low, high] = this.ranges[axis], s = (value - low) / (high - low);
        return axis === 0 ? margin.left + s * (width - margin.left - margin.right) : height - margin.bottom - s * (height - margin.top - margin.bottom);
    }

    paintCurve(width, height, d) {
        const canvas = el('canvas', { width: Math.round(width * d), height: Math.round(height * d) }), c = canvas.getContext('2d');
        c.setTransform(d, 0, 0, d, 0, 0);
        c.font = '12px system-ui, sans-serif';
        c.strokeStyle = variable('--rule');
        c.fillStyle = variable('--muted');
        c.lineWidth = 1;
        for (const axis of [0, 1])
            for (const tick of ticks(...this.ranges[axis], (axis ? height : width) / 80)) {
                const at = this.place(axis, tick, width, height);
                c.beginPath();
                c.moveTo(axis ? margin.left : at, axis ? at : margin.top);
                c.lineTo(axis ? width - margin.right : at, axis ? at : height - margin.bottom);
                c.stroke();
                c.textAlign = axis ? 'right' : 'center';
                c.fillText(short(tick, 6), axis ? margin.left - 8 : at, axis ? at + 4 : height - margin.bottom + 16);
            }
        c.textAlign = 'center';
        c.fillText(this.data.names[0], (margin.left + width - margin.right) / 2, height - 8);
        c.save();
        c.translate(12, (height - margin.bottom) / 2);
        c.rotate(-Math.PI / 2);
        c.fillText(this.data.names[1], 0, 0);
        c.restore();
        c.strokeStyle = colour(0);
        c.lineWidth = 1.4;
        c.lineJoin = 'round';
        c.beginPath();
        let down = false;
        for (let k = 0; k < this.data.times.length; k++) {
            const x = this.data.x[k], y = this.data.y[k];
            if (!Number.isFinite(x) || !Number.isFinite(y)) {
                down = false;
                continue;
            }
            c[down ? 'lineTo' : 'moveTo'](this.place(0, x, width, height), this.place(1, y, width, height));
            down = true;
        }
        c.stroke();
        return canvas;
    }
}
