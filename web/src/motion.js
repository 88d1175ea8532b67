// The motion: a picture that can be turned, a time that can be moved.

import { Camera } from './camera.js';
import { CanvasRenderer } from './canvas.js';
import { colour, onTheme, rgb, variable } from './colours.js';
import { button, el } from './dom.js';
import { short } from './format.js';
import { GlRenderer } from './gl.js';
import { emptyDrawing, Scene } from './scene.js';
import { add, scale, sub, unit } from './vector.js';

function makeRenderer(canvas) {
    try {
        if (new URLSearchParams(location.search).has('canvas')) throw new Error('asked for');
        return [new GlRenderer(canvas), canvas];
    } catch (error) {
        console.info(`drawing without WebGL2: ${error.message}`);
        const plain = el('canvas', { class: canvas.className, 'aria-hidden': true });
        canvas.replaceWith(plain);
        return [new CanvasRenderer(plain), plain];
    }
}

export class Motion {
    constructor(runs, clock) {
        this.clock = clock;
        this.trails = true;
        this.share = 1; // of the pixels that there are, in each direction
        this.late = 0;
        this.build();
        this.show(runs);
    }

    build() {
        this.canvas = el('canvas', { class: 'picture', 'aria-hidden': true });
        this.overlay = el('canvas', { class: 'overlay', 'aria-hidden': true });
        this.stage = el('div', { class: 'stage', tabindex: 0, role: 'img', 'aria-label': 'The motion. Drag to turn, wheel to zoom, space to play.' });
        this.element = el('section', { class: 'motion', id: 'motion' }, this.stage, this.transport());
        this.listen();
        this.clock.listen(() => {
            this.showTime();
            this.request();
        });
    }

    // runs: the first is drawn as it is, the others as ghosts. same: they are like those before, and so looked at from there.
    show(runs, same = false) {
        this.scenes = runs.filter((run) => run.view && run.frames.times.length).map((run) => new Scene(run.view, run.frames));
        const before = this.main;
        this.main = this.scenes[0];
        this.stage.classList.toggle('bare', !this.main);
        if (!this.main) {
            this.stage.replaceChildren(el('p', { class: 'empty' }, 'This page has no picture: the rows of the run lack the coordinates that it needs.'));
            return;
        }
        const { view, low, high, travels } = this.main;
        if (!before || !this.stage.contains(this.canvas)) this.stage.replaceChildren(this.canvas, this.overlay);
        if (!this.renderer) [this.renderer, this.canvas] = makeRenderer(this.canvas);
        if (!same || !before || before.view.planar !== view.planar || String(before.view.up) !== String(view.up)) {
            this.camera = new Camera(view.up, view.planar);
            this.camera.face(low, high);
            this.follows = travels;
            this.touched = false;
        }
        this.toolbar?.remove();
        this.stage.append((this.toolbar = this.tools()));
        if (this.density) this.resize();
        if (!this.touched) this.fit();
        this.request();
    }

    // ---- controls --------------------------------------------------------------------------------

    transport() {
        const clock = this.clock;
        this.playButton = button('▶', () => clock.play(), { class: 'play', 'aria-label': 'play' });
        this.slider = el('input', { type: 'range', min: 0, max: 10000, value: 0, step: 1, 'aria-label': 'time', oninput: () => {
            clock.play(false);
            clock.set(clock.begin + (clock.end - clock.begin) * (this.slider.value / 10000));
        } });
        this.timeText = el('output', { class: 'time' });
        this.speedText = el('span', { class: 'speed' });
        return el('div', { class: 'transport' }, this.playButton, this.slider, this.timeText,
            el('span', { class: 'speeds' }, button('−', () => clock.faster(-1), { 'aria-label': 'slower', title: 'slower' }), this.speedText,
                button('+', () => clock.faster(1), { 'aria-label': 'faster', title: 'faster' })));
    }

