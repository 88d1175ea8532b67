/* Balances a pole on a cart: a controller that sets an input before every step.
 *
 *     cc cart_pole.c $(pkg-config --cflags --libs livens) -o cart_pole && ./cart_pole */
#include <livens/livens.h>

#include <stdio.h>

/* Feedback of x, theta and their velocities that puts the poles of the linear system to -2, -2, -4 and -4. */
static double controlled(const lv_sim *sim)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    return 3.262 * q[0] + 38.42 * q[1] + 4.893 * v[0] + 8.446 * v[1];
}

static lv_status balance(lv_sim *sim, double *largest, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; k < 1000 && status == LV_OK; k++) {
        const double force = controlled(sim);
        const double size = force < 0 ? -force : force;
        *largest = size > *largest ? size : *largest;
        status = lv_sim_set_input(sim, "force", &force, 1, err);
        if (status == LV_OK)
            status = lv_sim_step(sim, err);
    }
    return status;
}

int main(void)
{
    lv_error err;
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    double largest = 0;
    lv_status status = lv_model_read(&model, "cart-pole", NULL, 0, &err);
    if (status == LV_OK) {
        lv_sim_options options = lv_sim_options_default(model);
        status = lv_sim_create(&sim, model, &options, &err);
    }
    if (status == LV_OK)
        status = balance(sim, &largest, &err);
    if (status == LV_OK)
        printf("t = %g: cart at %.1e m, pole at %.1e rad, force up to %.2f N; its work "
               "is %.4f J, the energy balance %.1e J\n",
               lv_sim_time(sim), lv_sim_position(sim)[0], lv_sim_position(sim)[1],
               largest, lv_sim_work(sim)[0], lv_sim_balance(sim));
    else {
        char text[4096];
        lv_error_write(&err, text, sizeof text);
        fputs(text, stderr);
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return lv_status_exit_code(status);
}
