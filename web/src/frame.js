// Axes of a plot on a canvas, straight or logarithmic, and where numbers are on it.

import { variable } from './colours.js';
import { power, short, ticks } from './format.js';

export const margin = { left: 66, right: 16, top: 14, bottom: 44 };
export const font = '12px system-ui, sans-serif';

// The range of numbers with some room around them. Logarithmic ones are positive.
export function rangeOf(lists, log = false) {
    let low = Infinity, high = -Infinity;
    for (const list of lists)
        for (const x of list) {
            if (!Number.isFinite(x) || (log && !(x > 0))) continue;
            low = Math.min(low, x);
            high = Math.max(high, x);
        }
    if (!(low <= high)) return log ? [0.1, 10] : [0, 1];
    if (log) {
        const pad = Math.max(1.2, (high / low) ** 0.06);
        return [low / pad, high * pad];
    }
    const pad = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
    return [low - pad, high + pad];
}

// Decades; where there are few of them, parts of them, too.
function logTicks(low, high, count) {
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high)), step = Math.max(1, Math.ceil((to - from) / Math.max(2, count)));
    const list = [];
    for (let k = Math.ceil(from / step) * step; k <= to; k += step)
        for (const part of to - from <= 2 ? [1, 2, 5] : [1]) list.push(part * 10 ** k);
    return list.filter((x) => x >= low * 0.999999 && x <= high * 1.000001);
}

function tickName(x, log) {
    const k = Math.round(Math.log10(x));
    return log && Math.abs(k) > 1 && Math.abs(10 ** k / x - 1) < 1e-9 ? power(k) : short(x, 6);
}

export class Frame {
    // axes: [{range, log, name}], horizontal and vertical.
    constructor(width, height, axes) {
        Object.assign(this, { width, height, axes });
    }

    place(axis, value) {
        const { range: [low, high], log } = this.axes[axis], s = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
        return axis === 0 ? margin.left + s * (this.width - margin.left - margin.right) : this.height - margin.bottom - s * (this.height - margin.top - margin.bottom);
    }

    // Inside of the axes.
    clip(c) {
        c.beginPath();
        c.rect(margin.left, margin.top, this.width - margin.left - margin.right, this.height - margin.top - margin.bottom);
        c.clip();
    }

    draw(c) {
        const { width, height } = this;
        c.font = font;
        c.strokeStyle = variable('--rule');
        c.fillStyle = variable('--muted');
        c.lineWidth = 1;
        this.axes.forEach(({ range, log }, axis) => {
            const count = axis ? height / 46 : width / 64;
            for (const tick of log ? logTicks(...range, count) : ticks(...range, count)) {
                const at = this.place(axis, tick);
                c.beginPath();
                c.moveTo(axis ? margin.left : at, axis ? at : margin.top);
                c.lineTo(axis ? width - margin.right : at, axis ? at : height - margin.bottom);
                c.stroke();
                c.textAlign = axis ? 'right' : 'center';
                c.fillText(tickName(tick, log), axis ? margin.left - 8 : at, axis ? at + 4 : height - margin.bottom + 16);
            }
        });
        c.textAlign = 'center';
        c.fillText(this.axes[0].name, (margin.left + width - margin.right) / 2, height - 8);
        c.save();
        c.translate(13, (margin.top + height - margin.bottom) / 2);
        c.rotate(-Math.PI / 2);
        c.fillText(this.axes[1].name, 0, 0);
        c.restore();
    }
}

// A canvas as large as its place, in its own pixels; null: it is not shown.
export function prepare(canvas) {
    const d = Math.min(2, devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return null;
    canvas.width = Math.round(width * d);
    canvas.height = Math.round(height * d);
    const c = canvas.getContext('2d');
    c.setTransform(d, 0, 0, d, 0, 0);
    return { c, width, height };
}
