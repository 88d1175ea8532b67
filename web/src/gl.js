// WebGL2: balls and rods are cast ray by ray and round at any size; boxes, cylinders, cones and ellipsoids are meshes;
// lines are as wide as they are asked to be, in pixels.

const shade = `
vec3 shade(vec3 normal, vec3 toEye, vec3 colour) {
    vec3 light = normalize(lightDirection);
    float diffuse = max(0.0, dot(normal, light));
    float sky = 0.5 + 0.5 * dot(normal, upward);
    float rim = pow(1.0 - max(0.0, dot(normal, toEye)), 3.0);
    float shine = pow(max(0.0, dot(normal, normalize(light + toEye))), 42.0);
    vec3 base = pow(colour, vec3(2.2));
    vec3 lit = base * (0.22 + 0.34 * sky + 0.62 * diffuse) + vec3(0.22 * shine) - base * 0.25 * rim;
    return pow(max(lit, 0.0), vec3(1.0 / 2.2));
}`;

const common = `#version 300 es
precision highp float;
uniform mat4 matrix;
uniform vec3 eye, lightDirection, upward;
uniform vec2 pixels;
uniform float pixelAngle; // size of a pixel at a unit distance
`;

const capsuleVertex = `${common}
layout(location=0) in vec3 corner;
layout(location=1) in vec3 a;
layout(location=2) in vec3 b;
layout(location=3) in float radius;
layout(location=4) in vec4 paint;
out vec3 place;
flat out vec3 from, to;
flat out float r;
flat out vec4 colour;
void main() {
    vec3 along = b - a;
    float len = length(along);
    vec3 e = len > 0.0 ? along / len : vec3(0.0, 0.0, 1.0);
    vec3 x = normalize(abs(e.x) < 0.7 ? cross(e, vec3(1.0, 0.0, 0.0)) : cross(e, vec3(0.0, 1.0, 0.0)));
    vec3 y = cross(e, x);
    float reach = 1.02 * radius + 1.5 * pixelAngle * distance(eye, 0.5 * (a + b));
    place = 0.5 * (a + b) + reach * (corner.x * x + corner.y * y) + corner.z * (0.5 * len + reach) * e;
    from = a; to = b; r = radius; colour = paint;
    gl_Position = matrix * vec4(place, 1.0);
}`;

// Inigo Quilez' intersection of a ray with a capsule.
const capsuleFragment = `${common}
in vec3 place;
flat in vec3 from, to;
flat in float r;
flat in vec4 colour;
out vec4 result;
${shade}
float hit(vec3 ro, vec3 rd) {
    vec3 ba = to - from, oa = ro - from;
    float baba = dot(ba, ba), bard = dot(ba, rd), baoa = dot(ba, oa), rdoa = dot(rd, oa), oaoa = dot(oa, oa);
    float a = baba - bard * bard, b = baba * rdoa - baoa * bard, c = baba * oaoa - baoa * baoa - r * r * baba;
    float h = b * b - a * c;
    if (baba > 0.0 && h >= 0.0 && a > 1e-7 * baba) {
        float t = (-b - sqrt(h)) / a;
        float y = baoa + t * bard;
        if (y > 0.0 && y < baba) return t;
    }
    vec3 oc = baba > 0.0 && baoa + bard * max(0.0, -rdoa) > 0.5 * baba ? ro - to : oa;
    float bb = dot(rd, oc), cc = dot(oc, oc) - r * r;
    h = bb * bb - cc;
    if (h > 0.0) return -bb - sqrt(h);
    oc = oc == oa ? ro - to : oa;
    bb = dot(rd, oc); cc = dot(oc, oc) - r * r;
    h = bb * bb - cc;
    return h > 0.0 ? -bb - sqrt(h) : -1.0;
}
void main() {
    vec3 rd = normalize(place - eye);
    // The ray begins close to the capsule: distances from the eye would lose digits.
    float skip = max(0.0, dot(0.5 * (from + to) - eye, rd) - length(to - from) - 3.0 * r);
    vec3 ro = eye + skip * rd;
    vec3 ba = to - from, w = ro - from;
    // Where the ray is closest to the axis: the edge is as soft as a pixel is wide.
    float bb = dot(ba, ba), rb = dot(rd, ba), s = bb > 0.0 ? clamp((dot(ba, w) - rb * dot(rd, w)) / max(bb - rb * rb, 1e-9 * bb), 0.0, 1.0) : 0.0;
    float t = rb * s - dot(rd, w), pixel = pixelAngle * (skip + t);
    float alpha = clamp(0.5 + (r - length(w + t * rd - s * ba)) / pixel, 0.0, 1.0);
    if (alpha <= 0.0) discard;
    float near = hit(ro, rd);
    if (near > 0.0) t = near;
    vec3 p = ro + t * rd;
    s = bb > 0.0 ? clamp(dot(p - from, ba) / bb, 0.0, 1.0) : 0.0;
    vec3 normal = normalize(p - from - s * ba);
    vec4 clip = matrix * vec4(p, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    result = vec4(shade(normal, -rd, colour.rgb), colour.a * alpha);
}`;

