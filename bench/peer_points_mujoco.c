/* The pendulum in space and plane chains of point masses by MuJoCo, with steps from the tolerance. Points have a little
 * inertia, without which MuJoCo takes no body. */
#include "mujoco_motion.h"
#include "peer.h"

#include <math.h>
#include <stdio.h>

enum { LINE = 300, LINKS_MOST = 90 };

static const char pendulum[] =
    "<body><inertial pos='1 0 0' mass='1' diaginertia='1e-10 1e-10 1e-10'/>"
    "<joint type='hinge' axis='0 0 1'/><joint type='hinge' axis='0 1 0'/></body>";

static void put_links(char *text, size_t room, const bench_particles *p)
{
    int used = 0;
    for (int k = 0; k < p->n; k++)
        used +=
            snprintf(text + used, room - (size_t)used,
                     "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                     "diaginertia='1e-12 1e-12 1e-12'/><joint type='hinge' axis='0 -1 "
                     "0'/>",
                     k > 0 ? 1.0 / p->n : 0.0, 1.0 / p->n, p->mass[k]);
    for (int k = 0; k < p->n; k++)
        used += snprintf(text + used, room - (size_t)used, "</body>");
}

bool peer_mujoco_points(const bench_particles *p, double tolerance, double *q)
{
    char links[LINKS_MOST * LINE];
    if (p->spring_count > 0 || p->n > LINKS_MOST)
        return false;
    put_links(links, sizeof links, p);
    const double steps =
        ceil(60 * p->until * sqrt((double)p->n) * pow(1e-5 / tolerance, 0.25));
    const mujoco_motion motion = {.bodies = p->n == 1 ? pendulum : links,
                                  .gravity = p->gravity,
                                  .until = p->until,
                                  .steps = (long)steps,
                                  .first_velocity = p->n == 1 ? p->v[1] : 0,
                                  .count = p->n};
    return mujoco_follow(&motion, q);
}
