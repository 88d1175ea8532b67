// The same drawing on a plain canvas, where there is no WebGL2: from far to near, without hidden surfaces.

import { add, scale } from './vector.js';

const css = ([r, g, b], alpha = 1, bright = 1) =>
    `rgba(${[r, g, b].map((x) => Math.round(255 * Math.min(1, x * bright))).join(',')},${alpha})`;

function outline(kind) {
    const ring = (z, n = 28, r = 1) => Array.from({ length: n + 1 }, (_, k) => [r * Math.cos((2 * Math.PI * k) / n), r * Math.sin((2 * Math.PI * k) / n), z]);
    if (kind === 'box') {
        const face = (z) => [[-1, -1, z], [1, -1, z], [1, 1, z], [-1, 1, z], [-1, -1, z]];
        return [face(-1), face(1), ...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [[x, y, -1], [x, y, 1]])];
    }
    if (kind === 'cylinder') return [ring(-1), ring(1), ...[0, 7, 14, 21].map((k) => [ring(-1)[k], ring(1)[k]])];
    if (kind === 'cone') return [ring(-1), ...[0, 7, 14, 21].map((k) => [ring(-1)[k], [0, 0, 1]])];
    const swap = (order) => ring(0).map((p) => order.map((k) => p[k]));
    return [ring(0), swap([0, 2, 1]), swap([2, 0, 1])];
}

export class CanvasRenderer {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d');
        this.outlines = Object.fromEntries(['box', 'cylinder', 'cone', 'ball'].map((kind) => [kind, outline(kind)]));
    }

    render(camera, background, grid, drawing, ghosts, density) {
        const c = this.context, width = this.canvas.width / density, height = this.canvas.height / density;
        c.setTransform(density, 0, 0, density, 0, 0);
        c.fillStyle = css(background);
        c.fillRect(0, 0, width, height);
        c.lineCap = 'round';
        const project = (p) => camera.project(p, width, height);
        const jobs = [];
        const stroke = (a, b, thick, paint) => {
            const p = project(a), q = project(b);
            if (!p || !q) return;
            jobs.push([(p[2] + q[2]) / 2, () => {
                c.strokeStyle = css(paint, paint[3]);
                c.lineWidth = thick;
                c.beginPath();
                c.moveTo(p[0], p[1]);
                c.lineTo(q[0], q[1]);
                c.stroke();
            }]);
        };
        const flush = () => {
            jobs.sort((a, b) => b[0] - a[0]);
            for (const [, job] of jobs) job();
            jobs.length = 0;
        };
        const put = ({ lines, capsules, solids, triangles }) => {
            for (const l of lines) stroke(l.slice(0, 3), l.slice(3, 6), l[6], l.slice(7));
            for (const s of capsules) this.capsule(s, project, camera, height, stroke, jobs);
            for (const [kind, list] of Object.entries(solids))
                for (const s of list)
                    for (const path of this.outlines[kind])
                        for (let k = 0; k + 1 < path.length; k++) stroke(place(s, path[k]), place(s, path[k + 1]), 2, s.slice(12));
            for (const t of triangles) this.triangle(t, project, jobs);
        };
        for (const l of grid) stroke(l.slice(0, 3), l.slice(3, 6), l[6], l.slice(7));
        flush();
        if (ghosts) put(ghosts);
        put(drawing);
        flush();
    }

    capsule(s, project, camera, height, stroke, jobs) {
        const a = s.slice(0, 3), b = s.slice(3, 6), paint = s.slice(7), c = this.context;
        const r = Math.max(1, s[6] * camera.scaleAt(a, height));
        if (a.some((x, k) => x !== b[k])) {
            stroke(a, b, 2 * r, paint);
            return;
        }
        const p = project(a);
        if (!p) return;
        jobs.push([p[2], () => {
            const gradient = c.createRadialGradient(p[0] - 0.35 * r, p[1] - 0.35 * r, 0.1 * r, p[0], p[1], r);
            gradient.addColorStop(0, css(paint, paint[3], 1.5));
            gradient.addColorStop(1, css(paint, paint[3], 0.8));
            c.fillStyle = gradient;
            c.beginPath();
            c.arc(p[0], p[1], r, 0, 2 * Math.PI);
            c.fill();
        }]);
    }

    triangle(t, project, jobs) {
        const corners = [0, 3, 6].map((k) => project(t.slice(k, k + 3))), c = this.context;
        if (corners.some((p) => !p)) return;
        jobs.push([Math.max(...corners.map((p) => p[2])), () => {
            c.fillStyle = css(t.slice(9), 0.6 * t[12]);
            c.beginPath();
            for (const p of corners) c.lineTo(p[0], p[1]);
            c.fill();
        }]);
    }
}

const place = (s, p) => add(add(s.slice(9, 12), scale(s.slice(0, 3), p[0])), add(scale(s.slice(3, 6), p[1]), scale(s.slice(6, 9), p[2])));
