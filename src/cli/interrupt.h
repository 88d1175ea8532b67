/* Signals: Ctrl-C, termination requests and closed terminals during a run, and files that
 * grow too large. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is only recorded; a SIGINT or SIGTERM
 * after it ends the program at once. A signal that the caller of the program has ignored,
 * as nohup does, stays ignored. */
void cli_interrupt_catch(void);

/* Whether a signal has arrived. */
bool cli_interrupt_arrived(void);

/* Makes a file that reaches the limit of its size (ulimit -f) a write error, like a full
 * disk. */
void cli_interrupt_ignore_full(void);

#endif
