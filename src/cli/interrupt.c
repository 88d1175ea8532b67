#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t arrived;

/* Both signals get their usual, deadly meaning back, whichever of them came. */
static void remember(int number)
{
    (void)number;
    arrived = 1;
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
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
    catch_one(SIGINT);
    catch_one(SIGTERM);
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
