/* Digits: step-exact states of the schemes as other implementations computed them, and exact
 * solutions of benchmarks. Sources: the specifications "partitioned Runge-Kutta" (sphere, K1, K2)
 * and "Galerkin in time" (E1 .. E6; there "C k, L k+1" is Lobatto with k + 1 stages, "C k, G k"
 * Gauss with k, "LR m, R m+1" Radau with m + 1), both from extended precision; Test Set for IVP
 * Solvers (Andrews, car axis); IFToMM (A01). */
#include "../claims/moving.h"
#include "../claims/systems.h"

#include <stdlib.h>

enum { MOST = 16 };

/* ---- models ----------------------------------------------------------------------------- */

#define POLAR                                                                            \
    "[coordinates]\nq = { value = \"2*pi/3\" }\n"                                        \
    "[energy]\nkinetic = \"2*q'^2\"\npotential = \"-19.62*cos(q)\"\n"

#define CARTESIAN                                                                        \
    "[coordinates]\nq = { value = [\"2*sin(2*pi/3)\", \"-2*cos(2*pi/3)\"] }\n"           \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"                   \
    "[constraints.rod]\nholonomic = \"norm2(q) - 4\"\n"

/* M = [[2, .3], [.3, 1]], K = [[3, -1], [-1, 2]], velocities of the momenta (.2, .4) */
#define LINEAR                                                                           \
    "[coordinates]\nx = { value = 1, velocity = \"0.08/1.91\" }\n"                       \
    "y = { value = -0.5, velocity = \"0.74/1.91\" }\n"                                   \
    "[energy]\nkinetic = \"x'^2 + 0.3*x'*y' + y'^2/2\"\n"                                \
    "potential = \"1.5*x^2 - x*y + y^2\"\n"

#define PENDULUM                                                                         \
    "[coordinates]\nq = { value = 2, velocity = 0.5 }\n"                                 \
    "[energy]\nkinetic = \"q'^2/2\"\npotential = \"-9.81*cos(q)\"\n"

#define DOUBLE_PENDULUM                                                                  \
    "[coordinates]\na = { value = [\"sin(0.8)\", \"-cos(0.8)\"] }\n"                     \
    "b = { value = [\"sin(0.8) + 0.8*sin(1.3)\", \"-cos(0.8) - 0.8*cos(1.3)\"] }\n"      \
    "[energy]\nkinetic = \"norm2(a')/2 + 0.3*norm2(b')\"\n"                              \
    "potential = \"9.81*(a[2] + 0.6*b[2])\"\n"                                           \
    "[constraints]\nupper = { holonomic = \"(norm2(a) - 1)/2\" }\n"                      \
    "lower = { holonomic = \"(norm2(b - a) - 0.64)/2\" }\n"

#define SPHERE                                                                           \
    "[coordinates]\nx = { value = 0.6, velocity = 0.284745762711864 }\n"                 \
    "y = { value = 0, velocity = 0.9 }\n"                                                \
    "z = { value = -0.8, velocity = 0.213559322033898 }\n"                               \
    "[energy]\nkinetic = \"x'^2/2 + y'^2 + 0.75*z'^2\"\n"                                \
    "potential = \"z + 0.3*x^2\"\n"                                                      \
    "[constraints.sphere]\nholonomic = \"(x^2 + y^2 + z^2 - 1)/2\"\n"

#define A01                                                                              \
    "[coordinates]\nq = { value = [-1, 0] }\n"                                           \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"                   \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"

/* ---- step-exact states ---------------------------------------------------------------------- */

typedef struct row {
    const char *what;
    const char *text;
    method method;
    double step;
    int steps;
    double expected[2 * MOST]; /* q, p */
} row;

