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
        this.inset = 0; // part of the picture's height, above, that is covered
        this.heading = -0.65;
        this.preset(planar ? 'plane' : 'space');
    }

    static presets(planar) {
        return planar ? [['plane', 'plane'], ['space', 'oblique']]
            : [['space', '3D'], ['front', 'front'], ['side', 'side'], ['top', 'top']];
    }

    // Looks across the longer side of a motion.
    face(low, high) {
        const size = (e) => Math.abs(dot(sub(high, low), e));
        const along = size(this.side), deep = size(this.front);
        this.heading = along > 2 * deep ? -0.3 : deep > 2 * along ? -Math.PI / 2 + 0.3 : -0.65;
        this.preset(this.name);
    }

    preset(name) {
        this.name = name;
        if (this.planar) {
            // The plane z = 0 from above, x to the right.
            this.yaw = name === 'plane' ? 0 : -0.5;
            this.pitch = name === 'plane' ? 0 : -0.45;
            return;
        }
        const views = { space: [this.heading, 0.34], front: [0, 0], side: [-Math.PI / 2, 0], top: [0, Math.PI / 2 - 1e-3] };
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

    // So far away, and so directed, that a box is in the picture.
    fit(low, high) {
        const back = this.back(), right = unit(cross(this.vertical(), back)), above = cross(back, right);
        const tangent = Math.tan(this.angle / 2), room = 1.1, below = room / (1 - this.inset);
        const corners = Array.from({ length: 8 }, (_, k) => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]);
        let target = scale(add(low, high), 0.5);
        for (let pass = 0; pass < 4; pass++) {
            const seen = corners.map((p) => sub(p, target)).map((p) => [dot(p, right), dot(p, above), dot(p, back)]);
            this.distance = Math.max(1e-9, ...seen.map(([x, y, z]) => z + Math.max((room * Math.abs(x)) / (tangent * this.aspect), (below * Math.abs(y)) / tangent)));
            // The middle of what is seen, in perspective.
            const middle = (axis) => {
                const places = seen.map((p) => p[axis] / (this.distance - p[2]));
                return (this.distance * (Math.max(...places) + Math.min(...places))) / 2;
            };
            target = add(target, add(scale(right, middle(0)), scale(above, middle(1))));
        }
        this.target = add(target, scale(above, this.inset * this.distance * tangent));
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
