/* Signals: Ctrl-C, termination requests and closed terminals while a run is going on, files that grow
 * too large. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From here on the first SIGINT, SIGTERM or SIGHUP is only remembered; a SIGINT or SIGTERM after it
 * kills at once. A signal that the caller of the program has ignored, as nohup does, stays ignored. */
void cli_interrupt_catch(void);

/* Has one arrived? */
bool cli_interrupt_arrived(void);

/* A file that reaches the limit of its size (ulimit -f) is to be an error of writing, like a full disk. */
void cli_interrupt_ignore_full(void);

#endif