static const row rows[] = {
    {"E1 C2 G2, step 1",
     POLAR,
     {"gauss", 2, 0},
     0.3,
     1,
     {1.900028879592, -5.267590855645}},
    {"E1 C2 L3, step 1",
     POLAR,
     {"lobatto", 3, 0},
     0.3,
     1,
     {1.899843824548, -5.266833060053}},
    {"E1 C3 L4, step 1",
     POLAR,
     {"lobatto", 4, 0},
     0.3,
     1,
     {1.899941708800, -5.267349995404}},
    {"E1 LR2 R3, step 1",
     POLAR,
     {"radau", 3, 0},
     0.3,
     1,
     {1.899931184750, -5.267303333401}},
    {"E1 C2 G2", POLAR, {"gauss", 2, 0}, 0.3, 50, {1.340954714200, 10.69165966085}},
    {"E1 C2 L3", POLAR, {"lobatto", 3, 0}, 0.3, 50, {1.347118060517, 10.63891710729}},
    {"E1 C3 L4", POLAR, {"lobatto", 4, 0}, 0.3, 50, {1.344655724088, 10.66179356414}},
    {"E1 LR2 R3", POLAR, {"radau", 3, 0}, 0.3, 50, {1.344736383974, 10.66132260479}},

    {"E2 C2 L3",
     CARTESIAN,
     {"lobatto", 3, 0},
     0.1,
     150,
     {1.949468495300, -0.446735476353, 1.190025158171, 5.193043036131}},
    {"E2 C3 L4",
     CARTESIAN,
     {"lobatto", 4, 0},
     0.1,
     150,
     {1.949097478166, -0.448351447645, 1.195019682637, 5.195053706243}},
    {"E2 RATTLE",
     CARTESIAN,
     {"rattle", 2, 0},
     0.1,
     150,
     {1.991575997433, 0.183371334865, -0.366767685479, 3.983423688186}},

    {"E4 C1 L2",
     HENON_HEILES,
     {"lobatto", 2, 0},
     0.25,
     16,
     {-0.3447164688069, -0.4566611500557, 0.1275064624379, -0.2209215147859}},
    {"E4 C2 L3",
     HENON_HEILES,
     {"lobatto", 3, 0},
     0.25,
     16,
     {-0.3483373633308, -0.4520626770066, 0.1270796576344, -0.2278842878684}},
    {"E4 C3 L4",
     HENON_HEILES,
     {"lobatto", 4, 0},
     0.25,
     16,
     {-0.3483438720052, -0.4520625834245, 0.1270757787460, -0.2278922434856}},
    {"E4 C1 G1",
     HENON_HEILES,
     {"gauss", 1, 0},
     0.25,
     16,
     {-0.3547092113348, -0.4449169789222, 0.1256183658397, -0.2427890225324}},
    {"E4 C2 G2",
     HENON_HEILES,
     {"gauss", 2, 0},
     0.25,
     16,
     {-0.3483596644438, -0.4520482578499, 0.1270722215119, -0.2279269642914}},
    {"E4 C3 G3",
     HENON_HEILES,
     {"gauss", 3, 0},
     0.25,
     16,
     {-0.3483438873183, -0.4520625505906, 0.1270757813050, -0.2278923035742}},
    {"E4 LR1 R2",
     HENON_HEILES,
     {"radau", 2, 0},
     0.25,
     16,
     {-0.3482449904943, -0.4520280099019, 0.1271098409731, -0.2279337032869}},
    {"E4 LR2 R3",
     HENON_HEILES,
     {"radau", 3, 0},
     0.25,
     16,
     {-0.3483440172331, -0.4520626503394, 0.1270756809601, -0.2278920495684}},

    {"E4 arm C1 L2",
     TWO_LINK_ARM,
     {"lobatto", 2, 0},
     0.1,
     10,
     {-0.6853996336859, -0.1096138479461, -4.411834663328, -1.383488649328}},
    {"E4 arm C2 L3",
     TWO_LINK_ARM,
     {"lobatto", 3, 0},
     0.1,
     10,
     {-0.6812022253536, -0.1101378518048, -4.475577416492, -1.394477747414}},
    {"E4 arm C3 L4",
     TWO_LINK_ARM,
     {"lobatto", 4, 0},
     0.1,
     10,
     {-0.6812062549819, -0.1101209958040, -4.475589885515, -1.394455661459}},
    {"E4 arm C2 G2",
     TWO_LINK_ARM,
     {"gauss", 2, 0},
     0.1,
     10,
     {-0.6812085617239, -0.1100945878262, -4.475666200769, -1.394413006658}},

    {"E6 torus C1 L2",
     TORUS,
     {"lobatto", 2, 0},
     0.1,
     16,
     {1.943786376519, 1.977673440695, -0.6344128945786, -1.374452914851,
      -0.07179576402837, -1.236296225156}},
    {"E6 torus C2 L3",
     TORUS,
     {"lobatto", 3, 0},
     0.1,
     16,
     {1.945888666973, 1.978516436115, -0.6318761557292, -1.371964583491,
      -0.06978358183255, -1.241064866902}},
    {"E6 torus C3 L4",
     TORUS,
     {"lobatto", 4, 0},
     0.1,
     16,
     {1.945889716919, 1.978517415813, -0.6318743958847, -1.371962188996,
      -0.06978180027722, -1.241067028464}},
    {"E6 double pendulum C1 L2",
     DOUBLE_PENDULUM,
     {"lobatto", 2, 0},
     0.05,
     16,
     {-0.2669077244411, -0.9637220899376, -0.7103964667763, -1.629543188598,
      -2.019508368232, 0.5593130931445, -2.150516774020, 0.9609096495343}},
    {"E6 double pendulum C2 L3",
     DOUBLE_PENDULUM,
     {"lobatto", 3, 0},
     0.05,
     16,
     {-0.2638567969853, -0.9645618646228, -0.7050461802285, -1.631908796970,
      -2.011905612738, 0.5503586553478, -2.168798305444, 0.9659743888176}},
    {"E6 pivot C1 L2",
     MOVING_PIVOT,
     {"lobatto", 2, 0},
     0.075,
     16,
     {-0.4418527204504, -1.330382334518, -0.1699964618289, 0.05845149128051}},
    {"E6 pivot C2 L3",
     MOVING_PIVOT,
     {"lobatto", 3, 0},
     0.075,
     16,
     {-0.4459144333545, -1.329052625096, -0.1866154300289, 0.06091687399583}},

    {"K1 s=3",
     COUPLED_FREE,
     {"lobatto", 3, 0},
     0.1,
     20,
     {0.662144669615107, -0.271829086549782, 0.311367927547075, -0.0881303113635619,
      -0.718463207083006, -0.269626010510564, 0.119047563212915, -0.761336742731738}},
    {"K2 s=2",
     COUPLED_FORCED,
     {"lobatto", 2, 0},
     0.1,
     20,
     {0.908341933109983, -0.299122390117147, 0.310754743748118, 0.240464294696941,
      -0.222465068569323, -0.374731320568153, 0.272425799281182, -0.603910161369139}},
    {"K2 s=3",
     COUPLED_FORCED,
     {"lobatto", 3, 0},
     0.1,
     20,
     {0.908571067173455, -0.29851910240148, 0.310019578832042, 0.241789949478892,
      -0.221126510142142, -0.374976617884468, 0.272421109090401, -0.602882287603294}},
};

