/* Motions do not depend on units, nor on factors of constraints: every scheme, scaled in all ways, against itself. */
#include "../claims/moving.h"

/* Units of length, time and mass, and the factor of a constraint. */
typedef struct units {
    double length, time, mass, factor;
} units;

enum {
    FACTORS = 13,
    MASSES = 7,
    OTHERS = 10,
    ALL = FACTORS + MASSES + OTHERS,
    STEPS = 20
};

static void list_units(units list[ALL])
{
    static const double others[OTHERS][4] = {
        {1e7, 1e4, 1e20, 1},     {1e11, 1e7, 1e30, 1},   {1e-9, 1e-12, 1e-24, 1},
        {1e-7, 1e3, 1e-30, 1},   {1e5, 1e-8, 1e12, 1},   {1e-3, 1, 1e-3, 1e6},
        {1e3, 1e-3, 1e-6, 1e-9}, {1e-6, 1e-6, 1e-12, 1}, {1, 1e-6, 1e9, 1e3},
        {1, 1e6, 1e-9, 1e-3}};
    for (int k = 0; k < FACTORS; k++)
        *list++ = (units){1, 1, 1, pow(10, 3 * k - 18)};
    for (int k = 0; k < MASSES; k++)
        *list++ = (units){1, 1, pow(10, 10 * k - 30), 1};
    for (int k = 0; k < OTHERS; k++)
        *list++ = (units){others[k][0], others[k][1], others[k][2], others[k][3]};
}

typedef struct subject {
    const char *text;
    bool lengths; /* coordinates are lengths, all of them; else the first one is */
    bool mixed;   /* how well the steps are solved depends on the unit of length */
    int methods;  /* at least, that take it */
} subject;

/* Two rods, one of which has the factor, and a spring. */
static const subject rods = {
    "[coordinates]\n"
    "a = { value = [\"0.6*L\", \"-0.8*L\"], velocity = [\"0.8*L/T\", \"0.6*L/T\"] }\n"
    "b = { value = [\"1.4*L\", \"-1.4*L\"], velocity = [\"0.8*L/T\", \"0.6*L/T\"] }\n"
    "[energy]\nkinetic = \"S*(0.5*norm2(a') + norm2(b'))\"\n"
    "potential = \"S*L/T^2*9.81*(a[2] + 2*b[2]) + 5*S/T^2*(norm(b) - 1.5*L)^2\"\n"
    "[constraints]\nu = { holonomic = \"c*(norm2(a) - L^2)\" }\n"
    "l = { holonomic = \"norm2(b - a) - L^2\" }\n",
    true, false, 15};

/* A mass matrix that varies, coordinates of different units. (Not in one term of the potential: discrete gradients of
 * several invariants do depend on the units of these.) */
static const subject bead = {
    "[coordinates]\nr = { value = \"1.2*L\", velocity = 0 }\n"
    "phi = { value = 0, velocity = \"2/T\" }\n"
    "[energy]\nkinetic = \"0.5*S*(r'^2 + r^2*phi'^2)\"\n"
    "potential = \"9.81*S/T^2*(r^2 + L^2*sin(phi))\"\n"
    "[constraints]\nwire = { holonomic = \"c*(r - L*(1 + 0.2*cos(phi)))\" }\n",
    false, true, 10};

/* Constraints that depend on each other. */
static const subject twice = {
    "[coordinates]\n"
    "x = { value = [\"0.6*L\", \"-0.8*L\"], velocity = [\"0.8*L/T\", \"0.6*L/T\"] }\n"
    "[energy]\nkinetic = \"0.5*S*norm2(x')\"\npotential = \"9.81*S*L/T^2*x[2]\"\n"
    "[constraints]\nrod = { holonomic = \"norm2(x) - L^2\" }\n"
    "again = { holonomic = \"c*(norm2(x) - L^2)\" }\n",
    true, false, 15};

