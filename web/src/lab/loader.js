// What is packed in the lab by tools/make-lab: deflated, in base 85. The script is, too.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=>?@^_`{|}~';

window.livensUnpack = async (id) => {
    const place = document.getElementById(id), text = place.textContent, values = new Uint8Array(128);
    [...alphabet].forEach((c, k) => (values[c.charCodeAt(0)] = k));
    const size = Math.floor((text.length * 4) / 5), bytes = new Uint8Array(Math.ceil(text.length / 5) * 4), view = new DataView(bytes.buffer);
    for (let at = 0, to = 0; at < text.length; to += 4) {
        let sum = 0;
        for (const end = at + 5; at < end; at++) sum = sum * 85 + (at < text.length ? values[text.charCodeAt(at)] : 84);
        view.setUint32(to, sum);
    }
    place.remove();
    return new Response(new Blob([bytes.subarray(0, size)]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
};

async function load() {
    const script = document.createElement('script');
    script.textContent = await (await window.livensUnpack('livens-script')).text();
    document.body.append(script);
}

load().catch((error) => document.body.append(`The lab cannot begin: ${error.message}. It needs a browser of 2023 or later.`));
