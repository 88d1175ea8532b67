// What a frame looks like: items of a view and their numbers become balls, rods, solids, lines and surfaces.

import { rowAt } from './data.js';
import { roundNumber } from './clock.js';
import { colour, isDark, rgb, variable } from './colours.js';
import { add, across, axesOf, cross, dot, norm, scale, slerp, sub, unit } from './vector.js';

const finite = (numbers) => numbers.every(Number.isFinite);

// Lists of what a renderer draws; colours are r, g, b, alpha.
export function emptyDrawing() {
    return { capsules: [], solids: { box: [], cylinder: [], cone: [], ball: [] }, lines: [], triangles: [] };
}

const familyOf = (item) => `${item.kind} ${item.section} ${item.name.replace(/_\d+$/, '')}`;

export class Scene {
    constructor(view, frames) {
        this.view = view;
        this.frames = frames;
        this.items = view.items.filter((item) => !item.still || finite(item.still));
        this.count = frames.times.length;
        this.measure();
        this.chooseColours();
    }

    // Numbers of an item in a row of the frames.
    stored(item, row) {
        if (item.still) return item.still;
        const numbers = new Array(item.count);
        for (let k = 0; k < item.count; k++) numbers[k] = this.frames.columns[item.first + k].values[row];
        return numbers;
    }

    // Numbers of an item at a time, between two rows.
    numbers(item, t) {
        if (item.still) return item.still;
        const row = rowAt(this.frames.times, t), next = Math.min(row + 1, this.count - 1);
        const length = this.frames.times[next] - this.frames.times[row];
        const s = length > 0 ? Math.min(1, Math.max(0, (t - this.frames.times[row]) / length)) : 0;
        if (s === 0) return this.stored(item, row);
        const between = new Array(item.count), own = item.kind === 'frame' ? 3 : item.count;
        for (let k = 0; k < own; k++) between[k] = this.between(this.frames.columns[item.first + k].values, row, next, s);
        if (own < item.count) {
            const turned = (r) => [3, 4, 5, 6].map((k) => this.frames.columns[item.first + k].values[r]);
            between.splice(3, 4, ...slerp(turned(row), turned(next), s));
        }
        return between;
    }

    // A cubic whose slopes at both rows are those between their neighbours.
    between(values, row, next, s) {
        const times = this.frames.times, before = Math.max(0, row - 1), after = Math.min(this.count - 1, next + 1), h = times[next] - times[row];
        const a = values[row], b = values[next];
        const slope = (i, j) => (times[j] > times[i] ? ((values[j] - values[i]) / (times[j] - times[i])) * h : b - a);
        const u = slope(before, next), v = slope(row, after), c = b - a;
        return a + s * (u + s * (3 * c - 2 * u - v + s * (u + v - 2 * c)));
    }

    // ---- sizes ----------------------------------------------------------------------------------

    // Points of an item, for boxes around it.
    *points(item, numbers) {
        const size = item.kind === 'frame' ? 3 : item.kind === 'joint' ? 3 : numbers.length;
        const reach = item.kind === 'frame' ? Math.max(0, ...item.sizes) * (item.shape === 'box' ? 0.6 : 1) : item.kind === 'point' ? item.sizes[0] ?? 0 : 0;
        for (let k = 0; k + 2 < size; k += 3) {
            const p = numbers.slice(k, k + 3);
            if (!finite(p)) continue;
            yield p;
            if (reach > 0) {
                yield p.map((x) => x - reach);
                yield p.map((x) => x + reach);
            }
        }
    }

