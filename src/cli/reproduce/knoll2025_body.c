/* Section 4.2: properties of the scheme (4.14), for the heavy top and for a free body. */
#include "cli/reproduce/body.h"
#include "cli/reproduce/knoll2025.h"

#include <math.h>
#include <string.h>

/* The heavy top in the columns of its rotation matrix, with six constraints: (4.9). The
 * centre of mass is d2, so that its mass adds to that of d2, which is 0 by itself. */
static const char axes[] =
    "[parameters]\n"
    "m = 15\n"
    "E = 0.234375\n" /* of d1, (Jyy + Jzz - Jxx)/2, and of d3; the value of d2 is 0 */
    "[coordinates]\n"
    "d1 = { value = [1, 0, 0], velocity = [0, -4.61538, -150] }\n"
    "d2 = { value = [0, 1, 0], velocity = [4.61538, 0, 0] }\n"
    "d3 = { value = [0, 0, 1], velocity = [150, 0, 0] }\n"
    "[energy]\n"
    "kinetic = \"E/2*norm2(d1') + m/2*norm2(d2') + E/2*norm2(d3')\"\n"
    "potential = \"9.81*m*d2[3]\"\n"
    "[constraints]\n"
    "length1 = { holonomic = \"(norm2(d1) - 1)/2\" }\n"
    "length2 = { holonomic = \"(norm2(d2) - 1)/2\" }\n"
    "length3 = { holonomic = \"(norm2(d3) - 1)/2\" }\n"
    "angle1 = { holonomic = \"dot(d2, d3)\" }\n"
    "angle2 = { holonomic = \"dot(d3, d1)\" }\n"
    "angle3 = { holonomic = \"dot(d1, d2)\" }\n";

static const char free_body[] = "[bodies.b]\nmass = 1\ninertia = [1, 2, 3]\n"
                                "position = [0, 0, 0]\n"
                                "angular_velocity = [0.4, 1.1, 0.3]\n";

static const cli_start top = {
    .model = "heavy top", .text = cli_knoll2025_joint, .step = 1e-3};

/* ---- (4.9) and (4.14) ----------------------------------------------------------------------------------- */

static lv_status run_same(cli_bench *bench, lv_error *err)
{
    const cli_start with_axes = {.model = "heavy top", .text = axes, .step = 1e-3};
    double x[CLI_BODY], y[CLI_BODY];
    CLI_TRY(cli_body_reach(x, &top, "rattle", 3, 50, err));
    CLI_TRY(cli_body_reach(y, &with_axes, "dpg degree=1", 0, 50, err));
    const double off[] = {cli_largest_difference(x, y, 9),
                          cli_largest_difference(x + 9, y + 9, 3)};
    CLI_TRY(cli_bench_claim(bench, 0, off[0], err, "%.1e", off[0]));
    return cli_bench_claim(bench, 1, off[1] / 150, err, "%.1e", off[1] / 150);
}

static const cli_claim same_claims[] = {
    {.text = "R after 50 steps, with the six multipliers of (4.9) and without",
     .published = "eliminate the symmetric Lagrange multiplier matrices",
     .most = 1e-11,
     .note =
         "The heavy top, h = 1e-3. 'rattle' solves for three unknowns of the rotation; "
         "'dpg' of degree 1 has 9 coordinates and 6 multipliers."},
    {.text = "omega after 50 steps, relative, with the six multipliers and without",
     .published = "eliminate the symmetric Lagrange multiplier matrices",
     .most = 1e-11},
};

/* ---- theorem 4.2 ----------------------------------------------------------------------------------------- */

/* Whether the first step has a solution. */
static lv_status try_step(double h, bool *taken, lv_error *err)
{
    cli_start start = top;
    double x[CLI_BODY];
    start.step = h;
    lv_status status = cli_body_reach(x, &start, "rattle", 3, 1, err);
    *taken = status == LV_OK;
    return status == LV_ERR_NUMERIC ? LV_OK : status;
}

static lv_status run_solvable(cli_bench *bench, lv_error *err)
{
    double least = 5e-3, most = 8e-3;
    while (most - least > 1e-6) {
        const double middle = (least + most) / 2;
        bool taken = false;
        CLI_TRY(try_step(middle, &taken, err));
        *(taken ? &least : &most) = middle;
    }
    return cli_bench_claim(bench, 0, least, err, "h < %.2e", least);
}

