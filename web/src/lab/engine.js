// A worker with the library in it, which is replaced whenever a newer question cannot wait.

const PATIENCE = 250; // milliseconds that a question may take before a newer one ends it

export class Engine {
    constructor(module, source) {
        this.module = module;
        this.url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
        this.begin();
    }

    begin() {
        this.worker = new Worker(this.url);
        this.worker.onmessage = ({ data }) => this.hear(data);
        this.worker.onerror = (event) => this.hear({ crash: event.message || 'the worker has stopped' });
        this.worker.postMessage({ module: this.module });
        this.current = null;
    }

    // question: {action, words, progress}. The promise gets {facts, answer, failure, milliseconds}, or null if a newer
    // question or stop() came before.
    ask(question) {
        return new Promise((resolve) => {
            this.next?.resolve(null);
            this.next = { ...question, resolve };
            if (!this.current) this.advance();
            else {
                clearTimeout(this.timer);
                const current = this.current;
                this.timer = setTimeout(() => current === this.current && this.next && this.replace(), PATIENCE - (performance.now() - current.from));
            }
        });
    }

    stop() {
        this.next?.resolve(null);
        this.next = null;
        if (this.current) this.replace();
    }

    replace() {
        this.worker.terminate();
        this.current?.resolve(null);
        this.begin();
        this.advance();
    }

    advance() {
        if (!this.next) return;
        this.current = { ...this.next, from: performance.now() };
        this.next = null;
        this.worker.postMessage({ action: this.current.action, words: this.current.words });
    }

    hear(data) {
        if (data.share !== undefined) this.current?.progress?.(data.share);
        if (data.crash !== undefined && this.current) {
            const { resolve } = this.current;
            resolve({ failure: { message: /memory|stack|call/i.test(data.crash) ? `this takes more memory than the browser gives (${data.crash})` : `the library has stopped: ${data.crash}` } });
            this.current = null;
            this.replace();
        }
        if (data.reply && this.current) {
            const { resolve } = this.current;
            this.current = null;
            resolve({ ...data.reply, milliseconds: data.milliseconds });
            this.advance();
        }
    }
}
