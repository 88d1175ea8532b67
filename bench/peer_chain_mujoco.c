/* The chain by MuJoCo in joint coordinates, with hinges or balls: its Runge-Kutta scheme of order 4, no contacts. */
#include "peer_motion.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 240 };

/* Steps that are too large are expected: no word of them, and no log file. */
static void keep_quiet(const char *message)
{
    (void)message;
}

/* The model as a file in memory. */
static mjModel *make_model(double step, int links, const char *joint)
{
    const size_t room = (size_t)(links + 4) * 2 * LINE;
    char *text = malloc(room), error[300] = "";
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (text && files) {
        int used =
            snprintf(text, room,
                     "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/>"
                     "<option timestep='%.17g' integrator='RK4' gravity='0 0 -9.81'>"
                     "<flag contact='disable' constraint='disable'/></option><worldbody>",
                     step);
        for (int k = 0; k < links; k++)
            used += snprintf(
                text + used, room - (size_t)used,
                "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                "diaginertia='%.17g %.17g %.17g'/><joint type='%s' axis='0 1 0'/>",
                k > 0 ? 1.0 / links : 0.0, 0.5 / links, 1.0 / links,
                0.01 / links / links / links, 0.09 / links / links / links,
                0.09 / links / links / links, joint);
        for (int k = 0; k < links; k++)
            used += snprintf(text + used, room - (size_t)used, "</body>");
        used += snprintf(text + used, room - (size_t)used, "</worldbody></mujoco>");
        mj_defaultVFS(files);
        const int place = mj_makeEmptyFileVFS(files, "chain.xml", used + 1);
        if (place >= 0) {
            memcpy(files->filedata[place], text, (size_t)used + 1);
            model = mj_loadXML("chain.xml", files, error, sizeof error);
        }
        mj_deleteVFS(files);
    }
    free(files);
    free(text);
    return model;
}

static bool follow(double steps, double until, int links, const char *joint, double *q)
{
    const long count = (long)steps;
    mju_user_warning = keep_quiet;
    mjModel *model = make_model(until / (double)count, links, joint);
    mjData *data = model ? mj_makeData(model) : NULL;
    for (long n = 0; data && n < count; n++)
        mj_step(model, data);
    if (data) {
        mj_kinematics(model, data);
        mj_comPos(model, data);
        memcpy(q, data->xipos + 3, (size_t)links * 3 * sizeof *q);
    }
    const bool ok = data != NULL;
    mj_deleteData(data);
    mj_deleteModel(model);
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
