// Builds dist of src: report.html and lab.html, pages with all that they need but for their data. The same sources give the same
// bytes. livens deflates the script of a page when it writes one, and so does tools/make-lab; the notice stays readable.

import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = (name) => join(here, 'src', name);
const out = process.argv[2] ?? join(here, 'dist');

async function bundle(entry, loader) {
    const result = await build({ entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', target: ['chrome110', 'firefox115', 'safari16.4'],
        legalComments: 'none', charset: 'utf8', absWorkingDir: here, logLevel: 'warning', ...loader });
    return result.outputFiles[0].text.trim();
}

// Shaders lose comments and blanks as scripts do.
const shaders = { name: 'shaders', setup: (builder) => builder.onLoad({ filter: /gl\.js$/ }, async ({ path }) => ({ loader: 'js',
    contents: (await readFile(path, 'utf8')).replace(/`[^`]*`/g, (text) => (/main\(\)|precision|vec3 shade/.test(text) ? text.replace(/\/\/[^\n]*/g, '').replace(/([;{},=*+<>?:])\s+/g, '$1').replace(/ +([={*+<>?:])/g, '$1').replace(/\n\s+/g, '\n') : text)) })) };

const license = (await readFile(join(here, 'node_modules/uplot/LICENSE'), 'utf8')).trim();
const notice = `/*! The page of livens, Apache-2.0. It has uPlot in it:\n${license}\n*/\n`;

async function writePage(name, template, sheets, script, loader) {
    const styles = (await Promise.all([join(here, 'node_modules/uplot/dist/uPlot.min.css'), ...sheets.map(source)].map((sheet) => bundle(sheet)))).join('\n');
    if (/<\/(script|style)|<!--/i.test(script + loader + styles)) throw new Error('the bundle has text that would end its element');
    const page = (await readFile(source(template), 'utf8')).replace('/*livens:style*/', () => styles).replace('<!--livens:script-->', () => `<!--livens:script-->${script}<!--livens:script-end-->`)
        .replace('/*livens:loader*/', () => notice + loader);
    await writeFile(join(out, name), page);
    console.log(`${name}: ${page.length} bytes`);
}

await mkdir(out, { recursive: true });
await writePage('report.html', 'report.html', ['report.css'], await bundle(source('report.js'), { plugins: [shaders] }), await bundle(source('loader.js')));
const worker = await bundle(source('lab/worker.js'));
await writePage('lab.html', 'lab/lab.html', ['report.css', 'lab/lab.css'], await bundle(source('lab/lab.js'), { plugins: [shaders], define: { LAB_WORKER: JSON.stringify(worker) } }), await bundle(source('lab/loader.js')));
