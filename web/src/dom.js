// Elements. Texts become text nodes: nothing of a model is ever read as HTML.

export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.className = value;
        else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return element;
}

export function button(label, onclick, attributes = {}) {
    return el('button', { type: 'button', onclick, ...attributes }, label);
}

// A word at the bottom of the page for a moment.
let toast = null;
let toastTimer = 0;
export function say(text) {
    if (!toast) document.body.append((toast = el('div', { class: 'toast', role: 'status' })));
    toast.textContent = text;
    toast.classList.add('shown');
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => toast.classList.remove('shown'), 1800);
}

export async function copy(text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = el('textarea', { style: 'position:fixed;opacity:0' });
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    say(`${what} copied`);
}

export function download(name, content, type) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    el('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
