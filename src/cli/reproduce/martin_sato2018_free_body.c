/* Section 6: the schemes of Theorem 6.1 on SO(3), without constraints. The paper has no
 * example of these; this is a free body with J = (1, 2, 3) and omega = (0.4, 1.1, 0.3) up
 * to T = 4. */
#include "cli/reproduce/body.h"
#include "cli/reproduce/group_rows.h"
#include "cli/reproduce/martin_sato2018.h"

#include <math.h>

static const char text[] = "[bodies.b]\n"
                           "mass = 1\n"
                           "inertia = [1, 2, 3]\n"
                           "position = [0, 0, 0]\n"
                           "pivot = [0, 0, 0]\n"
                           "angular_velocity = [0.4, 1.1, 0.3]\n";

static const double until = 4;

enum { ROWS = CLI_COUNT(free_rows), RUNS = 3, FINEST = 80 };

/* Largest errors of R and omega with 20, 40 and 80 steps, in the order of free_rows; 0:
 * below rounding. */
static const double known_errors[ROWS][RUNS] = {
    {2.12e-2, 5.41e-3, 1.36e-3}, {7.60e-3, 1.91e-3, 4.77e-4}, {3.64e-5, 2.22e-6, 1.38e-7},
    {6.77e-6, 4.27e-7, 2.68e-8}, {2.39e-8, 3.63e-10, 0},      {6.97e-10, 1.15e-11, 0},
    {4.57e-2, 1.10e-2, 2.72e-3}, {1.83e-3, 4.67e-4, 1.18e-4}, {6.95e-5, 4.34e-6, 2.71e-7},
    {3.28e-6, 2.09e-7, 1.32e-8}, {3.94e-8, 5.96e-10, 0},      {3.91e-10, 5.95e-12, 0},
};

/* The result of one run. */
typedef struct outcome {
    double x[CLI_BODY], energy, momentum;
} outcome;

static void name_scheme(char *name, size_t size, const group_row *row)
{
    snprintf(name, size, "%s stages=%d rotations=%s", row->scheme, row->stages,
             row->cay ? "cay" : "exp");
}

static void watch(outcome *o, const cli_motion *m, double energy)
{
    static const double J[] = {1, 2, 3}, first[] = {0.4, 2.2, 0.9};
    double momentum[3];
    cli_body_read(o->x, m, 0);
    cli_body_momentum(momentum, o->x, J);
    o->momentum = fmax(o->momentum, cli_largest_difference(momentum, first, 3));
    o->energy = fmax(o->energy, fabs(m->energies.total - energy));
}

static lv_status run_row(outcome *o, const group_row *row, int steps, lv_error *err)
{
    const cli_start start = {.model = "free body", .text = text, .step = until / steps};
    char scheme[80];
    cli_motion m;
    name_scheme(scheme, sizeof scheme, row);
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    *o = (outcome){.energy = 0};
    const double energy = m.energies.total;
    lv_status status = LV_OK;
    for (int n = 0; n < steps && status == LV_OK; n++) {
        status = cli_motion_step(&m, err);
        watch(o, &m, energy);
    }
    cli_motion_end(&m);
    return status;
}

/* ---- orders and digits ------------------------------------------------------------------------------ */

enum { ORDER, ERRORS, END, ENTRIES };

static lv_status measure_row(cli_bench *bench, int k, lv_error *err)
{
    double errors[RUNS];
    outcome o = {.energy = 0};
    for (int i = 0; i < RUNS; i++) {
        const int steps = 20 << i;
        CLI_TRY(run_row(&o, &free_rows[k], steps, err));
        errors[i] = cli_largest_difference(o.x, free_exact, CLI_BODY);
        bench->row[0] = k;
        bench->row[1] = until / steps;
        bench->row[2] = errors[i];
        bench->row[3] = o.energy;
        CLI_TRY(cli_bench_row(bench, err));
    }
    const double order = log2(errors[0] / errors[1]),
                 deviation = cli_largest_deviation(errors, known_errors[k], RUNS),
                 off = fmax(cli_largest_difference(o.x, free_rows[k].R, 9),
                            cli_largest_difference(o.x + 9, free_rows[k].w, 3));
    const char *numbers = cli_numbers(bench->pool, errors, RUNS);
    if (!numbers)
        return cli_fail_memory(err);
    const int first = ENTRIES * k;
    CLI_TRY(cli_bench_claim(bench, first + ORDER, order, err, "%.2f", order));
    CLI_TRY(cli_bench_claim(bench, first + ERRORS, deviation, err, "%s", numbers));
    return cli_bench_claim(bench, first + END, off, err, "the same to %.1e", off);
}

static lv_status run_orders(cli_bench *bench, lv_error *err)
{
    static const char *const names[] = {"row", "h", "error", "energy"};
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < ROWS && cli_bench_go_on(bench); k++)
        CLI_TRY(measure_row(bench, k, err));
    return LV_OK;
}

static const char data_note[] =
    "The paper has no example without constraints. Here J = (1, 2, 3), omega = (0.4, "
    "1.1, 0.3), R = 1 at the start, T = 4; errors are the largest of R and omega.";

