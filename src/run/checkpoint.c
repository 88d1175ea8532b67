/* The state of a run as numbers, for checkpoints. */
#include "run/run_private.h"

#include <math.h>
#include <string.h>

/* The numbers are, in this order: steps done, rows, the simulation (saved.c), the
 * monitor, and the quaternions of bodies that were shown last. */
enum { CHECKPOINT_HEAD = 2 };

int lv_run_checkpoint_size(const lv_running *r)
{
    return CHECKPOINT_HEAD + lv_sim_number_count(r->sim) + r->monitor.count +
           r->recorder.showcase.quaternion_numbers;
}

void lv_run_checkpoint_write(lv_running *r)
{
    const lv_showcase *shown = &r->recorder.showcase;
    double *to = r->checkpoint;
    lv_monitor_settle(&r->monitor);
    *to++ = (double)r->done;
    *to++ = (double)(r->recorder.rows - r->unfinished);
    lv_sim_write_numbers(r->sim, to);
    to += lv_sim_number_count(r->sim);
    memcpy(to, r->monitor.numbers, (size_t)r->monitor.count * sizeof *to);
    to += r->monitor.count;
    if (shown->quaternion_numbers > 0)
        memcpy(to, shown->quaternions, (size_t)shown->quaternion_numbers * sizeof *to);
}

static bool is_count(double x)
{
    return x >= 0 && x <= (double)LV_SIM_STEPS && x == floor(x);
}

bool lv_run_checkpoint_is_sound(const lv_running *r, const double *from)
{
    return is_count(from[0]) && is_count(from[1]) &&
           lv_sim_numbers_are_sound(r->sim, from + CHECKPOINT_HEAD);
}

void lv_run_checkpoint_read(lv_running *r, const double *from)
{
    const lv_showcase *shown = &r->recorder.showcase;
    r->done = (long long)from[0];
    r->recorder.rows = (long long)from[1];
    from += CHECKPOINT_HEAD;
    lv_sim_read_numbers(r->sim, from);
    from += lv_sim_number_count(r->sim);
    memcpy(r->monitor.numbers, from, (size_t)r->monitor.count * sizeof *from);
    lv_monitor_restored(&r->monitor);
    from += r->monitor.count;
    if (shown->quaternion_numbers > 0)
        memcpy(shown->quaternions, from,
               (size_t)shown->quaternion_numbers * sizeof *from);
}
