/* The chain by MuJoCo, with hinges or balls. */
#include "mujoco_motion.h"
#include "peer_motion.h"

#include <stdio.h>
#include <stdlib.h>

/* Characters of a link. Elements within each other are limited, but those of an included file begin anew. */
enum { LINE = 240, IN_A_FILE = 80 };

/* Links from one to another, and within the last what is given. */
static char *write_links(int from, int to, int links, const char *joint,
                         const char *inside, const char *around)
{
    const size_t room = (size_t)(to - from + 1) * 2 * LINE;
    const double n = links, cube = n * n * n;
    char *text = malloc(room);
    if (!text)
        return NULL;
    int used =
        snprintf(text, room, "%s%s%s", *around ? "<" : "", around, *around ? ">" : "");
    for (int k = from; k < to; k++)
        used += snprintf(text + used, room - (size_t)used,
                         "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                         "diaginertia='%.17g %.17g %.17g'/>"
                         "<joint type='%s' axis='0 1 0'/>",
                         k > 0 ? 1 / n : 0.0, 0.5 / n, 1 / n, 0.01 / cube, 0.09 / cube,
                         0.09 / cube, joint);
    used += snprintf(text + used, room - (size_t)used, "%s", inside);
    for (int k = from; k < to; k++)
        used += snprintf(text + used, room - (size_t)used, "</body>");
    (void)snprintf(text + used, room - (size_t)used, "%s%s%s", *around ? "</" : "",
                   around, *around ? ">" : "");
    return text;
}

static bool follow(double steps, double until, int links, const char *joint, double *q)
{
    const bool two = links > IN_A_FILE;
    const int first = two ? IN_A_FILE : links;
    char *bodies = write_links(0, first, links, joint,
                               two ? "<include file='more.xml'/>" : "", ""),
         *more =
             two ? write_links(first, links, links, joint, "", "mujocoinclude") : NULL;
    const mujoco_motion motion = {.bodies = bodies,
                                  .more = more,
                                  .gravity = 9.81,
                                  .until = until,
                                  .steps = (long)steps,
                                  .count = links,
                                  .began = &peer_began};
    const bool ok = bodies && (more || !two) && mujoco_follow(&motion, q);
    free(bodies);
    free(more);
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
