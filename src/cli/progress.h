/* The progress bar on stderr during a run, a sweep or a study. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <livens/sweep.h>

/* Start with cli_progress_begin, and pass cli_progress_step with this struct as the
 * callback of a run. */
typedef struct cli_progress {
    const char *noun;       /* what is counted, such as "run"; NULL: "member" */
    bool wanted;            /* stderr is a terminal and a bar is wanted */
    bool drawn;             /* a bar is on the current line */
    bool called;            /* the callback was called */
    long long steps_before; /* steps that an earlier run had done */
    double drawn_at;        /* time of the last bar, in seconds */
} cli_progress;

/* quiet: no bar. */
void cli_progress_begin(cli_progress *progress, bool quiet);

/* Redraws the bar at most ten times a second; returns false when the user wants the run
 * to end. Interrupts are caught from the first call on; before it, while formulas are
 * prepared, they end the program at once. */
bool cli_progress_step(void *progress, const lv_progress *now);

/* The same for a sweep or a study; members = 0 while the reference of a study is
 * computed. */
bool cli_progress_members(void *progress, const lv_sweep_progress *now);

/* Shows "check: what schemes keep (2 of 3)", for work of unknown length. */
void cli_progress_phase(cli_progress *progress, int number, int count, const char *what);

/* Removes the bar. */
void cli_progress_end(cli_progress *progress);

#endif