    boxOf(row, list) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        for (const item of list)
            for (const p of this.points(item, this.stored(item, row)))
                for (let k = 0; k < 3; k++) {
                    low[k] = Math.min(low[k], p[k]);
                    high[k] = Math.max(high[k], p[k]);
                }
        return { low, high };
    }

    measure() {
        const rows = Math.min(this.count, 160), sizes = [];
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        const moving = this.items.filter((item) => !item.still), large = moving.filter((item) => ['frame', 'line'].includes(item.kind));
        const widen = (box) => {
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], box.low[k]);
                high[k] = Math.max(high[k], box.high[k]);
            }
        };
        for (let k = 0; k < rows; k++) {
            const row = Math.round((k * (this.count - 1)) / Math.max(1, rows - 1)), box = this.boxOf(row, moving);
            if (box.low[0] <= box.high[0]) widen(box);
            const own = this.boxOf(row, large);
            if (own.low[0] <= own.high[0]) sizes.push(norm(sub(own.high, own.low)));
        }
        widen(this.boxOf(0, this.items.filter((item) => item.still && item.kind !== 'surface')));
        // Floors count unless they are much larger than the motion; other surfaces always.
        for (const item of this.items.filter((other) => other.still && other.kind === 'surface')) {
            const box = this.boxOf(0, [item]);
            if (!isFlat(item) || !(norm(sub(box.high, box.low)) > 3 * norm(sub(high, low)))) widen(box);
        }
        if (!(low[0] <= high[0])) widen({ low: [-1, -1, -1], high: [1, 1, 1] });
        sizes.sort((a, b) => a - b);
        const whole = norm(sub(high, low)) || 1;
        const typical = sizes[sizes.length >> 1] || 0;
        this.extent = whole;
        // What travels far is drawn by its own size, and the camera follows.
        this.travels = typical > 0 && whole > 5.5 * typical;
        this.size = this.travels ? 3.2 * typical : whole;
        // A motion along a line has some room around it.
        const least = 0.12 * whole;
        for (let k = 0; k < 3; k++)
            if (high[k] - low[k] < least && !(this.view.planar && k === 2)) {
                const middle = (high[k] + low[k]) / 2;
                low[k] = middle - least / 2;
                high[k] = middle + least / 2;
            }
        this.low = low;
        this.high = high;
        const weights = this.items.map((item) => item.weight).filter((w) => w > 0);
        this.weight = weights.length ? weights.reduce((a, b) => a + b) / weights.length : 1;
        this.trailLength = 0.18 * (this.frames.times[this.count - 1] - this.frames.times[0] || 0);
    }

    // Where what moves is, for a camera that follows.
    centre(t) {
        let sum = [0, 0, 0], count = 0;
        for (const item of this.items) {
            if (item.still || item.kind === 'surface') continue;
            const p = this.numbers(item, t).slice(0, 3);
            if (!finite(p)) continue;
            sum = add(sum, p);
            count++;
        }
        return count ? scale(sum, 1 / count) : this.view.planar ? [0, 0, 0] : scale(add(this.low, this.high), 0.5);
    }

    chooseColours() {
        const families = new Map();
        for (const item of this.items) {
            const family = familyOf(item);
            families.set(family, [...(families.get(family) ?? []), item]);
        }
        // Of large families some members have trails.
        this.trailing = new Set();
        for (const members of families.values()) {
            const all = members.filter((item) => item.trail && !item.still), some = Math.max(1, Math.ceil((all.length - 1) / 9));
            all.forEach((item, k) => (k % some === 0 || k === all.length - 1) && this.trailing.add(item));
        }
        this.trailParts = Math.min(300, Math.max(20, Math.floor(1400 / Math.max(1, this.trailing.size))));
        // Many balls are small.
        this.crowd = new Map();
        for (const members of families.values()) for (const item of members) this.crowd.set(item, Math.min(1, Math.max(0.12, 24 / members.length)));
        let next = 0;
        this.colourOf = new Map();
        for (const members of families.values()) {
            const coloured = ['point', 'frame'].includes(members[0].kind) && members[0].shape !== 'centre';
            const distinct = coloured && members.length <= 7;
            for (const item of members)
                this.colourOf.set(item, item.colour > 0 ? item.colour - 1 : !coloured ? -1 : distinct ? next++ : next);
            if (coloured && !distinct) next++;
        }
    }

    colour(item, alpha = 1) {
        const k = this.colourOf.get(item);
        return [...rgb(k >= 0 ? colour(k) : variable(item.kind === 'surface' ? '--faint-solid' : '--solid')), alpha];
    }

    // ---- items ------------------------------------------------------------------------------------

    radius(item) {
        const relative = item.weight > 0 ? Math.min(1.7, Math.max(0.55, item.weight / this.weight)) : 1;
        return item.sizes[0] > 0 ? Math.max(item.sizes[0], 0.004 * this.size) : 0.018 * this.size * relative * (this.crowd.get(item) ?? 1);
    }

    // The drawing at a time; alpha < 1: a ghost.
    draw(t, drawing, alpha = 1, withTrails = true) {
        for (const item of this.items) {
            const numbers = this.numbers(item, t);
            if (!finite(numbers)) continue;
            const paint = this.colour(item, alpha);
            if (item.kind === 'point') drawing.capsules.push([...numbers, ...numbers, this.radius(item), ...paint]);
            else if (item.kind === 'line') this.line(item, numbers, drawing, paint);
            else if (item.kind === 'frame') this.frame(item, numbers, drawing, paint);
            else if (item.kind === 'joint') this.joint(item, numbers, drawing, paint);
            else this.surface(item, numbers, drawing, alpha);
            if (withTrails && this.trailing.has(item)) this.trail(item, t, drawing, paint);
        }
        return drawing;
    }

    line(item, numbers, drawing, paint) {
        const points = [];
        for (let k = 0; k + 2 < numbers.length; k += 3) points.push(numbers.slice(k, k + 3));
        const path = item.shape === 'spring' && points.length === 2 ? coil(points[0], points[1], item.sizes[0] || Math.min(0.02 * this.size, 0.14 * norm(sub(points[1], points[0])))) : points;
        const radius = item.sizes[0] > 0 ? item.sizes[0] : 0.0065 * this.size;
        for (let k = 0; k + 1 < path.length; k++)
            if (item.shape === 'rod') drawing.capsules.push([...path[k], ...path[k + 1], radius, ...paint]);
            else drawing.lines.push([...path[k], ...path[k + 1], item.shape === 'spring' ? 1.7 : 2.4, ...paint]);
        if (item.shape === 'arrow' && points.length > 1) this.arrowHead(points.at(-2), points.at(-1), drawing, paint);
    }

    arrowHead(from, to, drawing, paint) {
        const along = unit(sub(to, from)), length = Math.min(0.04 * this.size, 0.4 * norm(sub(to, from)));
        if (length > 0)
            drawing.solids.cone.push([...basis(along, 0.4 * length, length), ...sub(to, scale(along, length / 2)), ...paint]);
    }

    frame(item, numbers, drawing, paint) {
        const p = numbers.slice(0, 3), axes = axesOf(numbers.slice(3)), s = item.sizes;
        const solid = (kind, a, b, c) => drawing.solids[kind].push([...scale(axes[0], a), ...scale(axes[1], b), ...scale(axes[2], c), ...p, ...paint]);
        if (item.shape === 'sphere') solid('ball', s[0], s[0], s[0]);
        else if (item.shape === 'ellipsoid') solid('ball', s[0], s[1], s[2]);
        else if (item.shape === 'box') solid('box', s[0] / 2, s[1] / 2, s[2] / 2);
        else if (item.shape === 'cylinder') solid('cylinder', s[0], s[0], s[1] / 2);
        else if (item.shape === 'cone') solid('cone', s[0], s[0], s[1] / 2);
        else if (item.shape === 'capsule') {
            const half = scale(axes[2], s[1] / 2);
            drawing.capsules.push([...sub(p, half), ...add(p, half), s[0], ...paint]);
        } else if (item.shape === 'centre') drawing.capsules.push([...p, ...p, 0.6 * this.radius({ ...item, sizes: [] }), ...paint]);
        else {
            const length = s[0] > 0 ? s[0] : 0.12 * this.size;
            axes.forEach((axis, k) => {
                const end = add(p, scale(axis, length));
                const own = [...rgb(colour([1, 2, 0][k])), paint[3]];
                drawing.lines.push([...p, ...end, 2.6, ...own]);
                this.arrowHead(p, end, drawing, own);
            });
        }
        // Something that turns about its axis of symmetry shows that it does.
        if (['sphere', 'cylinder', 'cone'].includes(item.shape)) this.mark(item, p, axes, drawing, paint);
    }

    mark(item, p, axes, drawing, paint) {
        const ink = [...rgb(isDark() ? '#10131a' : '#ffffff'), paint[3]];
        const [r, length] = [item.sizes[0], item.shape === 'sphere' ? 0 : item.sizes[1]];
        const top = add(p, scale(axes[2], 0.5 * length * 1.01));
        if (item.shape === 'cylinder')
            for (const side of [1, -1]) {
                const middle = add(p, scale(axes[2], side * (0.5 * length + 0.004 * this.size)));
                drawing.lines.push([...add(middle, scale(axes[0], 0.25 * r)), ...add(middle, scale(axes[0], 0.92 * r)), 3, ...ink]);
            }
        else if (item.shape === 'cone') drawing.lines.push([...sub(top, scale(axes[2], 0)), ...add(sub(p, scale(axes[2], 0.5 * length)), scale(axes[0], 1.02 * r)), 2.5, ...ink]);
        else
            for (const [a, b] of [[0, 2], [1, 2]])
                for (let k = 0, n = 32; k < n; k++) {
                    const at = (i) => add(p, add(scale(axes[a], 1.004 * r * Math.cos((2 * Math.PI * i) / n)), scale(axes[b], 1.004 * r * Math.sin((2 * Math.PI * i) / n))));
                    drawing.lines.push([...at(k), ...at(k + 1), 2, ...ink.slice(0, 3), 0.75 * paint[3]]);
                }
    }

    joint(item, numbers, drawing, paint) {
        const p = numbers.slice(0, 3), axis = numbers.slice(3), r = 0.0105 * this.size * this.crowd.get(item);
        const half = scale(unit(axis), norm(axis) > 0 ? 1.6 * r : 0);
        drawing.capsules.push([...sub(p, half), ...add(p, half), r, ...paint]);
    }

    surface(item, numbers, drawing, alpha) {
        const at = (i, j) => numbers.slice(3 * (i * item.columns + j), 3 * (i * item.columns + j) + 3);
        const wire = [...rgb(variable('--wire')), 0.55 * alpha], fill = [...this.colour(item, 0.3 * alpha)];
        const skipRows = Math.max(1, Math.round((item.rows - 1) / 16)), skipColumns = Math.max(1, Math.round((item.columns - 1) / 16));
        for (let i = 0; i < item.rows; i++)
            for (let j = 0; j < item.columns; j++) {
                const a = at(i, j);
                const right = j + 1 < item.columns ? at(i, j + 1) : null, down = i + 1 < item.rows ? at(i + 1, j) : null;
                if (right && (i % skipRows === 0 || i === item.rows - 1)) drawing.lines.push([...a, ...right, 1, ...wire]);
                if (down && (j % skipColumns === 0 || j === item.columns - 1)) drawing.lines.push([...a, ...down, 1, ...wire]);
                if (right && down) {
                    const far = at(i + 1, j + 1);
                    drawing.triangles.push([...a, ...right, ...far, ...fill], [...a, ...far, ...down, ...fill]);
                }
            }
    }

    // Where an item has been, fading.
    trail(item, t, drawing, paint) {
        const times = this.frames.times, first = Math.max(times[0], t - this.trailLength), last = rowAt(times, t);
        const begin = rowAt(times, first), parts = Math.max(1, Math.round(60 / Math.max(1, last - begin))), step = Math.max(1, Math.ceil((last - begin) / this.trailParts));
        const columns = [0, 1, 2].map((k) => this.frames.columns[item.first + k].values);
        let before = this.numbers(item, t).slice(0, 3), alpha = 0.75 * paint[3];
        const extend = (p, time) => {
            const left = 1 - (t - time) / (this.trailLength || 1);
            if (left <= 0 || !finite(p)) return false;
            const faint = paint[3] * 0.75 * left * left;
            drawing.lines.push([...p, ...before, 1.2 + 2.4 * left, paint[0], paint[1], paint[2], faint, alpha]);
            before = p;
            alpha = faint;
            return true;
        };
        for (let row = last - (last % step); row >= begin; row -= step) {
            // Between rows that are far apart the curve has more points.
            for (let part = parts - 1; part > 0 && row < this.count - 1; part--) {
                const s = part / parts, time = times[row] + s * (times[row + 1] - times[row]);
                if (time < t && !extend(columns.map((values) => this.between(values, row, row + 1, s)), time)) return;
            }
            if (!extend(columns.map((values) => values[row]), times[row])) return;
        }
    }

    // Round distance between the lines of the grid.
    gridUnit() {
        return roundNumber(this.size / 7);
    }
}

