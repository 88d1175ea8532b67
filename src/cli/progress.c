#include "cli/progress.h"

#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 16, LINE_SIZE = 400 };

static const double interval = 0.1; /* seconds between two bars, and before the first */

void cli_progress_begin(cli_progress *progress, bool quiet)
{
    *progress = (cli_progress){.wanted = !quiet && isatty(fileno(stderr))};
    cli_interrupt_catch();
}

/* "0:07", "1:02:03", "3 d 4 h" */
static void put_duration(char *buffer, size_t size, double seconds)
{
    const double day = 86400, hour = 3600;
    if (!(seconds < 1000 * day)) {
        snprintf(buffer, size, "very long");
        return;
    }
    long whole = (long)(seconds + 0.5), days = whole / (long)day;
    long hours = whole / (long)hour % 24, minutes = whole / 60 % 60;
    if (days > 0)
        snprintf(buffer, size, "%ld d %ld h", days, hours);
    else if (hours > 0)
        snprintf(buffer, size, "%ld:%02ld:%02ld", hours, minutes, whole % 60);
    else
        snprintf(buffer, size, "%ld:%02ld", minutes, whole % 60);
}

/* " 43 % [######----------]  step 4300/10000  t = 4.3  0:12 left" */
static void draw(const cli_progress *progress, const lv_progress *now)
{
    char line[LINE_SIZE], bar[BAR + 1], left[40];
    double share =
        now->total_steps > 0 ? (double)now->steps / (double)now->total_steps : 1;
    long long done = now->steps - progress->steps_before;
    double each = done > 0 ? now->seconds / (double)done : 0;
    int full = (int)(share * BAR);
    for (int k = 0; k < BAR; k++)
        bar[k] = k < full ? '#' : '-';
    bar[BAR] = '\0';
    put_duration(left, sizeof left, each * (double)(now->total_steps - now->steps));
    snprintf(line, sizeof line, "%3d %% [%s]  step %lld/%lld  t = %.4g  %s left",
             (int)(100 * share), bar, now->steps, now->total_steps, now->time, left);
    fprintf(stderr, "\r%-*.*s", CLI_WIDTH - 1, CLI_WIDTH - 1, line);
    (void)fflush(stderr);
}

bool cli_progress_step(void *user, const lv_progress *now)
{
    cli_progress *progress = user;
    if (!progress->called) /* the first call comes after the first step */
        progress->steps_before = now->steps - 1;
    progress->called = true;
    if (progress->wanted && now->seconds - progress->drawn_at >= interval) {
        draw(progress, now);
        progress->drawn = true;
        progress->drawn_at = now->seconds;
    }
    return !cli_interrupt_arrived();
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn)
        fprintf(stderr, "\r%*s\r", CLI_WIDTH - 1, "");
    progress->drawn = false;
}
