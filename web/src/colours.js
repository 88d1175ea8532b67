// Colours that are told apart without full colour vision (Okabe and Ito), and dashes beside them.

const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#5b5b66'];
const dark = ['#56b4e9', '#f0883e', '#2fc59a', '#e7a0c6', '#e6c84f', '#8fd0ff', '#b4b7c2'];

export const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [5, 2, 1, 2, 1, 2], [1, 4], [14, 4]];

export const isDark = () => document.documentElement.dataset.theme === 'dark';
export const palette = () => (isDark() ? dark : light);
export const colour = (k) => palette()[k % light.length];
export const dash = (k) => dashes[Math.floor(k) % dashes.length];

// A drawing asks for the same few colours in every frame: they are remembered until the theme changes.
const parts = new Map(), variables = new Map();

export function rgb(hex) {
    if (!parts.has(hex)) parts.set(hex, [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255));
    return parts.get(hex);
}

export function variable(name) {
    if (!variables.has(name)) variables.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return variables.get(name);
}

const listeners = [];
export const onTheme = (listener) => listeners.push(listener);

// What came with a run that is no longer shown leaves with it: all listeners after the first `count`.
export const themeListeners = () => listeners.length;
export const keepThemeListeners = (count) => (listeners.length = count);

export function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    variables.clear();
    for (const listener of listeners) listener();
}

export function beginTheme() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    setTheme(system.matches ? 'dark' : 'light');
    system.addEventListener('change', () => setTheme(system.matches ? 'dark' : 'light'));
}
