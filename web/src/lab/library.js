// The library: WebAssembly that takes and gives texts (src/lab/lab.h).

const encoder = new TextEncoder(), decoder = new TextDecoder();
const BAD_FILE = 8, NOT_POSSIBLE = 70; // errors of WASI

// What the C library asks of a system: a clock, and nothing else. There are no files.
function system(memory) {
    return {
        clock_time_get: (clock, precision, at) => {
            new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        fd_close: () => BAD_FILE,
        fd_fdstat_get: () => BAD_FILE,
        fd_seek: () => NOT_POSSIBLE,
        fd_write: () => BAD_FILE,
    };
}

export class Library {
    // progress: told shares from 0 to 1.
    static async create(module, progress) {
        const library = new Library(), memory = () => library.exports.memory;
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system(memory), lab: { progress } });
        library.exports = instance.exports;
        library.exports._initialize();
        return library;
    }

    // Memory moves when it grows: views are made anew.
    bytes(at, size) {
        return new Uint8Array(this.exports.memory.buffer, at, size);
    }

    result() {
        const { lab_result, lab_result_size } = this.exports;
        return decoder.decode(this.bytes(lab_result(), lab_result_size()));
    }

    // Opens a model and asks for something: 'run', 'check', 'verify'. words: the name of the model, options, its text.
    ask(action, words) {
        const request = encoder.encode(words.map((word) => word.replaceAll('\0', '\ufffd')).join('\0'));
        const { lab_room, lab_open } = this.exports, at = lab_room(request.length);
        if (!at) return { failure: { message: 'the browser gives no memory for this' } };
        this.bytes(at, request.length).set(request);
        if (lab_open(request.length) !== 0) return { failure: JSON.parse(this.result()) };
        const facts = JSON.parse(this.result());
        const failed = this.exports[`lab_${action}`]() !== 0, text = this.result();
        return failed ? { facts, failure: JSON.parse(text) } : { facts, answer: JSON.parse(text) };
    }
}
