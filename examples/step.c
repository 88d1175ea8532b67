/* Reads a shipped model and steps it, watching the energy.
 *
 *     cc step.c $(pkg-config --cflags --libs livens) -o step && ./step */
#include <livens/livens.h>

#include <stdio.h>

static int complain(const lv_error *err)
{
    char text[4096];
    lv_error_write(err, text, sizeof text);
    fputs(text, stderr);
    return lv_status_exit_code(err->code);
}

int main(void)
{
    lv_error err;
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    int code = 0;

    if (lv_model_read(&model, "pendulum3d", NULL, 0, &err) != LV_OK)
        return complain(&err);

    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "lobatto";
    lv_scheme_option_set(&options.options, LV_OPTION_STAGES, 3);
    options.step = 0.01;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        code = complain(&err);

    for (int k = 0; sim && k < 1000 && code == 0; k++) {
        if (lv_sim_step(sim, &err) != LV_OK)
            code = complain(&err);
        if (k % 100 == 99) {
            const double *q = lv_sim_position(sim);
            printf("t = %5.2f  q = (%9.6f, %9.6f, %9.6f)  E = %.9f\n", lv_sim_time(sim),
                   q[0], q[1], q[2], lv_sim_energies(sim).total);
        }
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return code;
}