// Whether all points of a surface lie in a plane.
function isFlat({ still, columns }) {
    const at = (k) => still.slice(3 * k, 3 * k + 3), count = still.length / 3, origin = at(0);
    const normal = unit(cross(sub(at(columns - 1), origin), sub(at(count - 1), origin)));
    const size = norm(sub(at(count - 1), origin));
    for (let k = 0; k < count; k++) if (Math.abs(dot(normal, sub(at(k), origin))) > 1e-3 * size) return false;
    return norm(normal) > 0;
}

// Columns of a matrix that takes the third axis along a direction.
function basis(along, radius, length) {
    const a = across(along), b = cross(along, a);
    return [...scale(a, radius), ...scale(b, radius), ...scale(along, length / 2)];
}

// A spring from a to b.
function coil(a, b, radius) {
    const along = sub(b, a), length = norm(along), turns = 8, perTurn = 14;
    if (!(length > 0)) return [a, b];
    const e = unit(along), x = across(e), y = cross(e, x), path = [a];
    const ends = 0.1;
    path.push(add(a, scale(along, ends)));
    for (let k = 0; k <= turns * perTurn; k++) {
        const angle = (2 * Math.PI * k) / perTurn, s = ends + ((1 - 2 * ends) * k) / (turns * perTurn);
        const swell = Math.min(1, (4 * Math.min(k, turns * perTurn - k)) / perTurn);
        path.push(add(add(a, scale(along, s)), add(scale(x, radius * swell * Math.cos(angle)), scale(y, radius * swell * Math.sin(angle)))));
    }
    path.push(add(a, scale(along, 1 - ends)), b);
    return path;
}
