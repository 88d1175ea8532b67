// Points and lines over two axes, straight or logarithmic: what is not a motion. The point under the pointer says what it is.

import { colour, dash, onTheme, variable } from './colours.js';
import { el } from './dom.js';
import { font, Frame, margin, prepare, rangeOf } from './frame.js';

// Marks that are told apart without colours.
const marks = [
    (c, x, y, r) => c.arc(x, y, r, 0, 2 * Math.PI),
    (c, x, y, r) => c.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r),
    (c, x, y, r) => polygon(c, x, y, 1.2 * r, 3, -Math.PI / 2),
    (c, x, y, r) => polygon(c, x, y, 1.15 * r, 4, 0),
    (c, x, y, r) => polygon(c, x, y, 1.2 * r, 3, Math.PI / 2),
    (c, x, y, r) => polygon(c, x, y, 1.1 * r, 6, 0),
];

function polygon(c, x, y, r, count, turn) {
    for (let k = 0; k < count; k++) c[k ? 'lineTo' : 'moveTo'](x + r * Math.cos(turn + (2 * Math.PI * k) / count), y + r * Math.sin(turn + (2 * Math.PI * k) / count));
    c.closePath();
}

function cross(c, x, y, r) {
    c.moveTo(x - r, y - r);
    c.lineTo(x + r, y + r);
    c.moveTo(x - r, y + r);
    c.lineTo(x + r, y - r);
}

// The line and the mark of a series, as legends show them.
export function sample(series) {
    const canvas = el('canvas', { class: 'sample', 'aria-hidden': true, width: 56, height: 24 });
    const draw = () => {
        const c = canvas.getContext('2d');
        c.setTransform(2, 0, 0, 2, 0, 0);
        c.clearRect(0, 0, 28, 12);
        c.strokeStyle = c.fillStyle = colour(series.paint);
        c.lineWidth = 1.8;
        c.setLineDash(dash(series.line ?? 0));
        c.beginPath();
        c.moveTo(1, 6);
        c.lineTo(27, 6);
        c.stroke();
        c.setLineDash([]);
        c.beginPath();
        marks[(series.mark ?? 0) % marks.length](c, 14, 6, 3.2);
        c.fill();
    };
    draw();
    onTheme(draw);
    return canvas;
}

export class Chart {
    // series: [{label, x, y, paint, line, mark, lines, radius, hidden, colourAt(k), failed(k), tip(k)}]; `floor`: what is below means
    // nothing; `slopes`: powers whose slopes are drawn; pick(series, k): a point was clicked.
    constructor({ title, note = null, controls = null, x, y, series = [], floor = null, slopes = [], height = 360, id, pick }) {
        Object.assign(this, { axes: [x, y], series, floor, slopes, pick });
        this.canvas = el('canvas', { class: 'phase', role: 'img', 'aria-label': title, style: `height:${height}px` });
        this.tip = el('div', { class: 'tip', hidden: true });
        this.holder = el('div', { class: 'chart' }, this.canvas, this.tip);
        this.element = el('figure', { class: 'card', id }, el('figcaption', {}, el('h3', {}, title), note ? el('p', {}, note) : null, controls), this.holder);
        new ResizeObserver(() => this.draw()).observe(this.holder);
        onTheme(() => this.draw());
        this.canvas.addEventListener('pointermove', (event) => this.hover(event));
        this.canvas.addEventListener('pointerdown', (event) => this.hover(event, true));
        this.canvas.addEventListener('pointerleave', () => this.showTip(null));
    }

    visible() {
        return this.series.filter((s) => !s.hidden);
    }

    draw() {
        const place = prepare(this.canvas);
        if (!place) return;
        const { c, width, height } = place, shown = this.visible();
        const axes = this.axes.map((axis, k) => ({ ...axis, range: axis.range ?? rangeOf([...shown.map((s) => (k ? s.y : s.x)), k && this.floor ? [this.floor] : []], axis.log) }));
        this.frame = new Frame(width, height, axes);
        this.shade(c);
        this.frame.draw(c);
        c.save();
        this.frame.clip(c);
        const labels = this.drawSlopes(c);
        for (const s of shown) this.drawSeries(c, s);
        c.restore();
        this.write(c, [...labels, ...this.floorLabel()], 'right');
        if (this.picked) this.ring(c, this.picked);
    }

    // Below the floor.
    shade(c) {
        if (!(this.floor > 0)) return;
        const { width, height } = this.frame, top = Math.max(margin.top, this.frame.place(1, this.floor));
        c.fillStyle = variable('--band');
        c.fillRect(margin.left, top, width - margin.left - margin.right, height - margin.bottom - top);
    }

    floorLabel() {
        const { width, height } = this.frame;
        return this.floor > 0 ? [['error of the reference', width - margin.right - 6, Math.min(height - margin.bottom - 5, this.frame.place(1, this.floor) + 14)]] : [];
    }

