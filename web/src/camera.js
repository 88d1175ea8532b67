// A camera that turns about a target.

import { add, across, cross, dot, lookAt, multiply, perspective, scale, sub, unit } from './vector.js';

export class Camera {
    // up: of space; planar: the motion lies in the plane z = 0.
    constructor(up, planar) {
        this.up = unit(up);
        this.planar = planar;
        this.side = Math.abs(this.up[0]) < 0.9 ? unit(sub([1, 0, 0], scale(this.up, this.up[0]))) : across(this.up);
        this.front = cross(this.up, this.side);
        this.angle = planar ? 0.35 : 0.6;
        this.target = [0, 0, 0];
        this.distance = 5;
        this.aspect = 1;
        this.preset(planar ? 'plane' : 'space');
    }

    static presets(planar) {
        return planar ? [['plane', 'plane'], ['space', 'oblique']]
            : [['space', '3D'], ['front', 'front'], ['side', 'side'], ['top', 'top']];
    }

    preset(name) {
        this.name = name;
        if (this.planar) {
            // The plane z = 0 from above, x to the right.
            this.yaw = name === 'plane' ? 0 : -0.5;
            this.pitch = name === 'plane' ? 0 : -0.45;
            return;
        }
        const views = { space: [-0.65, 0.38], front: [0, 0], side: [-Math.PI / 2, 0], top: [0, Math.PI / 2 - 1e-3] };
        [this.yaw, this.pitch] = views[name];
    }

    turn(yaw, pitch) {
        this.name = '';
        this.yaw -= yaw;
        this.pitch = Math.max(-Math.PI / 2 + 1e-3, Math.min(Math.PI / 2 - 1e-3, this.pitch + pitch));
    }

    // From the target to the eye.
    back() {
        const c = Math.cos(this.pitch), s = Math.sin(this.pitch);
        if (this.planar) {
            const up = [0, 1, 0];
            return add(add(scale([1, 0, 0], c * Math.sin(this.yaw)), scale([0, 0, 1], c * Math.cos(this.yaw))), scale(up, s));
        }
        return add(add(scale(this.side, c * Math.sin(this.yaw)), scale(this.front, -c * Math.cos(this.yaw))), scale(this.up, s));
    }

    // Moves in the plane of the picture, by parts of its height.
    shift(x, y) {
        const back = this.back(), right = unit(cross(this.vertical(), back)), above = cross(back, right);
        const size = 2 * this.distance * Math.tan(this.angle / 2);
        this.target = add(this.target, add(scale(right, -x * size), scale(above, y * size)));
    }

    vertical() {
        return this.planar ? [0, 1, 0] : this.up;
    }

    // So far away that a box is in the picture, from wherever one looks.
    fit(low, high) {
        const half = scale(sub(high, low), 0.5), aspect = Math.min(1, this.aspect);
        this.target = scale(add(low, high), 0.5);
        const tangent = Math.tan(this.angle / 2);
        if (this.planar) {
            this.distance = 1.12 * Math.max(half[1] / tangent, half[0] / (tangent * this.aspect), 1e-9);
            return;
        }
        const flat = Math.hypot(half[0], half[1]);
        this.distance = 1.2 * Math.max(Math.max(half[2], 0.62 * flat) / tangent, (0.95 * flat) / (tangent * this.aspect),
            0.3 * Math.hypot(...half) / (tangent * aspect), 1e-9);
    }

    update(aspect) {
        this.aspect = aspect;
        this.eye = add(this.target, scale(this.back(), this.distance));
        this.view = lookAt(this.eye, this.target, this.vertical());
        const near = this.distance / 200, far = this.distance * 60;
        this.projection = perspective(this.angle, aspect, near, far);
        this.matrix = multiply(this.projection, this.view);
    }

    // Pixels of a point, and its depth; null behind the camera.
    project(p, width, height) {
        const m = this.matrix;
        const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
        if (!(w > 0)) return null;
        const x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w;
        const y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
        return [(0.5 + x / 2) * width, (0.5 - y / 2) * height, w];
    }

    // Pixels per unit of length at a point.
    scaleAt(p, height) {
        const depth = dot(sub(this.eye, p), this.back());
        return height / (2 * Math.max(1e-30, depth) * Math.tan(this.angle / 2));
    }
}