static void states_agree_step_by_step_with_other_implementations(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const row *r = &rows[k];
        lv_model *model = read_text(r->text);
        lv_sim *sim = start(model, &r->method, r->step);
        int n = lv_model_coordinate_count(model);
        step_times(sim, r->steps);
        double error = fmax(distance(lv_sim_position(sim), r->expected, n),
                            distance(lv_sim_momentum(sim), r->expected + n, n));
        bool good = error <= 1e-11 * fmax(1, largest(r->expected, 2 * n));
        print_message("%-26s %8.1e%s\n", r->what, error, good ? "" : " !");
        wrong += !good;
        lv_sim_free(sim);
        lv_model_free(model);
    }
    assert_int_equal(wrong, 0);
}

/* ---- exact solutions ------------------------------------------------------------------------- */

typedef struct exact {
    const char *what;
    const char *text; /* NULL: the shipped model of the next name */
    const char *model;
    int stages, steps;
    double until, tolerance;
    int positions, velocities, momenta, multipliers; /* how many numbers of each follow */
    double sign;                                     /* of the multipliers there */
    double numbers[24];
} exact;

static const exact exacts[] = {
    /* Both from the closed form, sin(q/2) = k sn(K(k) - w t, k). */
    {"E1",
     POLAR,
     NULL,
     5,
     600,
     15,
     1e-12,
     1,
     0,
     1,
     0,
     0,
     {1.34469736017109615, 10.6614679740066628}},
    {"E2",
     CARTESIAN,
     NULL,
     5,
     1000,
     15,
     2e-12,
     2,
     0,
     2,
     1,
     1,
     {1.94909666405984390, -0.448354986758024146, 1.19503058307671395,
      5.19505791552931225, -4.10188590753608133}},
    {"E3 linear",
     LINEAR,
     NULL,
     5,
     100,
     4,
     1e-12,
     2,
     0,
     2,
     0,
     0,
     {-0.1266212709105, -1.073878521804, -1.111428074942, 1.202517745406}},
    {"E3 pendulum",
     PENDULUM,
     NULL,
     5,
     200,
     2,
     1e-12,
     1,
     0,
     1,
     0,
     0,
     {-0.3421777825234, 5.186265935299}},
    {"E4 Henon-Heiles",
     HENON_HEILES,
     NULL,
     5,
     80,
     4,
     1e-12,
     2,
     0,
     2,
     0,
     0,
     {-0.3483438696341, -0.4520625733385, 0.1270757828474, -0.227892253953}},
    {"E4 arm",
     TWO_LINK_ARM,
     NULL,
     5,
     60,
     1,
     1e-12,
     2,
     0,
     2,
     0,
     0,
     {-0.6812062496346, -0.1101210096002, -4.475589909411, -1.394455661822}},
    {"E6 torus",
     TORUS,
     NULL,
     5,
     60,
     1.6,
     1e-12,
     3,
     0,
     3,
     1,
     1,
     {1.945889717168, 1.978517416055, -0.6318743954577, -1.371962188426,
      -0.06978179986032, -1.241067029009, -0.6192590429184}},
    {"E6 double pendulum",
     DOUBLE_PENDULUM,
     NULL,
     5,
     100,
     0.8,
     1e-12,
     4,
     0,
     4,
     2,
     1,
     {-0.2638540545115, -0.9645626148249, -0.7050436867576, -1.631909382554,
      -2.011873328997, 0.5503436758389, -2.168815510738, 0.9659900972099, -23.36797176986,
      -12.57072336999}},
    {"E6 pivot",
     MOVING_PIVOT,
     NULL,
     5,
     60,
     1.2,
     1e-12,
     2,
     0,
     2,
     1,
     1,
     {-0.44591997708, -1.329050797068, -0.1866414587154, 0.06092144127158,
      -11.65049389066}},
    {"K1",
     COUPLED_FREE,
     NULL,
     5,
     60,
     2,
     1e-13,
     4,
     0,
     4,
     0,
     0,
     {0.662144723768222, -0.271829104158395, 0.311368030908954, -0.0881302081108582,
      -0.718463202667787, -0.269625992730787, 0.119047567906294, -0.761336696237}},
    {"K2",
     COUPLED_FORCED,
     NULL,
     5,
     60,
     2,
     1e-13,
     4,
     0,
     4,
     1,
     1,
     {0.908571055198607, -0.298519082505371, 0.310019556477279, 0.241790067574959,
      -0.221126475332922, -0.374976674712953, 0.272421194268368, -0.602882262354473,
      0.513744641298102}},
    {"spherical pendulum",
     SPHERICAL_PENDULUM,
     NULL,
     5,
     1000,
     10,
     1e-11,
     3,
     3,
     0,
     0,
     0,
     {0.2186113380002105, 0.046728350139105571, -0.97469253828632282, -1.2558010304061791,
      4.3058996772858327, -0.07522860066619707}},
    {"four particles, t = 1",
     FOUR_PARTICLES,
     NULL,
     5,
     200,
     1,
     1e-12,
     12,
     0,
     0,
     0,
     0,
     {0.0079843277234334095, 0.011392149426950005, 0.00041510286046706455,
      0.98572992065231099, 0.20688807258080377, 0.076539340382954759, 0.24273202080835562,
      0.97994057097269269, 0.088765457769869254, 0.69208368380024454, 0.65534136446673265,
      0.92106254301174669}},
    {"four particles, t = 10",
     FOUR_PARTICLES,
     NULL,
     5,
     2000,
     10,
     1e-9,
     12,
     0,
     0,
     0,
     0,
     {1.1309805146872119, 0.69597833055001556, 2.2631321157025895, 0.80878748880331285,
      -0.19442891142650478, 2.5846388769184985, 0.30374485443550824, 1.2642680533501263,
      2.1878800844535378, 0.26120226688304738, 0.57617169472012249, 2.9122512113522225}},
    {"A01",
     A01,
     NULL,
     5,
     1000,
     10,
     1e-11,
     2,
     0,
     0,
     0,
     0,
     {-0.27508746257611686, -0.96141920509912506}},
    {"Andrews",
     NULL,
     "andrews",
     5,
     300,
     0.03,
     1e-10,
     7,
     7,
     0,
     6,
     -1,
     {15.810771195153707,   -15.756371058411839, 0.040822240119645805,
      -0.53473011634207959, 0.52440996587995407, 0.53473011634207959,
      1.0480807410419379,   1139.9203022591061,  -1424.3792951775401,
      11.032911910618594,   19.293374105032041,  0.57356991482950245,
      -19.293374105032041,  0.32317914924913087, 199.1753481045386,
      -29.75530997497176,   23.06654361162215,   31.45272527577114,
      22.64249478639438,    11.61739235261126}},
    {"car axis",
     NULL,
     "car-axis",
     5,
     1000,
     3,
     1e-11,
     4,
     4,
     0,
     2,
     1,
     {0.0493455784275402809, 0.496989460230171154, 1.04174252488542152,
      0.373911027265361257, -0.0770583684040972358, 0.00744686658723778553,
      0.0175568157537232222, 0.770341043779251976, -0.00473688659084893325,
      -0.00110468033125734369}},
};

