/* The chain by MuJoCo, with hinges or balls. */
#include "mujoco_motion.h"
#include "peer_motion.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 240 };

static bool follow(double steps, double until, int links, const char *joint, double *q)
{
    const size_t room = (size_t)(links + 1) * 2 * LINE;
    const double cube = (double)links * links * links;
    char *bodies = malloc(room);
    if (!bodies)
        return false;
    int used = 0;
    for (int k = 0; k < links; k++)
        used += snprintf(bodies + used, room - (size_t)used,
                         "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                         "diaginertia='%.17g %.17g %.17g'/>"
                         "<joint type='%s' axis='0 1 0'/>",
                         k > 0 ? 1.0 / links : 0.0, 0.5 / links, 1.0 / links, 0.01 / cube,
                         0.09 / cube, 0.09 / cube, joint);
    for (int k = 0; k < links; k++)
        used += snprintf(bodies + used, room - (size_t)used, "</body>");
    const mujoco_motion motion = {.bodies = bodies,
                                  .gravity = 9.81,
                                  .until = until,
                                  .steps = (long)steps,
                                  .count = links};
    const bool ok = mujoco_follow(&motion, q);
    free(bodies);
    return ok;
}

bool peer_mujoco_hinges(double steps, double until, int links, double *q)
{
    return follow(steps, until, links, "hinge", q);
}

bool peer_mujoco_balls(double steps, double until, int links, double *q)
{
    return follow(steps, until, links, "ball", q);
}
