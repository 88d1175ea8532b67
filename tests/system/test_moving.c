/* Bodies that move on groups, against the same bodies in coordinates: accelerations, multipliers, momenta and energies
 * have to be the same, and derivatives are those along rotations. */
#include "symmetries.h"

#include "model/moving.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

static const char *const models[] = {"heavy-top",
                                     "body-chain",
                                     "gyroscope",
                                     "rolling-disc-body",
                                     "slider-crank-spatial",
                                     "ball-in-bowl",
                                     "flyball-governor",
                                     "bicycle",
                                     "bennett-linkage",
                                     "dzhanibekov-nut"};

typedef struct pair {
    lv_model *model;
    lv_system *still, *moving;
    const lv_motion *motion;
    double *v, *tangents; /* at the start, consistent */
} pair;

static pair open_pair(const char *name, bool coupled)
{
    lv_error err;
    pair x = {.model = read_shipped(name, NULL, NULL)};
    if (lv_system_create(&x.still, x.model, &err) != LV_OK ||
        lv_system_move(x.still, coupled, &x.moving, &err) != LV_OK)
        fail_with(&err);
    const size_t n = (size_t)x.still->n;
    x.motion = x.moving->model->motion;
    x.v = calloc(n, sizeof *x.v);
    x.tangents = calloc(n, sizeof *x.tangents);
    memcpy(x.v, x.model->start_v, n * sizeof *x.v);
    if (lv_system_project_velocity(x.still, x.v, 0, x.model->start_q, &err) != LV_OK)
        fail_with(&err);
    lv_motion_tangents(x.motion, x.tangents, x.model->start_q, x.v);
    return x;
}

static void close_pair(pair *x)
{
    lv_system_free(x->still);
    lv_model_free(x->model);
    free(x->v);
    free(x->tangents);
}

static double extent(const double *x, int n)
{
    double largest = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

static void velocities_go_there_and_back(void **state)
{
    (void)state;
    for (size_t j = 0; j < 2 * sizeof models / sizeof *models; j++) {
        const size_t k = j / 2;
        pair x = open_pair(models[k], j % 2 == 1);
        double *back = calloc((size_t)x.still->n, sizeof *back);
        assert_true(x.moving->n + 6 * x.motion->quaternions == x.still->n);
        assert_true(x.moving->m + 6 * x.motion->quaternions == x.still->m);
        lv_motion_velocities(x.motion, back, x.still->n, x.model->start_q, x.tangents);
        for (int i = 0; i < x.still->n; i++)
            assert_close(back[i], x.v[i], 1e-13 * (1 + extent(x.v, x.still->n)));
        free(back);
        close_pair(&x);
    }
}

/* v' = R^T x'' - w x v where the velocity of the centre of mass is along the axes. */
static void turn_acceleration(const lv_pose *pose, double *a, const double *v)
{
    for (int c = 0; c < 3 && pose->centre >= 0 && pose->angle < 0; c++) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        a[pose->tangent[3 + c]] -= v[pose->tangent[i]] * v[pose->tangent[3 + j]] -
                                   v[pose->tangent[j]] * v[pose->tangent[3 + i]];
    }
}

/* e1'' = w3' e2 - w2' e3 + ...: the change of w is read off the accelerations of the axes. */
static void accelerations_are_those_of_coordinates(void **state)
{
    (void)state;
    for (size_t j = 0; j < 2 * sizeof models / sizeof *models; j++) {
        const size_t k = j / 2;
        lv_error err;
        pair x = open_pair(models[k], j % 2 == 1);
        const size_t n = (size_t)x.still->n,
                     rates = (size_t)x.still->constraint_count + 1;
        double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b),
               *c = calloc(n, sizeof *c), *l = calloc(rates, sizeof *l),
               *m = calloc(rates, sizeof *m);
        if (lv_system_accelerations(x.still, a, l, 0, x.model->start_q, x.v, &err) !=
                LV_OK ||
            lv_system_accelerations(x.moving, b, m, 0, x.model->start_q, x.tangents,
                                    &err) != LV_OK)
            fail_with(&err);
        lv_motion_tangents(x.motion, c, x.model->start_q, a);
        for (int i = 0; i < x.motion->pose_count; i++)
            turn_acceleration(&x.motion->poses[i], c, x.tangents);
        const double size = 1e-11 * (1 + extent(a, x.still->n));
        for (int i = 0; i < x.moving->n; i++)
            if (!(fabs(b[i] - c[i]) <= size))
                fail_msg("%s: acceleration %d is %.17g, not %.17g", models[k], i, b[i],
                         c[i]);
        if (lv_saddle_redundant(x.still->saddle) == 0)
            for (int r = 0; r < x.moving->constraint_count; r++) {
                const int was =
                    r < x.moving->m ? x.motion->row[r] : r - x.moving->m + x.still->m;
                if (!(fabs(m[r] - l[was]) <=
                      1e-10 * (1 + extent(l, x.still->constraint_count))))
                    fail_msg("%s: multiplier %d is %.17g, not %.17g", models[k], r, m[r],
                             l[was]);
            }
        free(a);
        free(b);
        free(c);
        free(l);
        free(m);
        close_pair(&x);
    }
}

static void masses_of_bodies_are_constant(void **state)
{
    (void)state;
    for (size_t j = 0; j < 2 * sizeof models / sizeof *models; j++) {
        const size_t k = j / 2;
        pair x = open_pair(models[k], j % 2 == 1);
        if (!x.moving->mass_constant && x.still->mass_constant)
            fail_msg("%s: the mass matrix is not constant", models[k]);
        close_pair(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_go_there_and_back),
        cmocka_unit_test(accelerations_are_those_of_coordinates),
        cmocka_unit_test(masses_of_bodies_are_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
