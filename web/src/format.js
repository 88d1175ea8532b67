// Numbers as people read them.

const superscripts = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

export const power = (k) => '10' + String(k).replace(/./g, (c) => superscripts[c]);

export function short(x, digits = 4) {
    if (x === null || x === undefined || Number.isNaN(x)) return '–';
    if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
    if (x === 0) return '0';
    const size = Math.abs(x);
    if (size >= 1e5 || size < 1e-3) {
        const [mantissa, exponent] = x.toExponential(Math.max(0, digits - 2)).split('e');
        const factor = { 1: '', '-1': '−' }[Number(mantissa)] ?? `${Number(mantissa)}·`;
        return `${factor}${power(Number(exponent))}`.replace('-', '−');
    }
    return String(Number(x.toPrecision(digits))).replace('-', '−');
}

export const plural = (n, word, words = `${word}s`) => `${n.toLocaleString('en').replaceAll(',', '\u202f')} ${n === 1 ? word : words}`;

// Ticks at round numbers.
export function ticks(low, high, count) {
    const span = high - low;
    if (!(span > 0)) return [low];
    const raw = span / Math.max(1, count);
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((m) => m * unit >= raw) * unit;
    const list = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++)
        list.push(Number((k * step).toPrecision(12)));
    return list;
}
