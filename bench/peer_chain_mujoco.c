/* The chain by MuJoCo in joint coordinates, with hinges or balls: its Runge-Kutta scheme of order 4, no contacts. */
#include "clock.h"
#include "peer_motion.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Links of one file: those within each other are limited, included files go deeper. */
enum { LINKS = 80, NAME = 80 };

/* Steps that are too large are expected: no word of them, and no log file. */
static void keep_quiet(const char *message)
{
    (void)message;
}

static void write_links(FILE *file, int from, int to, int links, const char *joint)
{
    const double n = links, cube = n * n * n;
    for (int k = from; k < to; k++)
        (void)fprintf(file,
                      "<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='%.17g' "
                      "diaginertia='%.17g %.17g %.17g'/><joint type='%s' axis='0 1 0'/>",
                      k > 0 ? 1 / n : 0.0, 0.5 / n, 1 / n, 0.01 / cube, 0.09 / cube,
                      0.09 / cube, joint);
    if (to < links)
        (void)fprintf(file, "<include file='part%d.xml'/>", to);
    for (int k = from; k < to; k++)
        (void)fprintf(file, "</body>");
}

/* The file of the links from `from` on, in a directory. */
static void name_part(char name[NAME], const char *directory, int from)
{
    (void)snprintf(name, NAME, "%s/part%d.xml", directory, from);
}

static bool write_part(const char *directory, int from, int links, double step,
                       const char *joint)
{
    char name[NAME];
    name_part(name, directory, from);
    FILE *file = fopen(name, "w");
    if (!file)
        return false;
    if (from == 0)
        (void)fprintf(file,
                      "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/>"
                      "<option timestep='%.17g' integrator='RK4' gravity='0 0 -9.81'>"
                      "<flag contact='disable' constraint='disable'/></option>"
                      "<worldbody>",
                      step);
    else
        (void)fprintf(file, "<mujocoinclude>");
    write_links(file, from, from + LINKS < links ? from + LINKS : links, links, joint);
    (void)fprintf(file, from == 0 ? "</worldbody></mujoco>" : "</mujocoinclude>");
    return fclose(file) == 0;
}

static mjModel *make_model(double step, int links, const char *joint)
{
    char directory[] = "/tmp/livens-bench-XXXXXX", name[NAME], error[300] = "";
    mjModel *model = NULL;
    if (!mkdtemp(directory))
        return NULL;
    bool ok = true;
    for (int from = 0; from < links; from += LINKS)
        ok = write_part(directory, from, links, step, joint) && ok;
    name_part(name, directory, 0);
    if (ok)
        model = mj_loadXML(name, NULL, error, sizeof error);
    for (int from = 0; from < links; from += LINKS) {
        name_part(name, directory, from);
        (void)remove(name);
    }
    (void)remove(directory);
    return model;
}

static bool follow(double steps, double until, int links, const char *joint, double *q)
{
    const long count = (long)steps;
    mju_user_warning = keep_quiet;
    mjModel *model = make_model(until / (double)count, links, joint);
    mjData *data = model ? mj_makeData(model) : NULL;
    peer_began = bench_nanoseconds();
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
