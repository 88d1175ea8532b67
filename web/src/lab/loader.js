// What is packed in the lab by tools/make-lab: deflated, in base 94. The script is, too.

const limb = 1 << 24;

// Nine bytes are eleven characters, from blank to ~ without <; the first character of all is how many bytes fill up the last nine.
window.livensUnpack = async (id) => {
    const place = document.getElementById(id), text = place.textContent, bytes = new Uint8Array(((text.length - 1) / 11) * 9);
    const value = (at) => text.charCodeAt(at) - (text.charCodeAt(at) > 60 ? 33 : 32), size = bytes.length - value(0);
    for (let at = 1, to = 0; at < text.length; ) {
        let high = 0, middle = 0, low = 0;
        for (const end = at + 11; at < end; at++) {
            low = low * 94 + value(at);
            middle = middle * 94 + Math.floor(low / limb);
            high = high * 94 + Math.floor(middle / limb);
            low %= limb;
            middle %= limb;
        }
        for (const part of [high, middle, low])
            for (let shift = 16; shift >= 0; shift -= 8) bytes[to++] = part >> shift;
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