    // A fan of lines, one for each power, from the upper right.
    drawSlopes(c) {
        const { frame } = this, [x, y] = this.frame.axes, reach = Math.log(x.range[1] / x.range[0]), labels = [];
        if (!this.slopes.length) return labels;
        const right = x.range[1] / Math.exp(0.03 * reach), top = y.range[1] / (y.range[1] / y.range[0]) ** 0.03;
        c.strokeStyle = c.fillStyle = variable('--muted');
        c.lineWidth = 1;
        c.globalAlpha = 0.75;
        for (const power of this.slopes) {
            // As far as the left or the lower edge.
            const length = Math.min(0.94 * reach, Math.log(top / y.range[0]) / power), to = [right * Math.exp(-length), top * Math.exp(-power * length)];
            c.setLineDash([2, 4]);
            c.beginPath();
            c.moveTo(frame.place(0, right), frame.place(1, top));
            c.lineTo(frame.place(0, to[0]), frame.place(1, to[1]));
            c.stroke();
            const at = [right * Math.exp(-0.72 * length), top * Math.exp(-0.72 * power * length)];
            labels.push([`order ${power}`, frame.place(0, at[0]) - 5, frame.place(1, at[1]) - 3]);
        }
        c.setLineDash([]);
        c.globalAlpha = 1;
        return labels;
    }

    // Words above all lines, with a ground of their own.
    write(c, labels, align) {
        c.font = font;
        c.textAlign = align;
        c.lineWidth = 4;
        c.lineJoin = 'round';
        c.strokeStyle = variable('--card');
        c.fillStyle = variable('--muted');
        for (const [text, x, y] of labels) {
            c.strokeText(text, x, y);
            c.fillText(text, x, y);
        }
    }

    // Pixels of a point. What has no number on one of the axes stands on its edge.
    point(s, k) {
        const at = (axis, value) => (Number.isFinite(value) && !(this.frame.axes[axis].log && !(value > 0)) ? this.frame.place(axis, value) : null);
        const x = at(0, s.x[k]), y = at(1, s.y[k]);
        if (x === null && y === null) return null;
        return [x ?? margin.left + 6, y ?? this.frame.height - margin.bottom - 6, x !== null && y !== null];
    }

    drawSeries(c, s) {
        const radius = s.radius ?? 4, count = s.x.length;
        if (s.lines) {
            c.strokeStyle = colour(s.paint);
            c.lineWidth = s.strong ? 3 : 1.8;
            c.setLineDash(dash(s.line ?? 0));
            c.beginPath();
            let down = false;
            for (let k = 0; k < count; k++) {
                const p = this.point(s, k);
                if (p?.[2]) c[down ? 'lineTo' : 'moveTo'](p[0], p[1]);
                down = !!p?.[2];
            }
            c.stroke();
            c.setLineDash([]);
        }
        c.globalAlpha = s.alpha ?? 1;
        for (let k = 0; k < count; k++) {
            const p = this.point(s, k);
            if (!p) continue;
            c.beginPath();
            if (s.failed?.(k)) {
                c.strokeStyle = variable('--bad');
                c.lineWidth = 1.6;
                cross(c, p[0], p[1], 4);
                c.stroke();
            } else if (p[2]) {
                c.fillStyle = s.colourAt?.(k) ?? colour(s.paint);
                marks[(s.mark ?? 0) % marks.length](c, p[0], p[1], radius);
                c.fill();
            }
        }
        c.globalAlpha = 1;
    }

    ring(c, { s, k }) {
        const p = this.point(s, k);
        if (!p) return;
        c.strokeStyle = variable('--ink');
        c.lineWidth = 2;
        c.beginPath();
        c.arc(p[0], p[1], 8, 0, 2 * Math.PI);
        c.stroke();
    }

    nearest(x, y) {
        let best = null, least = 18 * 18;
        for (const s of this.visible())
            for (let k = 0; k < s.x.length; k++) {
                const p = this.point(s, k);
                if (!p || (!p[2] && !s.failed?.(k))) continue;
                const far = (p[0] - x) ** 2 + (p[1] - y) ** 2;
                if (far < least) [best, least] = [{ s, k, p }, far];
            }
        return best;
    }

    hover(event, pressed = false) {
        if (!this.frame) return;
        const box = this.canvas.getBoundingClientRect(), found = this.nearest(event.clientX - box.left, event.clientY - box.top);
        this.showTip(found);
        if (!pressed || !found || !this.pick) return;
        this.picked = found;
        this.draw();
        this.pick(found.s, found.k);
    }

    showTip(found) {
        this.tip.hidden = !found;
        this.canvas.style.cursor = found && this.pick ? 'pointer' : 'default';
        if (!found) return;
        this.tip.replaceChildren(...found.s.tip(found.k).map((line) => el('div', {}, line)));
        const { clientWidth } = this.holder, left = found.p[0] > clientWidth / 2;
        this.tip.style.left = left ? '' : `${found.p[0] + 12}px`;
        this.tip.style.right = left ? `${clientWidth - found.p[0] + 12}px` : '';
        this.tip.style.top = `${Math.max(0, found.p[1] - 12)}px`;
    }
}
