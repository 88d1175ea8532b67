#include "mujoco_motion.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are too large are expected: no word of them, and no log file. */
static void keep_quiet(const char *message)
{
    (void)message;
}

/* A text as a file in memory. */
static mjModel *read_model(const char *text)
{
    char error[300] = "";
    const size_t size = strlen(text) + 1;
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (!files)
        return NULL;
    mj_defaultVFS(files);
    const int place = mj_makeEmptyFileVFS(files, "bodies.xml", (int)size);
    if (place >= 0) {
        memcpy(files->filedata[place], text, size);
        model = mj_loadXML("bodies.xml", files, error, sizeof error);
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}

static mjModel *make_model(const mujoco_motion *m)
{
    const size_t room = strlen(m->bodies) + 600;
    char *text = malloc(room);
    if (!text)
        return NULL;
    snprintf(text, room,
             "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/>"
             "<option timestep='%.17g' integrator='RK4' gravity='0 0 %.17g'>"
             "<flag contact='disable' constraint='disable'/></option><worldbody>"
             "%s</worldbody></mujoco>",
             m->until / (double)m->steps, -m->gravity, m->bodies);
    mjModel *model = read_model(text);
    free(text);
    return model;
}

bool mujoco_follow(const mujoco_motion *m, double *centres)
{
    mju_user_warning = keep_quiet;
    mjModel *model = make_model(m);
    mjData *data = model ? mj_makeData(model) : NULL;
    if (data && m->first_velocity != 0)
        data->qvel[0] = m->first_velocity;
    for (long k = 0; data && k < m->steps; k++)
        mj_step(model, data);
    if (data) {
        mj_kinematics(model, data);
        mj_comPos(model, data);
        memcpy(centres, data->xipos + 3, (size_t)m->count * 3 * sizeof *centres);
    }
    const bool ok = data != NULL;
    mj_deleteData(data);
    mj_deleteModel(model);
    return ok;
}
