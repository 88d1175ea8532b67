/* Forces from outside, as an array: air resists the lower mass of a double pendulum.
 *
 *     cc push.c $(pkg-config --cflags --libs livens) -o push && ./push */
#include <livens/livens.h>

#include <stdio.h>
#include <stdlib.h>

/* What another program would compute: a force on the second mass, against its velocity. */
static void resist(double *force, const double *v)
{
    const double c = 0.5;
    force[2] = -c * v[2];
    force[3] = -c * v[3];
}

static lv_status swing(lv_sim *sim, double *force, int count, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; k < 2000 && status == LV_OK; k++) {
        resist(force, lv_sim_velocity(sim));
        status = lv_sim_set_force(sim, force, count, err);
        if (status == LV_OK)
            status = lv_sim_step(sim, err);
    }
    return status;
}

static void show(const lv_model *model, const lv_sim *sim, int count)
{
    char name[80];
    printf("t = %g: energy %.4f J, the air did %.4f J, balance %.1e J\n",
           lv_sim_time(sim), lv_sim_energies(sim).total, lv_sim_work(sim)[0],
           lv_sim_balance(sim));
    for (int k = 0; k < count; k++)
        printf("  force on %s: %.3f N\n",
               lv_model_force_name(model, k, name, sizeof name), lv_sim_force(sim)[k]);
}

static lv_status run(const lv_model *model, lv_error *err)
{
    const int count = lv_model_force_count(model);
    double *force = calloc((size_t)count, sizeof *force);
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.step = 0.001;
    lv_status status = force ? lv_sim_create(&sim, model, &options, err) : LV_ERR_MEMORY;
    if (status == LV_OK)
        status = swing(sim, force, count, err);
    if (status == LV_OK)
        show(model, sim, count);
    lv_sim_free(sim);
    free(force);
    return status;
}

int main(void)
{
    lv_error err;
    lv_model *plain = NULL, *model = NULL;
    lv_status status = lv_model_read(&plain, "double-pendulum", NULL, 0, &err);
    if (status == LV_OK)
        status = lv_model_with_forces(&model, plain, &err);
    if (status == LV_OK)
        status = run(model, &err);
    if (status != LV_OK) {
        char text[4096];
        lv_error_write(&err, text, sizeof text);
        fputs(text, stderr);
    }
    lv_model_free(model);
    lv_model_free(plain);
    return lv_status_exit_code(status);
}