static const cli_claim solvable_claims[] = {
    {.text = "largest step with a solution",
     .published = "a locally unique solution exists",
     .least = 6.5e-3,
     .most = 6.7e-3,
     .note =
         "The bound is not in the thesis: about a principal axis a step turns by "
         "asin(h omega), so that h omega < 1 is needed, here h < 1/150. livens says so "
         "and does not return another solution."},
};

/* ---- theorem 4.3 ----------------------------------------------------------------------------------------- */

/* Derivatives are computed in coordinates, whose mass matrix must be regular: this body
 * is not flat. */
static const char thick[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.top]\nmass = 15\ninertia = [0.30, 0.46875, 0.25]\nposition = [0, 1, 0]\n"
    "angular_velocity = [0, 150, -4.61538]\nvelocity = [4.61538, 0, 0]\n"
    "[joints.tip]\ntype = \"spherical\"\nbetween = [\"ground\", \"top\"]\nat = [0, 0, "
    "0]\n";

static lv_status run_kept(cli_bench *bench, lv_error *err)
{
    const cli_start start = {.model = "heavy top", .text = thick, .step = 1e-3};
    cli_motion m;
    double defect = 0, distance = 0;
    CLI_TRY(cli_motion_begin(&m, &start, "rattle", err));
    lv_status status = cli_motion_form_defect(&m, &defect, err);
    if (status == LV_OK)
        status = cli_motion_return(&m, &distance, err);
    cli_motion_end(&m);
    CLI_TRY(status);
    CLI_TRY(cli_bench_claim(bench, 0, distance / 150, err, "%.1e", distance / 150));
    return cli_bench_claim(bench, 1, defect, err, "%.1e of it", defect);
}

static const cli_claim kept_claims[] = {
    {.text = "a step back after a step: distance from its start, relative",
     .published = "symmetric",
     .most = 1e-11,
     .note =
         "With the inertia (0.30, 0.46875, 0.25) of a body that is not flat, for which "
         "the theorem holds: it needs the inverse of M."},
    {.text = "change of the symplectic form in a step",
     .published = "symplectic",
     .most = 1e-11},
};

/* ---- a long run ------------------------------------------------------------------------------------------- */

/* The angular momentum of the heavy top about the vertical: of the centre of mass and of
 * the rotation. */
static double read_vertical(cli_motion *m, int k)
{
    static const double J[] = {0.234375, 0.46875, 0.234375};
    double x[CLI_BODY], L[3];
    (void)k;
    cli_body_read(x, m, 3);
    cli_body_momentum(L, x, J);
    return L[2] + 15 * (m->q[0] * m->v[1] - m->q[1] * m->v[0]);
}

/* |x - R X| and |x' - R' X| */
static double read_tip(cli_motion *m, int k)
{
    const double *at = k == 0 ? m->q : m->v;
    return cli_largest_difference(at, at + 6, 3);
}

static lv_status run_long(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"rattle", NULL};
    static const cli_column columns[] = {
        {"energy", 0, cli_read_energy, 0, false},
        {"vertical momentum", 0, read_vertical, 0, false},
        {"x - R X", 0, read_tip, 0, false},
        {"x' - R' X", 0, read_tip, 1, false},
    };
    const cli_course course = {.start = top,
                               .schemes = schemes,
                               .steps = 40000,
                               .columns = columns,
                               .column_count = CLI_COUNT(columns),
                               .silent = true};
    cli_track t[CLI_COUNT(columns)];
    CLI_TRY(cli_race_course(bench, &course, t, err));
    CLI_TRY(cli_bench_claim(bench, 0, t[0].least - t[0].first, err, "%.3e",
                            t[0].least - t[0].first));
    CLI_TRY(cli_bench_claim(bench, 1, t[0].most - t[0].first, err, "%.1e",
                            t[0].most - t[0].first));
    CLI_TRY(cli_bench_claim(bench, 2, fabs(t[0].drift) * 40, err, "%.0e",
                            fabs(t[0].drift) * 40));
    CLI_TRY(cli_bench_claim(bench, 3, t[1].most - t[1].least, err, "%.1e",
                            t[1].most - t[1].least));
    CLI_TRY(cli_bench_claim(bench, 4, t[2].most, err, "%.1e", t[2].most));
    return cli_bench_claim(bench, 5, t[3].most, err, "%.1e", t[3].most);
}

