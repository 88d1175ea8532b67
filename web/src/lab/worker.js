// The library beside the page: a question at a time. Who does not want to wait ends the worker.

import { Library } from './library.js';

let library = null, told = 0;

function progress(share) {
    const now = performance.now();
    if (now - told < 60) return;
    told = now;
    postMessage({ share });
}

onmessage = async ({ data }) => {
    try {
        if (data.module) {
            library = await Library.create(data.module, progress);
            postMessage({ ready: true });
            return;
        }
        const from = performance.now(), reply = library.ask(data.action, data.words);
        postMessage({ reply, milliseconds: performance.now() - from });
    } catch (error) {
        postMessage({ crash: error.message });
    }
};
