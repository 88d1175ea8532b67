// Inflates the script of a page, and runs it.

async function load() {
    const place = document.getElementById('livens-script'), bytes = Uint8Array.from(atob(place.textContent), (c) => c.charCodeAt(0));
    const script = document.createElement('script');
    script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
    place.remove();
    document.body.append(script);
}

load().catch((error) => document.body.append(`This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`));
