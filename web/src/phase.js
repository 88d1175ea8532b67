// A column over another one, with the present point.

import { colour, onTheme, variable } from './colours.js';
import { allColumns, rowAt } from './data.js';
import { el } from './dom.js';
import { Frame, prepare, rangeOf } from './frame.js';

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
        this.background = null;
        this.paint();
    }

    paint() {
        if (!this.data) return;
        const d = Math.min(2, devicePixelRatio || 1), width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        if (!width) return;
        if (!this.background || this.background.width !== Math.round(width * d)) this.background = this.paintCurve(width, height, d);
        const { c } = prepare(this.canvas), row = rowAt(this.data.times, this.clock.t);
        c.drawImage(this.background, 0, 0, width, height);
        c.fillStyle = colour(1);
        c.strokeStyle = variable('--card');
        c.lineWidth = 2;
        c.beginPath();
        c.arc(this.frame.place(0, this.data.x[row]), this.frame.place(1, this.data.y[row]), 5.5, 0, 2 * Math.PI);
        c.fill();
        c.stroke();
    }

    paintCurve(width, height, d) {
        const canvas = el('canvas', { width: Math.round(width * d), height: Math.round(height * d) }), c = canvas.getContext('2d');
        c.setTransform(d, 0, 0, d, 0, 0);
        const { x, y, names } = this.data;
        this.frame = new Frame(width, height, [{ range: rangeOf([x]), name: names[0] }, { range: rangeOf([y]), name: names[1] }]);
        this.frame.draw(c);
        c.strokeStyle = colour(0);
        c.lineWidth = 1.4;
        c.lineJoin = 'round';
        c.beginPath();
        let down = false;
        for (let k = 0; k < x.length; k++) {
            if (!Number.isFinite(x[k]) || !Number.isFinite(y[k])) {
                down = false;
                continue;
            }
            c[down ? 'lineTo' : 'moveTo'](this.frame.place(0, x[k]), this.frame.place(1, y[k]));
            down = true;
        }
        c.stroke();
        return canvas;
    }
}
