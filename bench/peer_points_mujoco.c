/* The pendulum in space and plane chains of point masses by MuJoCo, in joint angles: its Runge-Kutta scheme of order 4 with
 * steps from the tolerance, no contacts. Points have a little inertia, without which MuJoCo takes no body. */
#include "peer.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 300, LINKS_MOST = 90 };

static void keep_quiet(const char *message)
{
    (void)message;
}

static int put_links(char *text, size_t room, const bench_particles *p)
{
    int used = 0;
    if (p->n == 1)
        return snprintf(text, room,
                        "<body><inertial pos='1 0 0' mass='1' diaginertia='1e-10 1e-10 "
                        "1e-10'/><joint type='hinge' axis='0 0 1'/><joint type='hinge' "
                        "axis='0 1 0'/></body>");
    for (int k = 0; k < p->n; k++)
        used +=
            snprintf(text + used, room - (size_t)used,
                     "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                     "diaginertia='1e-12 1e-12 1e-12'/><joint type='hinge' axis='0 -1 "
                     "0'/>",
                     k > 0 ? 1.0 / p->n : 0.0, 1.0 / p->n, p->mass[k]);
    for (int k = 0; k < p->n; k++)
        used += snprintf(text + used, room - (size_t)used, "</body>");
    return used;
}

/* The model as a file in memory. */
static mjModel *make_model(const bench_particles *p, double step)
{
    const size_t room = (size_t)(p->n + 4) * 2 * LINE;
    char *text = malloc(room), error[300] = "";
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (text && files) {
        int used =
            snprintf(text, room,
                     "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/>"
                     "<option timestep='%.17g' integrator='RK4' gravity='0 0 %.17g'>"
                     "<flag contact='disable' constraint='disable'/></option><worldbody>",
                     step, -p->gravity);
        used += put_links(text + used, room - (size_t)used, p);
        used += snprintf(text + used, room - (size_t)used, "</worldbody></mujoco>");
        mj_defaultVFS(files);
        const int place = mj_makeEmptyFileVFS(files, "points.xml", used + 1);
        if (place >= 0) {
            memcpy(files->filedata[place], text, (size_t)used + 1);
            model = mj_loadXML("points.xml", files, error, sizeof error);
        }
        mj_deleteVFS(files);
    }
    free(files);
    free(text);
    return model;
}

bool peer_mujoco_points(const bench_particles *p, double tolerance, double *q)
{
    const double steps =
        ceil(60 * p->until * sqrt((double)p->n) * pow(1e-5 / tolerance, 0.25));
    if (p->spring_count > 0 || p->n > LINKS_MOST)
        return false;
    mju_user_warning = keep_quiet;
    mjModel *model = make_model(p, p->until / steps);
    mjData *data = model ? mj_makeData(model) : NULL;
    if (data && p->n == 1)
        data->qvel[0] = p->v[1];
    for (long k = 0; data && k < (long)steps; k++)
        mj_step(model, data);
    if (data) {
        mj_kinematics(model, data);
        mj_comPos(model, data);
        memcpy(q, data->xipos + 3, (size_t)p->n * 3 * sizeof *q);
    }
    const bool ok = data != NULL;
    mj_deleteData(data);
    mj_deleteModel(model);
    return ok;
}