#define SCHEME(name, p, first_note)                                                      \
    {.text = name ": order",                                                             \
     .pin = CLI_PIN(ELSEWHERE, (p)-0.15, (p) + 0.15),                                    \
     .note = first_note},                                                                \
        {.text = name ": errors with 20, 40 and 80 steps",                               \
         .pin = CLI_PIN(ELSEWHERE, 0, 0.01)},                                            \
    {                                                                                    \
        .text = name ": state with 80 steps", .pin = CLI_PIN(ELSEWHERE, 0, 1e-11)        \
    }

static const cli_claim order_claims[] = {
    SCHEME("Gauss, s = 1, cay", 2, data_note), SCHEME("Gauss, s = 1, exp", 2, NULL),
    SCHEME("Gauss, s = 2, cay", 4, NULL),      SCHEME("Gauss, s = 2, exp", 4, NULL),
    SCHEME("Gauss, s = 3, cay", 6, NULL),      SCHEME("Gauss, s = 3, exp", 6, NULL),
    SCHEME("Lobatto, s = 2, cay", 2, NULL),    SCHEME("Lobatto, s = 2, exp", 2, NULL),
    SCHEME("Lobatto, s = 3, cay", 4, NULL),    SCHEME("Lobatto, s = 3, exp", 4, NULL),
    SCHEME("Lobatto, s = 4, cay", 6, NULL),    SCHEME("Lobatto, s = 4, exp", 6, NULL),
};

/* ---- what is kept ------------------------------------------------------------------------------------- */

static lv_status form_defect(double *defect, const group_row *row, lv_error *err)
{
    const cli_start start = {.model = "free body", .text = text, .step = 0.3};
    char scheme[80];
    cli_motion m;
    name_scheme(scheme, sizeof scheme, row);
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    lv_status status = cli_motion_form_defect(&m, defect, err);
    cli_motion_end(&m);
    return status;
}

static lv_status run_kept(cli_bench *bench, lv_error *err)
{
    double worst = 0, momentum = 0, energies[ROWS];
    for (int k = 0; k < ROWS && cli_bench_go_on(bench); k++) {
        double defect = 0;
        outcome o;
        CLI_TRY(form_defect(&defect, &free_rows[k], err));
        CLI_TRY(run_row(&o, &free_rows[k], FINEST, err));
        worst = fmax(worst, defect);
        momentum = fmax(momentum, o.momentum);
        energies[k] = o.energy;
    }
    CLI_TRY(cli_bench_claim(bench, 0, worst, err, "%.1e of it at most", worst));
    CLI_TRY(cli_bench_claim(bench, 1, momentum, err, "%.1e at most", momentum));
    for (int k = 0; k < ROWS; k++)
        CLI_TRY(cli_bench_claim(bench, 2 + k, energies[k], err, "%.1e", energies[k]));
    return LV_OK;
}

#define ENERGY(name, least, most)                                                        \
    {                                                                                    \
        .text = name ": largest error of the energy, 80 steps",                          \
        .pin = CLI_PIN(ELSEWHERE, least, most)                                           \
    }

static const cli_claim kept_claims[] = {
    {.text = "all twelve schemes: change of the symplectic form in a step, h = 0.3",
     .published = "automatically preserve symplecticity",
     .most = 1e-11,
     .note = "The exact derivative of a step, in the cotangent bundle of the group."},
    {.text = "all twelve schemes: change of the spatial momentum, 80 steps",
     .published = "automatically preserve momentum",
     .most = 1e-11},
    ENERGY("Gauss, s = 1, cay", 6.0e-5, 6.2e-5),
    ENERGY("Gauss, s = 1, exp", 4.0e-5, 4.2e-5),
    ENERGY("Gauss, s = 2, cay", 6.4e-10, 7.6e-10),
    ENERGY("Gauss, s = 2, exp", 1.1e-9, 1.3e-9),
    ENERGY("Gauss, s = 3, cay", 0, 3e-13),
    ENERGY("Gauss, s = 3, exp", 0, 3e-14),
    ENERGY("Lobatto, s = 2, cay", 3.1e-5, 3.3e-5),
    ENERGY("Lobatto, s = 2, exp", 1.0e-5, 1.2e-5),
    ENERGY("Lobatto, s = 3, cay", 1.2e-8, 1.4e-8),
    ENERGY("Lobatto, s = 3, exp", 3.5e-10, 3.7e-10),
    ENERGY("Lobatto, s = 4, cay", 0, 3e-13),
    ENERGY("Lobatto, s = 4, exp", 0, 1e-14),
};

static const cli_figure figures[] = {
    {.where = "Theorem 6.1",
     .subject = "free body",
     .file = "theorem-6-1-orders",
     CLI_CLAIMS(order_claims),
     .run = run_orders},
    {.where = "Section 4, on groups",
     .subject = "free body",
     CLI_CLAIMS(kept_claims),
     .run = run_kept},
};

const cli_chapter cli_martin_sato2018_free_body = {figures, CLI_COUNT(figures)};