const solidVertex = `${common}
layout(location=0) in vec3 corner;
layout(location=1) in vec3 normal;
layout(location=2) in vec3 x;
layout(location=3) in vec3 y;
layout(location=4) in vec3 z;
layout(location=5) in vec3 origin;
layout(location=6) in vec4 paint;
out vec3 place, direction;
flat out vec4 colour;
void main() {
    place = origin + corner.x * x + corner.y * y + corner.z * z;
    // The inverse transpose of axes that are orthogonal.
    direction = normal.x * x / max(1e-30, dot(x, x)) + normal.y * y / max(1e-30, dot(y, y)) + normal.z * z / max(1e-30, dot(z, z));
    colour = paint;
    gl_Position = matrix * vec4(place, 1.0);
}`;

const solidFragment = `${common}
in vec3 place, direction;
flat in vec4 colour;
out vec4 result;
${shade}
void main() {
    vec3 toEye = normalize(eye - place), normal = normalize(direction);
    result = vec4(shade(dot(normal, toEye) < 0.0 ? -normal : normal, toEye, colour.rgb), colour.a);
}`;

const lineVertex = `${common}
layout(location=0) in vec2 corner;
layout(location=1) in vec3 a;
layout(location=2) in vec3 b;
layout(location=3) in float width;
layout(location=4) in vec4 paint;
layout(location=5) in float alphaEnd;
out float side, alpha;
flat out vec3 colour;
flat out float wide;
void main() {
    vec4 p = matrix * vec4(a, 1.0), q = matrix * vec4(b, 1.0);
    float near = 1e-4;
    if (p.w < near && q.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
    if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
    vec2 u = p.xy / p.w * pixels, v = q.xy / q.w * pixels, along = v - u;
    float len = length(along);
    vec2 e = len > 1e-6 ? along / len : vec2(1.0, 0.0), n = vec2(-e.y, e.x);
    wide = 0.5 * max(width, 1.0);
    float reach = wide + 1.0;
    // Opaque pieces overlap where they meet, others would show it.
    vec2 at = mix(u, v, corner.x) + n * corner.y * reach + e * (corner.x * 2.0 - 1.0) * 0.8 * wide * step(0.99, paint.a);
    vec4 end = corner.x < 0.5 ? p : q;
    side = corner.y * reach;
    colour = paint.rgb;
    alpha = corner.x < 0.5 ? paint.a : alphaEnd;
    gl_Position = vec4(at / pixels * end.w, end.z - 2e-5 * end.w, end.w);
}`;

const lineFragment = `${common}
in float side, alpha;
flat in vec3 colour;
flat in float wide;
out vec4 result;
void main() { result = vec4(colour, alpha * clamp(wide + 0.5 - abs(side), 0.0, 1.0)); }`;

const triangleVertex = `${common}
layout(location=0) in vec3 corner;
layout(location=1) in vec4 paint;
out vec3 place;
flat out vec4 colour;
void main() { place = corner; colour = paint; gl_Position = matrix * vec4(corner, 1.0); }`;

const triangleFragment = `${common}
in vec3 place;
flat in vec4 colour;
out vec4 result;
${shade}
void main() {
    vec3 toEye = normalize(eye - place), normal = normalize(cross(dFdx(place), dFdy(place)));
    result = vec4(shade(dot(normal, toEye) < 0.0 ? -normal : normal, toEye, colour.rgb), colour.a);
}`;

// ---- meshes: corners and normals, in turn -------------------------------------------------------------

function boxMesh() {
    const mesh = [];
    for (let axis = 0; axis < 3; axis++)
        for (const side of [-1, 1])
            for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) {
                const corner = [0, 0, 0], normal = [0, 0, 0];
                corner[axis] = normal[axis] = side;
                corner[(axis + 1) % 3] = side * u; // counter-clockwise from outside
                corner[(axis + 2) % 3] = v;
                mesh.push(...corner, ...normal);
            }
    return mesh;
}

