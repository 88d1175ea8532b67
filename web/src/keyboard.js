// Space plays, arrows step.

// frames: how many there are, when asked.
export function keyboard(clock, frames) {
    addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input:not([type=range]), select, textarea')) return;
        const step = ((clock.end - clock.begin) / Math.max(1, Math.min(frames() - 1, 500))) * (event.shiftKey ? 10 : 1);
        const actions = {
            ' ': () => clock.play(),
            ArrowLeft: () => clock.set(clock.t - step),
            ArrowRight: () => clock.set(clock.t + step),
            Home: () => clock.set(clock.begin),
            End: () => clock.set(clock.end),
            '+': () => clock.faster(1),
            '-': () => clock.faster(-1),
        };
        const action = actions[event.key];
        if (!action || (event.key === ' ' && event.target.closest?.('button, a'))) return;
        if (event.key !== ' ' && event.key.length > 1) clock.play(false);
        event.preventDefault();
        action();
    });
}