    showTime() {
        const { t, begin, end, playing, speed } = this.clock;
        this.playButton.textContent = playing ? '❚❚' : '▶';
        this.playButton.setAttribute('aria-label', playing ? 'pause' : 'play');
        if (document.activeElement !== this.slider || playing) this.slider.value = 10000 * ((t - begin) / (end - begin || 1));
        const digits = Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(end - begin || 1)) + 1));
        this.timeText.textContent = `t = ${t.toFixed(digits)}`;
        this.speedText.textContent = `×${short(speed, 2)}`;
        this.speedText.title = `${short(speed, 2)} units of time in a second`;
    }

    tools() {
        const presets = Camera.presets(this.main.view.planar).map(([name, label]) => button(label, () => {
            this.camera.preset(name);
            this.fit();
        }, { title: `look from: ${label}` }));
        this.followButton = button('follow', () => this.setFollow(!this.follows), { 'aria-pressed': String(this.follows), title: 'the camera moves along' });
        this.trailButton = button('trails', () => {
            this.trails = !this.trails;
            this.trailButton.setAttribute('aria-pressed', String(this.trails));
            this.request();
        }, { 'aria-pressed': String(this.trails), title: 'show where things have been' });
        const moves = this.main.trailing.size > 0;
        return el('div', { class: 'tools' }, presets, this.followButton, moves ? this.trailButton : null,
            button('full', () => (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen?.()), { 'aria-label': 'full screen', title: 'full screen' }));
    }

    setFollow(on) {
        this.follows = on;
        this.followButton.setAttribute('aria-pressed', String(on));
        this.fit();
    }

    listen() {
        const stage = this.stage, pointers = new Map();
        let gap = 0;
        stage.addEventListener('pointerdown', (event) => {
            if (event.target.closest('.tools') || !this.main) return;
            stage.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, [event.clientX, event.clientY]);
            gap = 0;
        });
        stage.addEventListener('pointermove', (event) => {
            const before = pointers.get(event.pointerId);
            if (!before) return;
            const height = stage.clientHeight, dx = (event.clientX - before[0]) / height, dy = (event.clientY - before[1]) / height;
            pointers.set(event.pointerId, [event.clientX, event.clientY]);
            if (pointers.size === 2) {
                const [a, b] = [...pointers.values()], distance = Math.hypot(a[0] - b[0], a[1] - b[1]);
                if (gap > 0) this.zoom(gap / distance);
                gap = distance;
                this.camera.shift(dx / 2, dy / 2);
            } else if (event.shiftKey || event.buttons === 2 || (this.camera.planar && this.camera.name === 'plane')) this.camera.shift(dx, dy);
            else this.camera.turn(dx * 3, dy * 3);
            this.request();
        });
        for (const type of ['pointerup', 'pointercancel']) stage.addEventListener(type, (event) => pointers.delete(event.pointerId));
        stage.addEventListener('contextmenu', (event) => event.preventDefault());
        stage.addEventListener('wheel', (event) => {
            if (!this.main) return;
            event.preventDefault();
            this.zoom(Math.exp(event.deltaY * 0.0012));
        }, { passive: false });
        stage.addEventListener('dblclick', (event) => event.target.closest('.tools') || !this.main || this.fit());
        new ResizeObserver(() => {
            if (!this.main) return;
            this.resize();
            if (!this.touched) this.fit();
            this.request();
        }).observe(stage);
        onTheme(() => this.request());
    }

    zoom(factor) {
        this.touched = true;
        this.camera.distance *= factor;
        this.request();
    }

    fit() {
        this.touched = false;
        const { low, high, size } = this.main;
        this.camera.inset = Math.min(0.25, 44 / Math.max(1, this.stage.clientHeight));
        if (this.follows) {
            const half = scale([1, 1, 1], 0.27 * size);
            this.camera.fit(scale(half, -1), half);
        } else this.camera.fit(low, high);
        this.request();
    }

    resize() {
        const density = Math.min(2, devicePixelRatio || 1), { clientWidth, clientHeight } = this.stage;
        const size = (canvas, pixels) => {
            canvas.width = Math.max(1, Math.round(clientWidth * pixels));
            canvas.height = Math.max(1, Math.round(clientHeight * pixels));
        };
        this.density = density * this.share;
        size(this.canvas, this.density);
        size(this.overlay, density);
        this.overlayDensity = density;
        this.decorated = '';
        this.camera.aspect = clientWidth / Math.max(1, clientHeight);
    }

    // ---- drawing -------------------------------------------------------------------------------------

    request() {
        if (this.waiting || !this.main) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            if (this.main) this.render();
        });
    }

    // Where frames come late while the motion plays, as they do where pictures are not drawn by hardware, these have fewer pixels
    // until it pauses.
    pace() {
        const now = performance.now(), gap = now - (this.last ?? now);
        this.last = now;
        if (!this.clock.playing) {
            this.late = 0;
            if (this.share < 1) this.setShare(1);
            return;
        }
        if (gap < 200) this.late = Math.max(-20, this.late + (gap > 24 ? 1 : -1));
        if (this.late > 12 && this.share > 0.5) this.setShare(this.share * 0.8);
    }

    setShare(share) {
        this.share = Math.max(0.5, share);
        this.late = 0;
        this.resize();
    }

    render() {
        if (!this.density) return;
        this.pace();
        const t = this.clock.t, camera = this.camera;
        if (this.follows) {
            const centre = this.main.centre(t);
            if (this.main.view.ground && !camera.planar) centre[2] = Math.max(0, centre[2]);
            camera.target = centre;
        }
        camera.update(this.canvas.width / this.canvas.height);
        const drawing = this.main.draw(t, emptyDrawing(), 1, this.trails);
        const ghosts = this.scenes.length > 1 ? emptyDrawing() : null;
        for (const scene of this.scenes.slice(1)) scene.draw(t, ghosts, 0.35, this.trails);
        this.renderer.render(camera, rgb(variable('--stage')), this.grid(), drawing, ghosts, this.density);
        this.decorate();
        this.frameCount = (this.frameCount ?? 0) + 1;
    }

    // Lines at round distances in the plane on which things stand, or in which they move.
    grid() {
        const key = [this.camera.target, this.camera.side, this.main.gridUnit(), variable('--grid')].join();
        if (this.gridKey !== key) [this.gridKey, this.gridLines] = [key, this.makeGrid()];
        return this.gridLines;
    }

    makeGrid() {
        const { main, camera } = this, unitLength = main.gridUnit(), lines = [], ink = rgb(variable('--grid'));
        const up = camera.planar ? [0, 0, 1] : camera.up;
        const side = camera.planar ? [1, 0, 0] : camera.side, front = camera.planar ? [0, 1, 0] : camera.front;
        const along = (p, e) => p[0] * e[0] + p[1] * e[1] + p[2] * e[2];
        const corners = [main.low, main.high];
        const lowest = Math.min(...corners.map((p) => along(p, up)));
        const floor = camera.planar ? -0.02 * main.size : main.view.ground ? 0 : Math.floor(lowest / unitLength + 1e-6) * unitLength;
        const n = camera.planar ? 24 : 12, centre = [side, front].map((e) => Math.round(along(camera.target, e) / unitLength));
        const at = (i, j) => add(add(scale(side, i * unitLength), scale(front, j * unitLength)), scale(up, floor));
        // Each line is brightest at its middle.
        for (let i = -n; i <= n; i++)
            for (const across of [false, true]) {
                const number = centre[across ? 1 : 0] + i, peak = (number === 0 ? 0.95 : 0.5) * (1 - Math.abs(i) / n);
                const point = (j) => (across ? at(centre[0] + j, number) : at(number, centre[1] + j)), reach = Math.sqrt(n * n - i * i);
                if (peak > 0) for (const side of [-reach, reach]) lines.push([...point(0), ...point(side), 1, ...ink, peak, 0]);
            }
        return lines;
    }

    // Axes and gravity in corners, the distance of the grid.
    decorate() {
        const state = [...this.camera.view, variable('--muted'), this.main.gridUnit()].join();
        if (this.decorated === state) return;
        this.decorated = state;
        const c = this.overlay.getContext('2d'), d = this.overlayDensity, width = this.overlay.width / d, height = this.overlay.height / d;
        c.setTransform(d, 0, 0, d, 0, 0);
        c.clearRect(0, 0, width, height);
        c.font = '12px system-ui, sans-serif';
        c.lineWidth = 1.6;
        c.lineCap = 'round';
        const ink = variable('--muted'), v = this.camera.view;
        const turn = (p) => [v[0] * p[0] + v[4] * p[1] + v[8] * p[2], -(v[1] * p[0] + v[5] * p[1] + v[9] * p[2])];
        const arrow = (x, y, p, length, label, paint) => {
            const [dx, dy] = turn(p), size = Math.hypot(dx, dy), ex = x + length * dx, ey = y + length * dy;
            c.strokeStyle = c.fillStyle = paint;
            c.beginPath();
            c.moveTo(x, y);
            c.lineTo(ex, ey);
            if (size > 0.2)
                for (const side of [-0.45, 0.45]) {
                    const angle = Math.atan2(dy, dx) + Math.PI + side;
                    c.moveTo(ex, ey);
                    c.lineTo(ex + 6 * Math.cos(angle), ey + 6 * Math.sin(angle));
                }
            c.stroke();
            if (size > 0.25) c.fillText(label, ex + (8 * dx) / size - 3, ey + (11 * dy) / size + 4);
        };
        const axes = this.camera.planar ? ['x', 'y'] : ['x', 'y', 'z'];
        axes.forEach((name, k) => arrow(38, height - 38, [0, 1, 2].map((i) => (i === k ? 1 : 0)), 24, name, ink));
        const gravity = this.main.view.gravity;
        if (gravity.some((x) => x !== 0)) arrow(90, height - 52, unit(gravity), 26, 'g', colour(1));
        c.fillStyle = ink;
        c.textAlign = 'right';
        c.fillText(`grid ${short(this.main.gridUnit(), 3)}`, width - 14, height - 14);
        c.textAlign = 'left';
    }
}