static const cli_claim long_claims[] = {
    {.text = "least energy in 40000 steps, relative to the start",
     .pin = CLI_PIN(ELSEWHERE, -2.70e-2, -2.68e-2),
     .note = "h = 1e-3, to t = 40; the energy of the start is 5435.7 J."},
    {.text = "largest energy in 40000 steps, relative to the start",
     .pin = CLI_PIN(ELSEWHERE, 0, 1e-10)},
    {.text = "drift of the energy to t = 40", .pin = CLI_PIN(HERE, 0, 2e-3)},
    {.text = "change of the vertical angular momentum, of 70",
     .pin = CLI_PIN(ELSEWHERE, 0, 2e-11)},
    {.text = "largest |x - R X|", .pin = CLI_PIN(ELSEWHERE, 0, 1e-14)},
    {.text = "largest |x' - R' X|", .pin = CLI_PIN(ELSEWHERE, 0, 1e-13)},
};

/* ---- a free body ------------------------------------------------------------------------------------------ */

static lv_status run_free(cli_bench *bench, lv_error *err)
{
    static const double exact[] = {
        -0.131519046148760, 0.717027213151894,  -0.684525175650793, -0.632439001659255,
        0.471048573418222,  0.614926134312815,  0.763363379839749,  0.513794917335979,
        0.391524115782603,  -0.756946380254091, 0.892766586191614,  0.477133043144073};
    static const double known[] = {-0.129543170471, 0.718738058108, -0.683106266120,
                                   -0.633370590650, 0.470078371503, 0.614709703474,
                                   0.762928739716,  0.512290863156, 0.394332105772,
                                   -0.758596701874, 0.891364708695, 0.478005912130};
    static const double errors_known[] = {4.55e-2, 1.13e-2, 2.81e-3}, J[] = {1, 2, 3};
    static const double first[] = {0.4, 2.2, 0.9};
    double errors[3], x[CLI_BODY] = {0}, L[3];
    for (int i = 0; i < 3; i++) {
        const cli_start start = {
            .model = "free body", .text = free_body, .step = 0.2 / (1 << i)};
        CLI_TRY(cli_body_reach(x, &start, "rattle", 3, 20 << i, err));
        errors[i] = cli_largest_difference(x, exact, CLI_BODY);
    }
    const double off = cli_largest_difference(x, known, CLI_BODY);
    const double energy =
        fabs((x[9] * x[9] + 2 * x[10] * x[10] + 3 * x[11] * x[11]) / 2 - 1.425);
    cli_body_momentum(L, x, J);
    CLI_TRY(cli_bench_claim(bench, 0, cli_largest_deviation(errors, errors_known, 3), err,
                            "%.2e, %.2e, %.2e", errors[0], errors[1], errors[2]));
    CLI_TRY(cli_bench_claim(bench, 1, off, err, "the same to %.1e", off));
    CLI_TRY(cli_bench_claim(bench, 2, energy, err, "%.1e", energy));
    const double momentum = cli_largest_difference(L, first, 3);
    return cli_bench_claim(bench, 3, momentum, err, "%.1e", momentum);
}

static const cli_claim free_claims[] = {
    {.text = "errors at T = 4 with 20, 40 and 80 steps",
     .pin = CLI_PIN(ELSEWHERE, 0, 5e-3),
     .note = "J = (1, 2, 3), omega = (0.4, 1.1, 0.3), R = 1 at the start. Energy and "
             "momentum are kept to rounding, not only within bounds."},
    {.text = "R and omega with 80 steps", .pin = CLI_PIN(ELSEWHERE, 0, 1e-11)},
    {.text = "change of the energy", .pin = CLI_PIN(ELSEWHERE, 0, 1e-13)},
    {.text = "change of the spatial momentum", .pin = CLI_PIN(ELSEWHERE, 0, 1e-13)},
};

static const cli_figure figures[] = {
    {.where = "(4.9), (4.14)",
     .subject = "heavy top",
     CLI_CLAIMS(same_claims),
     .run = run_same},
    {.where = "Theorem 4.2",
     .subject = "heavy top",
     CLI_CLAIMS(solvable_claims),
     .run = run_solvable},
    {.where = "Theorem 4.3, rigid body",
     .subject = "heavy top, h = 1e-3",
     CLI_CLAIMS(kept_claims),
     .run = run_kept},
    {.where = "Section 4.2, free body",
     .subject = "free body",
     CLI_CLAIMS(free_claims),
     .run = run_free},
    {.where = "Section 4.2, long run",
     .subject = "heavy top",
     CLI_CLAIMS(long_claims),
     .run = run_long},
};

const cli_chapter cli_knoll2025_body = {figures, CLI_COUNT(figures)};