/* Nonholonomic, beside a holonomic one. */
static const subject sleigh = {
    "[coordinates]\n"
    "x = { value = [0, 0, \"2*L\"], velocity = [\"cos(0.3)*L/T\", \"sin(0.3)*L/T\", 0] "
    "}\n"
    "phi = { value = 0.3, velocity = \"1/T\" }\n"
    "[energy]\nkinetic = \"0.5*S*(norm2(x') + 0.5*L^2*phi'^2)\"\n"
    "potential = \"S*L/T^2*(x[1] + x[3])\"\n"
    "[constraints]\nfloor = { holonomic = \"c*(x[3] - 2*L)\" }\n"
    "blade = { nonholonomic = \"c*(sin(phi)*x[1]' - cos(phi)*x[2]')\" }\n",
    false, false, 3};

static lv_model *read_in(const subject *s, const units *u)
{
    char text[1200];
    snprintf(text, sizeof text,
             "[parameters]\nL = %.17g\nT = %.17g\nS = %.17g\nc = %.17g\n%s", u->length,
             u->time, u->mass, u->factor, s->text);
    return read_text(text);
}

/* Positions after some steps, in units of 1. */
static void run_in(const subject *s, const units *u, const method *m, double *q)
{
    char name[METHOD_NAME];
    lv_error err;
    lv_sim *sim = NULL;
    lv_model *model = read_in(s, u);
    const int n = lv_model_coordinate_count(model);
    lv_status status = try_start(&sim, model, m, 0.01 * u->time, &err);
    for (int k = 0; k < STEPS && status == LV_OK; k++)
        status = lv_sim_step(sim, &err);
    if (status != LV_OK)
        fail_msg("%s, L = %g, T = %g, S = %g, c = %g: %s",
                 method_name(m, name, sizeof name), u->length, u->time, u->mass,
                 u->factor, err.text);
    for (int i = 0; i < n; i++) {
        const bool length = s->lengths || i < n - 1;
        q[i] = lv_sim_position(sim)[i] / (length ? u->length : 1);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

static void check_units(const subject *s, const method *m, const units list[ALL],
                        double *worst)
{
    const units plain = {1, 1, 1, 1};
    char name[METHOD_NAME];
    double q[4] = {0}, other[4] = {0};
    run_in(s, &plain, m, q);
    for (int k = 0; k < ALL; k += SLOW ? 4 : 1) {
        const units *u = &list[k];
        if (s->mixed && u->length != 1)
            continue;
        run_in(s, u, m, other);
        for (int i = 0; i < 4; i++) {
            const double off = fabs(other[i] - q[i]);
            *worst = fmax(*worst, off);
            if (!(off <= 1e-9))
                fail_msg("%s, L = %g, T = %g, S = %g, c = %g: %.1e",
                         method_name(m, name, sizeof name), u->length, u->time, u->mass,
                         u->factor, off);
        }
    }
}

static void check_subject(const subject *s)
{
    static method list[MOST_METHODS];
    const units plain = {1, 1, 1, 1};
    units all[ALL];
    const int count = list_methods(list, 3);
    int tried = 0;
    double worst = 0;
    lv_model *model = read_in(s, &plain);
    list_units(all);
    for (int k = 0; k < count; k++) {
        lv_sim *sim = NULL;
        lv_error err;
        if (list[k].compose != 0 || try_start(&sim, model, &list[k], 0.01, &err) != LV_OK)
            continue;
        lv_sim_free(sim);
        check_units(s, &list[k], all, &worst);
        tried++;
    }
    print_message("    %d methods, at most %.1e\n", tried, worst);
    assert_in_range(tried, s->methods, MOST_METHODS);
    lv_model_free(model);
}

static void rods_with_factors_move_alike(void **state)
{
    (void)state;
    check_subject(&rods);
}

static void masses_that_vary_and_angles_move_alike(void **state)
{
    (void)state;
    check_subject(&bead);
}

static void dependent_constraints_move_alike(void **state)
{
    (void)state;
    check_subject(&twice);
}

static void nonholonomic_constraints_move_alike(void **state)
{
    (void)state;
    check_subject(&sleigh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rods_with_factors_move_alike),
        RUN(masses_that_vary_and_angles_move_alike),
        RUN(dependent_constraints_move_alike),
        RUN(nonholonomic_constraints_move_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
