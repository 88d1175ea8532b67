#include "cli/changes.h"

#include "cli/error.h"
#include "cli/options.h"

#include <stddef.h>

static const double steps_most = 1e15; /* a whole number that a double holds exactly */

lv_status cli_changes_read(lv_run_changes *changes, const cli_args *args, lv_error *err)
{
    static const char *const words[] = {"check", "project", NULL};
    static const lv_initial initials[] = {LV_INITIAL_CHECK, LV_INITIAL_PROJECT};
    int initial = -1;
    *changes = (lv_run_changes){.scheme = cli_args_value(args, "scheme")};
    lv_status status = cli_options_read(&changes->options, args, err);
    if (status == LV_OK)
        status = cli_args_choice(args, "initial", words, &initial, err);
    if (status == LV_OK)
        status = cli_args_number(args, "step", &changes->step, err);
    if (status == LV_OK)
        status = cli_args_time(args, "until", &changes->until, err);
    changes->ends = cli_args_flag(args, "until");
    if (status == LV_OK)
        status = cli_args_whole(args, "every", &changes->every, err);
    if (status == LV_OK)
        status = cli_args_number(args, "sample", &changes->sample, err);
    if (status == LV_OK && changes->every != 0 && changes->sample != 0)
        status = cli_fail(err, LV_ERR_USAGE,
                          "--every and --sample say different things: give one of them");
    changes->initial = initial >= 0 ? &initials[initial] : NULL;
    return status;
}

lv_status cli_steps_check(const lv_run_request *request, lv_error *err)
{
    double step = request->sim.step, steps = step > 0 ? request->until / step : 0;
    return !(steps > steps_most) /* also if there is no end yet */
               ? LV_OK
               : cli_fail(err, LV_ERR_USAGE,
                          "a run to t = %g with steps of %g has too many steps: %.2g",
                          request->until, step, steps);
}