// Around the third axis, from z = -1 to 1; the upper radius is 1 or 0.
function roundMesh(top) {
    const mesh = [], n = 48;
    const angle = (k) => (2 * Math.PI * k) / n;
    for (let k = 0; k < n; k++) {
        const [c, s, c1, s1] = [Math.cos(angle(k)), Math.sin(angle(k)), Math.cos(angle(k + 1)), Math.sin(angle(k + 1))];
        const slope = (1 - top) / 2;
        const quad = [[c, s, -1, c, s, slope], [c1, s1, -1, c1, s1, slope], [top * c1, top * s1, 1, c1, s1, slope],
            [c, s, -1, c, s, slope], [top * c1, top * s1, 1, c1, s1, slope], [top * c, top * s, 1, c, s, slope]];
        mesh.push(...quad.flat());
        for (const z of top ? [-1, 1] : [-1])
            mesh.push(0, 0, z, 0, 0, z, c, s, z, 0, 0, z, c1, s1, z, 0, 0, z);
    }
    return mesh;
}

function ballMesh() {
    const mesh = [], n = 40, m = 24;
    const at = (i, j) => {
        const u = (Math.PI * i) / m, v = (2 * Math.PI * j) / n;
        const p = [Math.sin(u) * Math.cos(v), Math.sin(u) * Math.sin(v), Math.cos(u)];
        return [...p, ...p];
    };
    for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j++)
            mesh.push(...at(i, j), ...at(i + 1, j), ...at(i + 1, j + 1), ...at(i, j), ...at(i + 1, j + 1), ...at(i, j + 1));
    return mesh;
}

function cubeCorners() {
    const mesh = boxMesh(), corners = [];
    for (let k = 0; k < mesh.length; k += 6) corners.push(mesh[k], mesh[k + 1], mesh[k + 2]);
    return corners;
}

// ---- the renderer ---------------------------------------------------------------------------------------

function compile(gl, vertex, fragment) {
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
        throw new Error(`a shader failed: ${gl.getProgramInfoLog(program)} ${gl.getAttachedShaders(program).map((s) => gl.getShaderInfoLog(s)).join(' ')}`);
    const places = {};
    for (const name of ['matrix', 'eye', 'lightDirection', 'upward', 'pixels', 'pixelAngle']) places[name] = gl.getUniformLocation(program, name);
    return { program, places };
}

// Instances of a mesh: `shape` and `layout` are lists of numbers per attribute. Instances are made even if some lack their last number,
// which is then that before it: lines have the same alpha at both ends unless they say otherwise. Where no hardware draws, each
// instance costs as much as a drawing of its own: `plain` ones are vertices of one mesh instead.
class Batch {
    constructor(gl, program, mesh, shape, layout, plain) {
        const sum = (list) => list.reduce((a, b) => a + b, 0);
        Object.assign(this, { gl, program, mesh, plain, corner: sum(shape), width: sum(layout), count: mesh.length / sum(shape), data: new Float32Array(0) });
        this.array = gl.createVertexArray();
        gl.bindVertexArray(this.array);
        if (!plain) {
            gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh), gl.STATIC_DRAW);
            this.attributes(0, shape, 0);
        }
        this.instances = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
        if (plain) this.attributes(0, [...shape, ...layout], 0);
        else this.attributes(shape.length, layout, 1);
        gl.bindVertexArray(null);
    }

    attributes(first, sizes, divisor) {
        const gl = this.gl, stride = 4 * sizes.reduce((a, b) => a + b, 0);
        let at = 0;
        sizes.forEach((size, k) => {
            gl.enableVertexAttribArray(first + k);
            gl.vertexAttribPointer(first + k, size, gl.FLOAT, false, stride, at);
            gl.vertexAttribDivisor(first + k, divisor);
            at += 4 * size;
        });
    }

    // Room for so many numbers, kept from frame to frame.
    room(size) {
        if (this.data.length < size) this.data = new Float32Array(2 * size);
        return this.data;
    }

    fillInstances(list) {
        const data = this.room(list.length * this.width);
        for (let k = 0, at = 0; k < list.length; k++, at += this.width) this.put(data, at, list[k]);
        return list.length * this.width;
    }

    fillVertices(list) {
        const stride = this.corner + this.width, data = this.room(list.length * this.count * stride);
        let at = 0;
        for (const item of list)
            for (let corner = 0; corner < this.mesh.length; corner += this.corner, at += stride) {
                for (let i = 0; i < this.corner; i++) data[at + i] = this.mesh[corner + i];
                this.put(data, at + this.corner, item);
            }
        return at;
    }

    put(data, at, item) {
        for (let i = 0; i < item.length; i++) data[at + i] = item[i];
        if (item.length < this.width) data[at + item.length] = item[item.length - 1];
    }

    draw(list, uniforms) {
        if (!list.length) return;
        const gl = this.gl, size = this.plain ? this.fillVertices(list) : this.fillInstances(list);
        gl.useProgram(this.program.program);
        uniforms(this.program.places);
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
        gl.bufferData(gl.ARRAY_BUFFER, this.data.subarray(0, size), gl.DYNAMIC_DRAW);
        if (this.plain) gl.drawArrays(gl.TRIANGLES, 0, this.count * list.length);
        else gl.drawArraysInstanced(gl.TRIANGLES, 0, this.count, list.length);
        gl.bindVertexArray(null);
    }
}

