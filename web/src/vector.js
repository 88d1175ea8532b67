// Vectors and matrices of 4 x 4 by columns, as WebGL wants them.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => {
    const n = norm(a);
    return n > 0 ? scale(a, 1 / n) : [0, 0, 0];
};

// Any unit vector across a.
export function across(a) {
    const least = Math.abs(a[0]) < Math.abs(a[1]) ? (Math.abs(a[0]) < Math.abs(a[2]) ? 0 : 2)
        : Math.abs(a[1]) < Math.abs(a[2]) ? 1 : 2;
    const e = [0, 0, 0];
    e[least] = 1;
    return unit(cross(a, e));
}

// Columns of the rotation of a unit quaternion, w first.
export function axesOf([w, x, y, z]) {
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
}

// Between two unit quaternions, the short way.
export function slerp(a, b, s) {
    let c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const sign = c < 0 ? -1 : 1;
    c *= sign;
    let u = 1 - s, v = s;
    if (c < 0.9995) {
        const angle = Math.acos(c), sine = Math.sin(angle);
        u = Math.sin((1 - s) * angle) / sine;
        v = Math.sin(s * angle) / sine;
    }
    const q = [0, 1, 2, 3].map((k) => u * a[k] + v * sign * b[k]);
    const n = Math.hypot(...q);
    return n > 0 ? q.map((x) => x / n) : [1, 0, 0, 0];
}

export function multiply(a, b) {
    const c = new Float32Array(16);
    for (let i = 0; i < 4; i++)
        for (let j = 0; j < 4; j++)
            c[4 * j + i] = a[i] * b[4 * j] + a[4 + i] * b[4 * j + 1] + a[8 + i] * b[4 * j + 2] + a[12 + i] * b[4 * j + 3];
    return c;
}

export function perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(angle / 2);
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0,
        (2 * far * near) / (near - far), 0]);
}

export function lookAt(eye, target, up) {
    const back = unit(sub(eye, target)), right = unit(cross(up, back)), above = cross(back, right);
    return new Float32Array([right[0], above[0], back[0], 0, right[1], above[1], back[1], 0, right[2], above[2], back[2], 0,
        -dot(right, eye), -dot(above, eye), -dot(back, eye), 1]);
}
