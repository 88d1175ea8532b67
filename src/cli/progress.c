#include "cli/progress.h"

#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 12, LINE_SIZE = 400 };

static const double interval = 0.1; /* seconds between two bars, and before the first */

void cli_progress_begin(cli_progress *progress, bool quiet)
{
    *progress = (cli_progress){.wanted = !quiet && isatty(fileno(stderr))};
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

/* Draws " 43 % [#####-------]  step  4300/10000  t = 4.3          0:12 left". Every
 * number has a fixed width, so that only digits change. */
static void draw(double share, const char *done, double seconds_left)
{
    char line[LINE_SIZE], bar[BAR + 1], left[40];
    int full = (int)(share * BAR);
    for (int k = 0; k < BAR; k++)
        bar[k] = k < full ? '#' : '-';
    bar[BAR] = '\0';
    put_duration(left, sizeof left, seconds_left);
    snprintf(line, sizeof line, "%3d %% [%s]  %s  %7s left", (int)(100 * share), bar,
             done, left);
    cli_put_over(line);
}

/* Whether it is time for another bar. */
static bool is_due(cli_progress *progress, double seconds)
{
    if (!progress->wanted || seconds - progress->drawn_at < interval)
        return false;
    progress->drawn = true;
    progress->drawn_at = seconds;
    return true;
}

static void draw_steps(const cli_progress *progress, const lv_progress *now)
{
    char done[LINE_SIZE / 2];
    double share =
        now->total_steps > 0 ? (double)now->steps / (double)now->total_steps : 1;
    long long own = now->steps - progress->steps_before;
    double each = own > 0 ? now->seconds / (double)own : 0;
    const int digits = snprintf(NULL, 0, "%lld", now->total_steps);
    snprintf(done, sizeof done, "step %*lld/%lld  t = %-9.4g", digits, now->steps,
             now->total_steps, now->time);
    draw(share, done, each * (double)(now->total_steps - now->steps));
}

bool cli_progress_step(void *user, const lv_progress *now)
{
    cli_progress *progress = user;
    if (!progress->called) { /* the first call comes after the first step */
        progress->steps_before = now->steps - 1;
        cli_interrupt_catch();
    }
    progress->called = true;
    if (is_due(progress, now->seconds))
        draw_steps(progress, now);
    return !cli_interrupt_arrived();
}

static void draw_members(const cli_progress *progress, const lv_sweep_progress *now)
{
    char done[LINE_SIZE / 2], failed[40] = "";
    if (now->failed > 0)
        snprintf(failed, sizeof failed, ", %d failed", now->failed);
    const int digits = snprintf(NULL, 0, "%d", now->members);
    snprintf(done, sizeof done, "%s %*d/%d%s", progress->noun ? progress->noun : "member",
             digits, now->done, now->members, failed);
    draw(now->share, done,
         now->share > 0 ? now->seconds * (1 - now->share) / now->share : 0);
}

bool cli_progress_members(void *user, const lv_sweep_progress *now)
{
    cli_progress *progress = user;
    if (!progress->called) /* the first call comes when formulas are prepared */
        cli_interrupt_catch();
    progress->called = true;
    if (!is_due(progress, now->seconds))
        return !cli_interrupt_arrived();
    if (now->members > 0)
        draw_members(progress, now);
    else
        cli_put_over("reference ...");
    return !cli_interrupt_arrived();
}

void cli_progress_phase(cli_progress *progress, int number, int count, const char *what)
{
    char line[LINE_SIZE];
    if (!progress->wanted)
        return;
    progress->drawn = true;
    snprintf(line, sizeof line, "check: %s (%d of %d) ...", what, number, count);
    cli_put_over(line);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn)
        cli_put_over(NULL);
    progress->drawn = false;
}
