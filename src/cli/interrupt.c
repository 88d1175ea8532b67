#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t arrived;

/* Ctrl-C, a termination request, a closed terminal. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

/* Restores the default action of Ctrl-C and termination requests, whichever signal came.
 * A terminal that is closed sends SIGHUP several times, so that further ones are
 * ignored. */
static void remember(int number)
{
    (void)number;
    arrived = 1;
    for (int k = 0; k < CAUGHT; k++)
        (void)signal(caught[k], caught[k] == SIGHUP ? SIG_IGN : SIG_DFL);
}

static void catch_one(int number)
{
    struct sigaction old, action = {.sa_handler = remember, .sa_flags = SA_RESTART};
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void cli_interrupt_catch(void)
{
    for (int k = 0; k < CAUGHT; k++)
        catch_one(caught[k]);
}

void cli_interrupt_ignore_full(void)
{
#ifdef SIGXFSZ
    (void)signal(SIGXFSZ, SIG_IGN);
#endif
}

bool cli_interrupt_arrived(void)
{
    return arrived != 0;
}
