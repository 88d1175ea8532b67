// Tables of a page: columns of floats that were packed by src/report/pack.c, and what is asked of them.

async function inflate(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Differences of bit patterns without their lowest `shift` bits, of some order, bytes apart, sign in the lowest bit: sums of
// sums. `at` is the place of the first byte, `plane` the distance to the next.
function unpack(bytes, at, plane, rows, shift, order) {
    const patterns = new Uint32Array(rows), sums = new Int32Array(order + 1);
    for (let k = 0; k < rows; k++) {
        const y = (bytes[at + k] | (bytes[at + plane + k] << 8) | (bytes[at + 2 * plane + k] << 16) |
            (bytes[at + 3 * plane + k] << 24)) >>> 0;
        sums[order] = (y >>> 1) ^ -(y & 1);
        for (let n = order - 1; n >= 0; n--) sums[n] += sums[n + 1];
        patterns[k] = sums[0] << shift;
    }
    return new Float32Array(patterns.buffer);
}

// The same for one column of 64-bit numbers with all their bits.
function unpackDoubles(bytes, rows) {
    const patterns = new BigUint64Array(rows), order = bytes[0], sums = new BigInt64Array(order + 1);
    for (let k = 0; k < rows; k++) {
        let y = 0n;
        for (let byte = 7; byte >= 0; byte--) y = (y << 8n) | BigInt(bytes[1 + byte * rows + k]);
        sums[order] = BigInt.asIntN(64, (y >> 1n) ^ -(y & 1n));
        for (let n = order - 1; n >= 0; n--) sums[n] += sums[n + 1];
        patterns[k] = BigInt.asUintN(64, sums[0]);
    }
    return new Float64Array(patterns.buffer);
}

// One column that was packed by itself: 64-bit numbers, or 32-bit ones with all their bits.
export async function readColumn({ data, exact }, rows) {
    if (!rows) return new Float64Array(0);
    const bytes = await inflate(data);
    return exact ? unpackDoubles(bytes, rows) : unpack(bytes, 1, rows, rows, 0, bytes[0]);
}

// The last k with times[k] <= t, at least 0.
export function rowAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}

export class Table {
    // columns: [{name, channel, what, values, least, most}]
    constructor(times, columns, every = 1, seen = times.length) {
        Object.assign(this, { times, columns, every, seen });
    }

    find(name, what) {
        return this.columns.find((c) => c.name === name && (!what || c.what === what));
    }

    valueAt(column, t) {
        return column.values[rowAt(this.times, t)];
    }
}

// others: a table some of whose columns are those of this one, too.
async function readTable(json, others) {
    const { rows, width, shift = 0 } = json;
    if (!rows || !width) return new Table(new Float64Array(0), []);
    const times = unpackDoubles(await inflate(json.t), rows);
    const bytes = await inflate(json.data);
    const same = new Map(json.same ?? []);
    const count = (width - same.size) * (json.bands ? 3 : 1);
    let taken = 0;
    const next = (bits) => unpack(bytes, count + taken * rows, count * rows, rows, bits, bytes[taken++]);
    const columns = Array.from({ length: width }, (_, k) => {
        const [name, channel, what, bits] = json.columns?.[k] ?? [];
        const values = same.has(k) ? others.columns[same.get(k)].values : next(bits ?? shift);
        return { name, channel, what, values, bits: bits ?? shift };
    });
    for (const band of json.bands ? ['least', 'most'] : [])
        for (const column of columns) column[band] = next(column.bits);
    return new Table(times, columns, json.every, json.seen);
}

export async function readRun(json) {
    const { tables, ...run } = json;
    run.watch = await readTable(tables.watch);
    run.columns = await readTable(tables.columns);
    run.frames = await readTable(tables.view, run.columns);
    return run;
}

// When runs begin and end.
export const span = (runs) => [Math.min(...runs.map((run) => run.watch.times[0] ?? 0)), Math.max(...runs.map((run) => run.watch.times.at(-1) ?? 0))];

// Every column of a run that can be chosen by its name, in the order of files.
export function allColumns(run) {
    const shown = run.watch.columns.filter((c) => c.what !== 'change');
    return [
        ...run.columns.columns.map((column) => ({ column, table: run.columns })),
        ...shown.map((column) => ({ column, table: run.watch })),
    ];
}
