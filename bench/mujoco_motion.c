#include "mujoco_motion.h"

#include "clock.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are too large are expected: no word of them, and no log file. */
static void keep_quiet(const char *message)
{
    (void)message;
}

enum { NAME = 80 };

static bool write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file)
        return false;
    const bool ok = fputs(text, file) >= 0;
    return fclose(file) == 0 && ok;
}

/* Files in memory cannot include others. */
static mjModel *read_model(const char *text, const char *more)
{
    char directory[] = "/tmp/livens-bench-XXXXXX", name[NAME], other[NAME],
         error[300] = "";
    if (!mkdtemp(directory))
        return NULL;
    (void)snprintf(name, sizeof name, "%s/bodies.xml", directory);
    (void)snprintf(other, sizeof other, "%s/more.xml", directory);
    const bool ok = write_file(name, text) && (!more || write_file(other, more));
    mjModel *model = ok ? mj_loadXML(name, NULL, error, sizeof error) : NULL;
    (void)remove(name);
    if (more)
        (void)remove(other);
    (void)remove(directory);
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
    mjModel *model = read_model(text, m->more);
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
    if (m->began)
        *m->began = bench_nanoseconds();
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