/* Largest deviation relative to the size of the list; 0 for an empty one. */
static double deviation(const double *x, const double *expected, int n)
{
    return n > 0 ? distance(x, expected, n) / fmax(1, largest(expected, n)) : 0;
}

static double deviation_from(const exact *e)
{
    double lambda[MOST] = {0};
    lv_error err;
    lv_model *model = e->text ? read_text(e->text) : read_shipped(e->model, NULL, NULL);
    lv_sim *sim = start(model, &(method){"lobatto", e->stages, 0}, e->until / e->steps);
    step_times(sim, e->steps);
    if (lv_sim_multipliers(sim, lambda, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < e->multipliers; k++)
        lambda[k] *= e->sign;

    const double *expected = e->numbers;
    double worst = deviation(lv_sim_position(sim), expected, e->positions);
    expected += e->positions;
    worst = fmax(worst, deviation(lv_sim_velocity(sim), expected, e->velocities));
    expected += e->velocities;
    worst = fmax(worst, deviation(lv_sim_momentum(sim), expected, e->momenta));
    expected += e->momenta;
    /* Multipliers follow from the state and amplify its error. */
    worst = fmax(worst, deviation(lambda, expected, e->multipliers) / 10);
    lv_sim_free(sim);
    lv_model_free(model);
    return worst;
}

static void fine_steps_reach_exact_solutions(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof exacts / sizeof *exacts; k++) {
        double worst = deviation_from(&exacts[k]);
        bool good = worst <= exacts[k].tolerance;
        print_message("%-26s %8.1e%s\n", exacts[k].what, worst, good ? "" : " !");
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

/* ---- printed errors ----------------------------------------------------------------------------- */

/* Is the value what is printed, to half a unit of its last digit (and to rounding)? */
static bool as_printed(const char *printed, double value)
{
    const char *end = strpbrk(printed, "e");
    const char *point = strchr(printed, '.');
    int digits = point ? (int)(end - point) - 1 : 0;
    double unit = pow(10, atoi(end + 1) - digits);
    return fabs(value - strtod(printed, NULL)) <= 0.51 * unit + 3e-14;
}

typedef struct errors {
    const char *what;
    const char *text;
    method method;
    double until;
    int steps; /* of the first, doubled for each further one */
    const char *printed[5];
} errors;

static const errors error_rows[] = {
    {"E3 linear C1 L2",
     LINEAR,
     {"lobatto", 2, 0},
     4,
     8,
     {"2.28e-1", "4.95e-2", "1.20e-2", "2.97e-3"}},
    {"E3 linear C2 L3",
     LINEAR,
     {"lobatto", 3, 0},
     4,
     8,
     {"2.62e-3", "1.56e-4", "9.63e-6", "6.00e-7"}},
    {"E3 linear C3 L4",
     LINEAR,
     {"lobatto", 4, 0},
     4,
     8,
     {"5.00e-6", "7.74e-8", "1.21e-9", "1.88e-11"}},
    {"E3 linear C4 L5",
     LINEAR,
     {"lobatto", 5, 0},
     4,
     8,
     {"3.26e-8", "1.21e-10", "4.7e-13"}},
    {"E3 linear C5 L6", LINEAR, {"lobatto", 6, 0}, 4, 8, {"2.15e-11", "1.9e-14"}},
    {"E3 linear C2 G2",
     LINEAR,
     {"gauss", 2, 0},
     4,
     8,
     {"5.03e-3", "3.25e-4", "2.05e-5", "1.28e-6"}},
    {"E3 pendulum C1 L2",
     PENDULUM,
     {"lobatto", 2, 0},
     2,
     16,
     {"5.46e-2", "1.31e-2", "3.25e-3", "8.11e-4"}},
    {"E3 pendulum C2 L3",
     PENDULUM,
     {"lobatto", 3, 0},
     2,
     16,
     {"1.98e-4", "1.18e-5", "7.30e-7", "4.55e-8"}},
    {"E3 pendulum C3 L4",
     PENDULUM,
     {"lobatto", 4, 0},
     2,
     16,
     {"6.56e-7", "9.53e-9", "1.46e-10", "2.2e-12"}},
    {"E3 pendulum C4 L5", PENDULUM, {"lobatto", 5, 0}, 2, 16, {"2.0e-9", "7.4e-12"}},
    {"E3 pendulum C2 G2",
     PENDULUM,
     {"gauss", 2, 0},
     2,
     16,
     {"1.21e-4", "7.65e-6", "4.79e-7", "3.0e-8"}},
    {"E4 Henon-Heiles C2 L3", HENON_HEILES, {"lobatto", 3, 0}, 4, 16, {"8.0e-6"}},
    {"E4 Henon-Heiles C3 L4", HENON_HEILES, {"lobatto", 4, 0}, 4, 16, {"1.0e-8"}},
    {"E4 Henon-Heiles C4 L5", HENON_HEILES, {"lobatto", 5, 0}, 4, 16, {"8.6e-12"}},
    {"E4 Henon-Heiles C1 G1", HENON_HEILES, {"gauss", 1, 0}, 4, 16, {"1.5e-2"}},
    {"E4 Henon-Heiles C2 G2", HENON_HEILES, {"gauss", 2, 0}, 4, 16, {"3.5e-5"}},
    {"E4 Henon-Heiles C3 G3", HENON_HEILES, {"gauss", 3, 0}, 4, 16, {"5.0e-8"}},
};

/* q, p at the end. */
static void run_row(double *end, const errors *e, const method *m, int steps)
{
    lv_model *model = read_text(e->text);
    lv_sim *sim = start(model, m, e->until / steps);
    int n = lv_model_coordinate_count(model);
    step_times(sim, steps);
    memcpy(end, lv_sim_position(sim), (size_t)n * sizeof *end);
    memcpy(end + 2, lv_sim_momentum(sim), (size_t)n * sizeof *end);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The exact solutions are known to 13 digits (above); a fine run of high order has more. */
static void errors_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof error_rows / sizeof *error_rows; k++) {
        const errors *e = &error_rows[k];
        double fine[4] = {0}, end[4] = {0};
        run_row(fine, e, &(method){"lobatto", 8, 0}, 40);
        for (int j = 0; e->printed[j]; j++) {
            run_row(end, e, &e->method, e->steps << j);
            double error = distance(end, fine, 4);
            if (as_printed(e->printed[j], error))
                continue;
            print_message("%s, %d steps: %.4e, printed %s !\n", e->what, e->steps << j,
                          error, e->printed[j]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- printed energies ----------------------------------------------------------------------------- */

typedef struct energies {
    const char *what;
    const char *text;
    method method;
    double step;
    int steps;
    const char *half[2]; /* largest deviation in both halves */
} energies;

static const energies energy_rows[] = {
    {"sphere s=2", SPHERE, {"lobatto", 2, 0}, 0.05, 4000, {"1.385e-3", "1.403e-3"}},
    {"sphere s=3", SPHERE, {"lobatto", 3, 0}, 0.1, 2000, {"1.82e-6", "2.01e-6"}},
    {"sphere s=4", SPHERE, {"lobatto", 4, 0}, 0.2, 1000, {"3.3e-7", "4.5e-7"}},
    {"E1 C2 L3", POLAR, {"lobatto", 3, 0}, 0.3, 6000, {"2.41e-2", "2.41e-2"}},
};

static void energy_errors_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof energy_rows / sizeof *energy_rows; k++) {
        const energies *e = &energy_rows[k];
        lv_model *model = read_text(e->text);
        lv_sim *sim = start(model, &e->method, e->step);
        double first = lv_sim_energies(sim).total, half[2] = {0};
        for (int i = 0; i < e->steps; i++) {
            step_once(sim);
            double *worst = &half[2 * i / e->steps];
            *worst = fmax(*worst, fabs(lv_sim_energies(sim).total - first));
        }
        bool good = as_printed(e->half[0], half[0]) && as_printed(e->half[1], half[1]);
        print_message("%-12s %.4e %.4e, printed %s %s%s\n", e->what, half[0], half[1],
                      e->half[0], e->half[1], good ? "" : " !");
        wrong += !good;
        lv_sim_free(sim);
        lv_model_free(model);
    }
    assert_int_equal(wrong, 0);
}

/* E1: root mean squares of the errors at the nodes, and the range of the energy. */
typedef struct nodes {
    method method;
    const char *q, *p;
    double least, most;
} nodes;

static const nodes node_rows[] = {
    {{"gauss", 2, 0}, "2.2e-3", "1.4e-2", 9.8100, 9.8202},
    {{"lobatto", 3, 0}, "1.6e-3", "1.0e-2", 9.795, 9.830},
    {{"lobatto", 4, 0}, "2.4e-5", "1.5e-4", 0, 0},
    {{"radau", 3, 0}, "2.8e-5", "2.9e-4", 9.80763, 9.81192},
};

static void errors_at_the_nodes_are_as_printed(void **state)
{
    (void)state;
    lv_model *model = read_text(POLAR);
    for (size_t k = 0; k < sizeof node_rows / sizeof *node_rows; k++) {
        const nodes *r = &node_rows[k];
        double q = 0, p = 0, least = INFINITY, most = 0;
        lv_sim *sim = start(model, &r->method, 0.3);
        lv_sim *fine = start(model, &(method){"lobatto", 8, 0}, 0.05);
        for (int i = 0; i < 50; i++) {
            step_once(sim);
            step_times(fine, 6);
            q += pow(lv_sim_position(sim)[0] - lv_sim_position(fine)[0], 2);
            p += pow(lv_sim_momentum(sim)[0] - lv_sim_momentum(fine)[0], 2);
            least = fmin(least, lv_sim_energies(sim).total);
            most = fmax(most, lv_sim_energies(sim).total);
        }
        if (!as_printed(r->q, sqrt(q / 50)) || !as_printed(r->p, sqrt(p / 50)))
            fail_msg("%s: %.3e %.3e, printed %s %s", r->method.scheme, sqrt(q / 50),
                     sqrt(p / 50), r->q, r->p);
        if (r->least > 0 &&
            (fabs(least - r->least) > 6e-4 || fabs(most - r->most) > 6e-4))
            fail_msg("%s: energies from %.6f to %.6f", r->method.scheme, least, most);
        lv_sim_free(sim);
        lv_sim_free(fine);
    }
    lv_model_free(model);
}

/* ---- two stages by hand --------------------------------------------------------------------------- */

/* Kick, drift, kick on the Henon-Heiles potential. */
static void two_stages_are_stoermer_verlet(void **state)
{
    (void)state;
    double q[2] = {0.3, 0.2}, v[2] = {0.25, 0.35}, h = 0.1;
    lv_model *model = read_text(HENON_HEILES);
    lv_sim *sim = start(model, &(method){"verlet", 2, 0}, h);
    step_times(sim, 20);
    for (int k = 0; k < 40; k++) {
        double x = q[0], y = q[1];
        v[0] += h / 2 * (-x - 2 * x * y);
        v[1] += h / 2 * (-y - x * x + y * y);
        if (k % 2 == 0)
            for (int i = 0; i < 2; i++)
                q[i] += h * v[i];
    }
    assert_true(distance(lv_sim_position(sim), q, 2) < 1e-14);
    assert_true(distance(lv_sim_velocity(sim), v, 2) < 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* RATTLE for the spherical pendulum: the multiplier of the first half step is the root of a
 * quadratic equation. */
static void two_stages_are_rattle(void **state)
{
    (void)state;
    double q[3] = {1, 0, 0}, v[3] = {0, 1, 0}, h = 0.02;
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    lv_sim *sim = start(model, &(method){"rattle", 2, 0}, h);
    step_times(sim, 50);
    for (int k = 0; k < 50; k++) {
        double x[3], qx = 0, xx = 0, qv = 0;
        for (int i = 0; i < 3; i++) {
            v[i] -= i == 2 ? h / 2 * 9.81 : 0;
            x[i] = q[i] + h * v[i];
            qx += q[i] * x[i];
            xx += x[i] * x[i];
        }
        /* |x + s q| = 1, |q| = 1 */
        double s = -(xx - 1) / (qx + sqrt(qx * qx - xx + 1));
        for (int i = 0; i < 3; i++) {
            v[i] += s / h * q[i] - (i == 2 ? h / 2 * 9.81 : 0);
            q[i] = x[i] + s * q[i];
        }
        for (int i = 0; i < 3; i++)
            qv += q[i] * v[i];
        for (int i = 0; i < 3; i++)
            v[i] -= qv * q[i];
    }
    assert_true(distance(lv_sim_position(sim), q, 3) < 1e-13);
    assert_true(distance(lv_sim_velocity(sim), v, 3) < 5e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(states_agree_step_by_step_with_other_implementations),
        RUN(fine_steps_reach_exact_solutions),
        RUN(errors_are_as_printed),
        RUN(energy_errors_are_as_printed),
        RUN(errors_at_the_nodes_are_as_printed),
        RUN(two_stages_are_stoermer_verlet),
        RUN(two_stages_are_rattle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
