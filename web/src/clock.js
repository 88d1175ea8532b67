// The time that everything on the page shows.

import { prefersReducedMotion } from './dom.js';

const ladder = [1, 2, 5];

export function roundNumber(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return ladder.findLast((m) => m * power <= x * 1.000001) * power || power;
}

export class Clock {
    constructor(begin, end) {
        Object.assign(this, { t: begin, playing: false, listeners: [], before: 0 });
        this.span(begin, end);
    }

    // Other times; where they are the same, nothing changes.
    span(begin, end) {
        if (begin === this.begin && end === this.end) return;
        const length = end - begin;
        Object.assign(this, { begin, end });
        // Real time if that takes some seconds, else a round factor that does.
        this.speed = length > 3 && length < 45 ? 1 : roundNumber(Math.max(length, 1e-300) / 10);
        this.set(this.t);
    }

    listen(listener) {
        this.listeners.push(listener);
        listener(this);
    }

    notify() {
        for (const listener of this.listeners) listener(this);
    }

    set(t) {
        this.t = Math.min(this.end, Math.max(this.begin, Number.isFinite(t) ? t : this.begin));
        this.notify();
    }

    play(on = !this.playing) {
        if (on === this.playing) return;
        this.playing = on;
        if (on) {
            if (this.t >= this.end) this.t = this.begin;
            this.before = 0;
            requestAnimationFrame((now) => this.tick(now));
        }
        this.notify();
    }

    tick(now) {
        if (!this.playing) return;
        const seconds = this.before ? Math.min(0.1, (now - this.before) / 1000) : 0;
        this.before = now;
        let t = this.t + seconds * this.speed;
        if (t >= this.end) t = this.t < this.end ? this.end : this.begin; // shows the end, then begins anew
        this.set(t);
        requestAnimationFrame((later) => this.tick(later));
    }

    faster(steps) {
        const exponent = Math.round(3 * Math.log10(this.speed)) + steps;
        const power = Math.floor(exponent / 3);
        this.speed = ladder[exponent - 3 * power] * 10 ** power;
        this.notify();
    }

    // Whether the motion begins by itself.
    begins() {
        return !prefersReducedMotion() && this.end > this.begin;
    }
}

// #t=6.2
export function linkTime(clock) {
    const read = () => {
        const found = /[#&]t=([-+.\deE]+)/.exec(location.hash);
        const t = found ? Number(found[1]) : NaN;
        if (!Number.isFinite(t)) return false;
        clock.play(false);
        clock.set(t);
        return true;
    };
    addEventListener('hashchange', read);
    let timer = 0;
    let started = false;
    clock.listen(() => {
        if (!started || clock.playing) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
            if (!clock.playing) history.replaceState(null, '', `#t=${Number(clock.t.toPrecision(6))}`);
        }, 250);
    });
    const found = read();
    started = true;
    return found;
}
