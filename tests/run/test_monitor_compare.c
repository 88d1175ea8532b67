/* Steps that are examined eight at a time: all that a run says is what it says if every step is examined when it ends. */
#include "../model/reading.h"
#include "run/run_private.h"

enum { TEXT = 1000 };

typedef struct motion {
    const char *text, *scheme;
    double step, until;
    const char *ends; /* part of the message with which it ends; NULL: it does not fail */
} motion;

static bool see_row(void *user, const lv_row_state *row)
{
    (void)row;
    (*(int *)user)++;
    return true;
}

/* rows: every step is examined when it ends, since somebody looks at it. Of a failure `message` has the text. */
static lv_running *carry_out(const motion *m, const lv_model *model, int *rows,
                             char message[TEXT])
{
    lv_error err;
    lv_running *run = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = m->scheme;
    request.sim.step = m->step;
    request.until = m->until;
    request.at_row = rows ? see_row : NULL;
    request.user = rows;
    message[0] = '\0';
    if (lv_run_begin(&run, model, &request, NULL, &err) != LV_OK)
        fail_with(&err);
    const lv_status status = lv_run_carry_out(run, &err);
    if (status != LV_OK)
        (void)snprintf(message, TEXT, "%s", err.text);
    return run;
}

static void check_same_numbers(const double *x, const double *y, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(&x[k], &y[k], sizeof *x) != 0)
            fail_msg("number %d: %.17g, %.17g", k, x[k], y[k]);
}

static void check_motion(const motion *m)
{
    char message[2][TEXT];
    int rows = 0;
    lv_model *model = read_text(m->text);
    lv_running *together = carry_out(m, model, NULL, message[0]),
               *single = carry_out(m, model, &rows, message[1]);
    const lv_monitor *x = &together->monitor, *y = &single->monitor;
    assert_non_null(x->waiting.lanes);
    assert_null(y->waiting.lanes);
    assert_int_equal(x->waiting.count, 0);
    assert_true(rows > 4096);
    assert_string_equal(message[0], message[1]);
    if (m->ends)
        assert_non_null(strstr(message[0], m->ends));
    else
        assert_int_equal(message[0][0], '\0');
    assert_int_equal(together->done, single->done);
    assert_int_equal(together->sim->steps, single->sim->steps);
    check_same_numbers(together->sim->state.q, single->sim->state.q,
                       3 * together->sim->system->n);
    assert_true(together->sim->state.t == single->sim->state.t);
    assert_int_equal(x->count, y->count);
    check_same_numbers(x->numbers, y->numbers, x->count + x->maps);
    check_same_numbers(&x->now.energy, &y->now.energy, 1);
    assert_int_equal(together->view.warning_count, single->view.warning_count);
    for (int k = 0; k < together->view.warning_count; k++)
        assert_string_equal(together->view.warnings[k], single->view.warnings[k]);
    lv_run_summary_free(&together->view);
    lv_run_summary_free(&single->view);
    lv_model_free(model);
}

#define PENDULUM                                                                         \
    "[coordinates]\nx = { value = [1, 0, 0], velocity = [0, 1, 0.2] }\n"                 \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[3]\"\n"                   \
    "[constraints.rod]\nholonomic = \"(norm2(x) - 1)/2\"\n"

static void steps_are_examined_together(void **state)
{
    (void)state;
    static const motion motions[] = {
        {PENDULUM, "rattle", 0.001, 5, NULL},
        {PENDULUM, "rattle", 0.001, 5.0025, NULL}, /* ends with another step */
        {PENDULUM, "em", 0.001, 4.5, NULL},
        {PENDULUM, "verlet", 0.001, 4.2, NULL},
        {"[coordinates]\nx = { value = [1, 0], velocity = [0, 1] }\ny = { value = 0, "
         "velocity = 0.1 }\n[energy]\n"
         "kinetic = \"norm2(x')/2 + y'^2\"\npotential = \"-1/norm(x)\"\n",
         "rattle", 0.002, 10, NULL},
    };
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++)
        check_motion(&motions[k]);
}

static void runaways_are_noticed_at_their_step(void **state)
{
    (void)state;
    check_motion(&(motion){"[coordinates]\nx = { value = 1, velocity = 1 }\n"
                           "[energy]\nkinetic = \"x'^2/2\"\npotential = \"-4*x^2\"\n",
                           "rattle", 0.001, 8, NULL});
}

/* Forces stay finite where the energy does not: the run ends at the first such step, whichever of eight it is, also if that is
 * found out at the last step, or at one that gets a close look anyway. */
static void a_run_ends_where_its_energy_ends(void **state)
{
    (void)state;
    static const int lengths[] = {5000, 8184, 16376}, last = 16390;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int k = 0; k < 9; k++) {
            char text[300];
            const double steps = lengths[i] + k + 0.5;
            (void)snprintf(text, sizeof text,
                           "[coordinates]\nx = { value = %.17g, velocity = -1 }\n"
                           "[energy]\nkinetic = \"x'^2/2\"\npotential = "
                           "\"1e-9*log(x)\"\n",
                           0.001 * steps);
            check_motion(&(motion){text, "verlet", 0.001, 0.001 * last, "log"});
            check_motion(
                &(motion){text, "verlet", 0.001, 0.001 * (lengths[i] + 10), "log"});
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_examined_together),
        cmocka_unit_test(runaways_are_noticed_at_their_step),
        cmocka_unit_test(a_run_ends_where_its_energy_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
