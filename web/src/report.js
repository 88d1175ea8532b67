// A page of livens: about runs, an ensemble or a study.

import { beginTheme } from './colours.js';
import { el } from './dom.js';
import { runsPage } from './runs.js';
import { studyPage } from './study.js';
import { sweepPage } from './sweep.js';

const kinds = { runs: runsPage, sweep: sweepPage, study: studyPage };

async function begin() {
    const page = JSON.parse(document.getElementById('livens-data').textContent);
    beginTheme();
    window.livens = await kinds[page.kind](page);
    document.documentElement.dataset.ready = '1';
}

begin().catch((error) => {
    document.body.append(el('p', { class: 'empty' }, `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`));
    throw error;
});