// Several samples of each pixel take several times as long where no hardware draws.
function isSoftware() {
    const gl = document.createElement('canvas').getContext('webgl2'), info = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
}

export class GlRenderer {
    constructor(canvas) {
        const software = isSoftware(), gl = canvas.getContext('webgl2', { antialias: !software, alpha: false, preserveDrawingBuffer: true });
        if (!gl) throw new Error('WebGL2 is not available');
        this.gl = gl;
        this.canvas = canvas;
        this.capsules = new Batch(gl, compile(gl, capsuleVertex, capsuleFragment), cubeCorners(), [3], [3, 3, 1, 4], software);
        const solid = compile(gl, solidVertex, solidFragment);
        const meshes = { box: boxMesh(), cylinder: roundMesh(1), cone: roundMesh(0), ball: ballMesh() };
        this.solids = Object.fromEntries(Object.entries(meshes).map(([name, mesh]) => [name, new Batch(gl, solid, mesh, [3, 3], [3, 3, 3, 3, 4], false)]));
        this.lines = new Batch(gl, compile(gl, lineVertex, lineFragment), [0, -1, 1, -1, 1, 1, 0, -1, 1, 1, 0, 1], [2], [3, 3, 1, 4, 1], software);
        this.triangles = compile(gl, triangleVertex, triangleFragment);
        this.triangleArray = gl.createVertexArray();
        this.triangleBuffer = gl.createBuffer();
        gl.bindVertexArray(this.triangleArray);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.triangleBuffer);
        for (const [k, size, at] of [[0, 3, 0], [1, 4, 12]]) {
            gl.enableVertexAttribArray(k);
            gl.vertexAttribPointer(k, size, gl.FLOAT, false, 28, at);
        }
        gl.bindVertexArray(null);
    }

    // grid: lines behind everything; drawing: of the run; ghosts: of others.
    render(camera, background, grid, drawing, ghosts, density) {
        const gl = this.gl, { width, height } = this.canvas;
        gl.viewport(0, 0, width, height);
        gl.clearColor(...background, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
        const v = camera.view, up = camera.vertical();
        // The light stands above the left shoulder.
        const light = [0, 1, 2].map((k) => -0.5 * v[4 * k] + 0.75 * v[4 * k + 1] + 0.75 * v[4 * k + 2]);
        const uniforms = (places) => {
            gl.uniformMatrix4fv(places.matrix, false, camera.matrix);
            gl.uniform3fv(places.eye, camera.eye);
            gl.uniform3fv(places.lightDirection, light);
            gl.uniform3fv(places.upward, up);
            gl.uniform1f(places.pixelAngle, (2 * Math.tan(camera.angle / 2)) / height);
            gl.uniform2f(places.pixels, width / density / 2, height / density / 2);
        };
        gl.depthMask(false);
        this.lines.draw(grid, uniforms);
        gl.depthMask(true);
        this.solid(drawing, uniforms);
        gl.depthMask(false);
        this.lines.draw(drawing.lines, uniforms);
        this.fill(drawing.triangles, uniforms);
        gl.depthMask(true);
        if (ghosts) {
            this.solid(ghosts, uniforms);
            this.lines.draw(ghosts.lines, uniforms);
        }
    }

    solid(drawing, uniforms) {
        const gl = this.gl;
        gl.enable(gl.CULL_FACE);
        gl.cullFace(gl.FRONT); // the far side of the box around a capsule is there also when the eye is inside
        gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        this.capsules.draw(drawing.capsules, uniforms);
        gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        gl.disable(gl.CULL_FACE);
        for (const [name, batch] of Object.entries(this.solids)) batch.draw(drawing.solids[name], uniforms);
    }

    fill(list, uniforms) {
        if (!list.length) return;
        const gl = this.gl, data = new Float32Array(list.length * 21);
        list.forEach((t, k) => {
            for (let corner = 0; corner < 3; corner++) {
                data.set(t.slice(3 * corner, 3 * corner + 3), 21 * k + 7 * corner);
                data.set(t.slice(9), 21 * k + 7 * corner + 3);
            }
        });
        gl.useProgram(this.triangles.program);
        uniforms(this.triangles.places);
        gl.bindVertexArray(this.triangleArray);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.triangleBuffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
        gl.drawArrays(gl.TRIANGLES, 0, list.length * 3);
        gl.bindVertexArray(null);
    }
}
