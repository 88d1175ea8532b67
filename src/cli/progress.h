/* The bar on stderr while a run or a sweep is going on. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <livens/sweep.h>

/* Start with cli_progress_begin; give cli_progress_step and this as the callback of a run. */
typedef struct cli_progress {
    const char *noun;       /* what is counted: "run"; NULL: "member" */
    bool wanted;            /* is there anybody to see it? */
    bool drawn;             /* a bar stands on the line */
    bool called;            /* the callback was called */
    long long steps_before; /* that an earlier run had done */
    double drawn_at;        /* seconds */
} cli_progress;

/* quiet: no bar. */
void cli_progress_begin(cli_progress *progress, bool quiet);

/* Redraws the bar at most ten times a second; false once the user wants the run to end. Interrupts are
 * caught from the first call on: before it, while formulas are prepared, they end the program at once. */
bool cli_progress_step(void *progress, const lv_progress *now);

/* The same for a sweep or a study; before there are members: for its reference. */
bool cli_progress_members(void *progress, const lv_sweep_progress *now);

/* "check: what schemes keep (2 of 3)", for work whose length is not known. */
void cli_progress_phase(cli_progress *progress, int number, int count, const char *what);

/* Takes the bar away. */
void cli_progress_end(cli_progress *progress);

#endif
