/* Models given by a Hamiltonian against the same models given by energies. */
#include "../part/twins.h"

#include "model/model.h"

/* The same start and the same motion, with schemes of different kinds, 100 steps each. */
static void assert_twins(const char *hamiltonian, const char *hand)
{
    twins t = twins_read(hamiltonian, hand);
    bool free = t.hand.at->holonomic == 0;
    assert_same_motion(&t, free ? "gauss" : "rattle", 0.01, 1, 1e-12);
    assert_same_motion(&t, "lobatto", 0.01, 1, 1e-12);
    assert_close(t.part.at->energy, t.hand.at->energy, 1e-13);
    assert_close(t.part.at->kinetic, t.hand.at->kinetic, 1e-13);
    assert_close(t.part.at->potential, t.hand.at->potential, 1e-13);
    assert_int_equal(t.part.at->mass, t.hand.at->mass);
    twins_free(&t);
}

/* Operations of all kernels of a role, over all instances. */
static int operations(const lv_inspection *at, const char *role)
{
    int sum = 0;
    for (int k = 0; k < at->term_count; k++)
        if (strcmp(at->terms[k].role, role) == 0)
            sum += at->terms[k].operations * at->terms[k].instances;
    return sum;
}

/* Formulas of the same size; discrete gradients, which depend on how formulas are written, too. */
static void assert_as_cheap(const char *hamiltonian, const char *hand)
{
    twins t = twins_read(hamiltonian, hand);
    assert_same_motion(&t, "em", 0.01, 1, 1e-12);
    assert_int_equal(operations(t.part.at, "kinetic"), operations(t.hand.at, "kinetic"));
    assert_int_equal(operations(t.part.at, "potential"),
                     operations(t.hand.at, "potential"));
    assert_int_equal(t.part.at->kernels, t.hand.at->kernels);
    assert_int_equal(t.part.at->instances, t.hand.at->instances);
    twins_free(&t);
}

/* ---- the usual systems ------------------------------------------------------------------ */

#define OSCILLATOR "[parameters]\nm = 3\nk = 2\n"

static void an_oscillator_moves_alike(void **state)
{
    static const char hamiltonian[] =
        OSCILLATOR "[coordinates]\nx = { value = 1, momentum = 0.3 }\n"
                   "[energy]\nhamiltonian = \"p_x^2/(2*m) + k*x^2/2\"\n";
    static const char hand[] =
        OSCILLATOR "[coordinates]\nx = { value = 1, velocity = 0.1 }\n"
                   "[energy]\nkinetic = \"m*x'^2/2\"\npotential = \"k*x^2/2\"\n";
    (void)state;
    assert_twins(hamiltonian, hand);
    assert_as_cheap(hamiltonian, hand);
}

#define PENDULUM "[parameters]\nm = 1.3\nl = 2\ng = 9.81\n"

static void a_pendulum_in_polar_coordinates_moves_alike(void **state)
{
    static const char hamiltonian[] =
        PENDULUM "[coordinates]\nphi = { value = 2, momentum = \"-0.4*m*l^2\" }\n"
                 "[energy]\nhamiltonian = \"p_phi^2/(2*m*l^2) - m*g*l*cos(phi)\"\n";
    static const char hand[] =
        PENDULUM "[coordinates]\nphi = { value = 2, velocity = -0.4 }\n"
                 "[energy]\nkinetic = \"m*l^2/2*phi'^2\"\n"
                 "potential = \"-m*g*l*cos(phi)\"\n";
    (void)state;
    assert_twins(hamiltonian, hand);
    assert_as_cheap(hamiltonian, hand);
}

/* Kepler's problem: the mass matrix varies, one term of H for each momentum. */
static void a_planet_in_polar_coordinates_moves_alike(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nr = 1\nphi = { value = 0, momentum = 1.2 }\n"
                 "[energy.radial]\nhamiltonian = \"p_r^2/2 - 1/r\"\n"
                 "[energy.angular]\nhamiltonian = \"p_phi^2/(2*r^2)\"\n",
                 "[coordinates]\nr = 1\nphi = { value = 0, velocity = 1.2 }\n"
                 "[energy]\nkinetic = \"(r'^2 + r^2*phi'^2)/2\"\npotential = \"-1/r\"\n");
}

#define ARM_PARAMETERS                                                                   \
    "[parameters]\nm1 = 1\nm2 = 0.6\nl1 = 1\nl2 = 0.8\ng = 9.81\n"                       \
    "a2 = 0.5\nN11 = \"(m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(a2)\"\n"                \
    "N12 = \"m2*l2^2 + m2*l1*l2*cos(a2)\"\nN22 = \"m2*l2^2\"\n"                          \
    "det = \"N11*N22 - N12^2\"\np1 = 0.3\np2 = -0.1\n"

/* M(q) through its inverse. */
static void a_two_link_arm_moves_alike(void **state)
{
    (void)state;
    assert_twins(
        ARM_PARAMETERS
        "[definitions]\n"
        "A11 = \"(m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(q2)\"\n"
        "A12 = \"m2*l2^2 + m2*l1*l2*cos(q2)\"\nA22 = \"m2*l2^2\"\n"
        "[coordinates]\nq1 = { value = 0.8, momentum = \"p1\" }\n"
        "q2 = { value = \"a2\", momentum = \"p2\" }\n"
        "[energy.links]\nhamiltonian = \"(A22*p_q1^2 - 2*A12*p_q1*p_q2 + A11*p_q2^2)"
        "/(2*(A11*A22 - A12^2))\"\n"
        "[energy.weight]\nhamiltonian = \"-m1*g*l1*cos(q1) "
        "- m2*g*(l1*cos(q1) + l2*cos(q1 + q2))\"\n",
        ARM_PARAMETERS
        "[coordinates]\n"
        "q1 = { value = 0.8, velocity = \"(N22*p1 - N12*p2)/det\" }\n"
        "q2 = { value = \"a2\", velocity = \"(N11*p2 - N12*p1)/det\" }\n"
        "[energy]\nkinetic = \"m1/2*l1^2*q1'^2 + m2/2*(l1^2*q1'^2 + l2^2*(q1' + q2')^2 "
        "+ 2*l1*l2*cos(q2)*q1'*(q1' + q2'))\"\n"
        "potential = \"-m1*g*l1*cos(q1) - m2*g*(l1*cos(q1) + l2*cos(q1 + q2))\"\n");
}

#define MAGNET                                                                           \
    "[parameters]\nm = 2\ne = 1.5\nB = 3\n"                                              \
    "[definitions]\nA = \"B/2*[-x[2]*(1 + x[1]^2), x[1], 0]\"\nV = \"norm2(x)/4\"\n"

/* The potential is that of the field: the squares of A cancel exactly. */
static void a_charge_in_a_magnetic_field_moves_alike(void **state)
{
    static const char hamiltonian[] =
        MAGNET "[coordinates]\nx = { value = [1, 0.5, 0], velocity = [0.1, 0.2, 0.3] }\n"
               "[energy]\nhamiltonian = \"norm2(p_x - e*A)/(2*m) + V\"\n";
    static const char hand[] =
        MAGNET "[coordinates]\nx = { value = [1, 0.5, 0], velocity = [0.1, 0.2, 0.3] }\n"
               "[energy]\nkinetic = \"m/2*norm2(x')\"\npotential = \"V\"\n"
               "lagrangian = \"e*dot(A, x')\"\n";
    (void)state;
    assert_twins(hamiltonian, hand);
}

static void a_vector_potential_costs_no_more_than_by_hand(void **state)
{
    twins t = twins_read(
        "[parameters]\nm = 7\ne = 3\n"
        "[coordinates]\nx = { value = [1, 2], velocity = [0, 1] }\n"
        "[energy]\nhamiltonian = \"norm2(p_x - e*[-sin(x[2]), x[1]^3])/(2*m) + "
        "x[1]^2\"\n",
        "[parameters]\nm = 7\ne = 3\n"
        "[coordinates]\nx = { value = [1, 2], velocity = [0, 1] }\n"
        "[energy]\nkinetic = \"m/2*norm2(x')\"\npotential = \"x[1]^2\"\n"
        "lagrangian = \"dot(e*[-sin(x[2]), x[1]^3], x')\"\n");
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const char *const roles[] = {"kinetic", "potential", "lagrangian"};
        assert_true(operations(t.part.at, roles[k]) <= operations(t.hand.at, roles[k]));
    }
    twins_free(&t);
}

#define PARTICLES                                                                        \
    "[parameters]\nN = 4\nm = 1.7\n"                                                     \
    "[coordinates]\nq = { count = \"N\", value = [\"i\", \"i^2/8\", \"sin(i)\"], "
#define SPRINGS "(norm2(q_i - q_{i-1}) - 1)^2/8"

static void four_particles_of_a_family_move_alike(void **state)
{
    static const char hamiltonian[] =
        PARTICLES "momentum = [0, \"i^2*m\", 1] }\n"
                  "[energy.motion]\nfor = \"i = 1..N\"\n"
                  "hamiltonian = \"norm2(p_q_i)/(2*i*m)\"\n"
                  "[energy.springs]\nfor = \"i = 2..N\"\nhamiltonian = \"" SPRINGS "\"\n";
    static const char hand[] =
        PARTICLES "velocity = [0, \"i\", \"1/(i*m)\"] }\n"
                  "[energy.motion]\nfor = \"i = 1..N\"\n"
                  "kinetic = \"i*m/2*norm2(q_i')\"\n"
                  "[energy.springs]\nfor = \"i = 2..N\"\npotential = \"" SPRINGS "\"\n";
    (void)state;
    assert_twins(hamiltonian, hand);
    assert_as_cheap(hamiltonian, hand);
}

static void a_pendulum_with_a_constraint_moves_alike(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nx = { value = [0.6, -0.8], momentum = [1.6, 1.2] }\n"
                 "[energy]\nhamiltonian = \"norm2(p_x)/4 + 2*9.81*x[2]\"\n"
                 "[constraints.rod]\nholonomic = \"(norm2(x) - 1)/2\"\n",
                 "[coordinates]\nx = { value = [0.6, -0.8], velocity = [0.8, 0.6] }\n"
                 "[energy]\nkinetic = \"norm2(x')\"\npotential = \"2*9.81*x[2]\"\n"
                 "[constraints.rod]\nholonomic = \"(norm2(x) - 1)/2\"\n");
}

/* ---- terms that meet -------------------------------------------------------------------- */

/* A = [2 1; 1 2] from two terms, inverse [2 -1; -1 2]/3; a linear term of its own. */
static void terms_with_the_same_momenta_are_joined(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nx = { value = 1, momentum = 2 }\n"
                 "y = { value = 0.5, momentum = 1 }\n"
                 "[energy.one]\nhamiltonian = \"p_x^2 + p_y^2 + x^2 + y^4\"\n"
                 "[energy.two]\nhamiltonian = \"p_x*p_y\"\n"
                 "[energy.drift]\nhamiltonian = \"p_x*y\"\n",
                 "[coordinates]\nx = { value = 1, velocity = 5.5 }\n"
                 "y = { value = 0.5, velocity = 4 }\n"
                 "[energy]\nkinetic = \"(x'^2 - x'*y' + y'^2)/3\"\n"
                 "lagrangian = \"-y*(2*x' - y')/3\"\n"
                 "potential = \"x^2 + y^4 - y^2/3\"\n");
}

/* In a rotating frame the linear term reaches over two clusters: it is in neither as a whole. */
static void a_linear_term_over_uncoupled_momenta_is_divided(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nx = { value = 1, velocity = 0.2 }\n"
                 "y = { value = 0.5, velocity = -0.1 }\n"
                 "[energy.x]\nhamiltonian = \"p_x^2/2 + x^2\"\n"
                 "[energy.y]\nhamiltonian = \"p_y^2/4 + y^2\"\n"
                 "[energy.turn]\nhamiltonian = \"0.7*(y*p_x - x*p_y) + x*y\"\n",
                 "[coordinates]\nx = { value = 1, velocity = 0.2 }\n"
                 "y = { value = 0.5, velocity = -0.1 }\n"
                 "[energy]\nkinetic = \"x'^2/2 + y'^2\"\n"
                 "lagrangian = \"-0.7*y*x' + 1.4*x*y'\"\n"
                 "potential = \"x^2 + y^2 + x*y - 0.245*y^2 - 0.49*x^2\"\n");
}

/* Products of two momenta alone: no diagonal to begin with. L = x'y' + z'^2/2 - ... */
static void products_of_momenta_can_be_inverted(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nx = { value = 1, velocity = 0.2 }\n"
                 "y = { value = 0.5, velocity = -0.1 }\nz = 0.1\n"
                 "[energy]\nhamiltonian = \"p_x*p_y*exp(z) + p_z^2/2 + x*y + z^2\"\n",
                 "[coordinates]\nx = { value = 1, velocity = 0.2 }\n"
                 "y = { value = 0.5, velocity = -0.1 }\nz = 0.1\n"
                 "[energy]\nkinetic = \"x'*y'*exp(-z) + z'^2/2\"\n"
                 "potential = \"x*y + z^2\"\n");
}

#define PAIRS "[parameters]\nN = 6\n[coordinates]\nx = { count = \"N\", value = \"i\", "

/* Momenta of neighbours couple in pairs: three instances of one kernel. */
static void pairs_of_a_family_stay_one_kernel(void **state)
{
    static const char hamiltonian[] =
        PAIRS "velocity = \"1/i\" }\n"
              "[energy.free]\nfor = \"i = 1..N\"\n"
              "hamiltonian = \"p_x_i^2*(1 + x_i^2)/2 + x_i^2/2\"\n"
              "[energy.pair]\nfor = \"i = 1..N/2\"\n"
              "hamiltonian = \"p_x_{2*i-1}*p_x_{2*i}/2\"\n";
    static const char hand[] =
        PAIRS "velocity = \"1/i\" }\n"
              "[energy.free]\nfor = \"i = 1..N\"\npotential = \"x_i^2/2\"\n"
              "[energy.pair]\nfor = \"i = 1..N/2\"\n"
              "kinetic = \"((1 + x_{2*i}^2)*x_{2*i-1}'^2 - x_{2*i-1}'*x_{2*i}' "
              "+ (1 + x_{2*i-1}^2)*x_{2*i}'^2)"
              "/(2*((1 + x_{2*i}^2)*(1 + x_{2*i-1}^2) - 0.25))\"\n";
    (void)state;
    assert_twins(hamiltonian, hand);
    inspected i = inspect_text(hamiltonian);
    assert_int_equal(i.at->kernels, 2);
    assert_int_equal(term_of(i.at, "free", "kinetic")->instances, 3);
    assert_int_equal(term_of(i.at, "free", "potential")->instances, 6);
    inspected_free(&i);
}

/* A linear term reaches to the neighbour's coordinate; the first member has none. */
static void neighbours_in_linear_terms_make_few_kernels(void **state)
{
    static const char hamiltonian[] =
        PAIRS "momentum = \"1/i\" }\n"
              "[energy.free]\nfor = \"i = 1..N\"\nhamiltonian = \"p_x_i^2/2 + x_i^2/2\"\n"
              "[energy.shift]\nfor = \"i = 2..N\"\n"
              "hamiltonian = \"p_x_i*sin(x_{i-1})\"\n";
    static const char hand[] =
        PAIRS "velocity = \"1/i + if(i > 1, sin(i - 1), 0)\" }\n"
              "[energy.free]\nfor = \"i = 1..N\"\n"
              "kinetic = \"x_i'^2/2\"\npotential = \"x_i^2/2\"\n"
              "[energy.shift]\nfor = \"i = 2..N\"\n"
              "lagrangian = \"-x_i'*sin(x_{i-1}) + sin(x_{i-1})^2/2\"\n";
    (void)state;
    twins t = twins_read(hamiltonian, hand);
    assert_same_motion(&t, "gauss", 0.01, 1, 1e-12);
    assert_close(t.part.at->energy, t.hand.at->energy, 1e-13);
    assert_int_equal(term_of(t.part.at, "shift", "lagrangian") != NULL, 1);
    assert_true(t.part.at->kernels <= 6);
    twins_free(&t);
}

/* Of many instances none becomes a kernel of its own. */
static void long_families_stay_few_kernels(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[parameters]\nN = 20000\n"
        "[coordinates]\nq = { count = \"N\", value = [\"i\", 0], momentum = [1, \"i\"] "
        "}\n"
        "[energy.e]\nfor = \"i = 1..N\"\n"
        "hamiltonian = \"norm2(p_q_i - [q_i[2], 0])/2 + norm2(q_i)\"\n"
        "[forces.f]\nfor = \"i = 2..N\"\non = \"q_i\"\nforce = \"p_q_{i-1} - p_q_i\"\n");
    assert_int_equal(i.at->kernels, 4);
    assert_int_equal(i.at->instances, 4 * 20000 - 1);
    assert_close(lv_model_start_velocity(i.model)[39999], 20000, 0);
    inspected_free(&i);
}

/* ---- momenta in other formulas ----------------------------------------------------------- */

#define ROUND "[coordinates]\nr = 1\nphi = { value = 0.3, velocity = 1.1 }\n"

static void forces_and_outputs_may_use_momenta(void **state)
{
    twins t = twins_read(
        ROUND "[energy]\nhamiltonian = \"p_r^2/4 + (p_phi - r)^2/(2*r^2) + r^2\"\n"
              "[definitions]\nspin = \"p_phi + r*phi'\"\n"
              "[forces.f]\non = [\"phi\", \"r\"]\nforce = [\"-0.1*p_phi\", "
              "\"-p_r + sin(t)\"]\n"
              "[outputs]\no = \"[p_r*p_phi, spin]\"\n",
        ROUND "[energy]\nkinetic = \"r'^2 + r^2*phi'^2/2\"\npotential = \"r^2\"\n"
              "lagrangian = \"r*phi'\"\n"
              "[definitions]\nspin = \"r^2*phi' + r + r*phi'\"\n"
              "[forces.f]\non = [\"phi\", \"r\"]\nforce = [\"-0.1*(r^2*phi' + r)\", "
              "\"-2*r' + sin(t)\"]\n"
              "[outputs]\no = \"[2*r'*(r^2*phi' + r), spin]\"\n");
    (void)state;
    assert_same_motion(&t, "gauss", 0.01, 1, 1e-12);
    twins_free(&t);
}

static void forces_of_a_family_may_use_momenta_of_neighbours(void **state)
{
    static const char start[] = "[parameters]\nN = 5\n[coordinates]\n"
                                "x = { count = \"N\", value = \"i/9\", velocity = 1 }\n";
    char hamiltonian[900], hand[900];
    twins t;
    (void)state;
    snprintf(hamiltonian, sizeof hamiltonian,
             "%s[energy.e]\nfor = \"i = 1..N\"\n"
             "hamiltonian = \"p_x_i^2/(2*(1 + x_i^2)) + x_i^4\"\n"
             "[forces.f]\nfor = \"i = 1..N, j = 1..N\"\non = \"x_i\"\n"
             "force = \"(p_x_j - p_x_i)/10\"\n",
             start);
    snprintf(hand, sizeof hand,
             "%s[energy.e]\nfor = \"i = 1..N\"\n"
             "kinetic = \"x_i'^2*(1 + x_i^2)/2\"\npotential = \"x_i^4\"\n"
             "[forces.f]\nfor = \"i = 1..N, j = 1..N\"\non = \"x_i\"\n"
             "force = \"((1 + x_j^2)*x_j' - (1 + x_i^2)*x_i')/10\"\n",
             start);
    t = twins_read(hamiltonian, hand);
    assert_same_motion(&t, "gauss", 0.01, 1, 1e-12);
    twins_free(&t);
}

/* Values of the first nonholonomic kernel's rows in one instance, away from the start. */
static void constraint_values(const lv_model *m, int instance, double values[2])
{
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        double q[8], v[8], t = 0.2;
        const double *inputs[LV_INPUT_KINDS] = {NULL};
        if (kernel->role != LV_ROLE_NONHOLONOMIC)
            continue;
        for (int s = 0, local = 0; s < kernel->slot_count; s++, local++) {
            int at = kernel->where[instance * kernel->slot_count + s];
            q[local] = 0.3 + 0.2 * at;
            v[local] = 1.5 - 0.7 * at * at;
        }
        inputs[LV_INPUT_Q] = q;
        inputs[LV_INPUT_V] = v;
        inputs[LV_INPUT_T] = &t;
        inputs[LV_INPUT_P] = m->parameter_values.data;
        assert_int_equal(lv_graph_evaluate(kernel->graph, values, kernel->rows,
                                           kernel->row_count, inputs, NULL),
                         LV_OK);
        return;
    }
    fail_msg("no nonholonomic constraint");
}

static void nonholonomic_constraints_may_use_momenta(void **state)
{
    twins t = twins_read(
        "[coordinates]\nx = { value = 0.5, velocity = 1 }\n"
        "y = { value = 1, velocity = -0.4 }\nz = { value = 0, velocity = 1 }\n"
        "[energy]\nhamiltonian = \"(p_x^2 + p_y^2/(2 + x^2) + p_z^2)/2 + (x^2 + "
        "y^2)/2\"\n"
        "[constraints.blade]\nnonholonomic = [\"p_z - y*p_x\", \"p_y*t - t*(2 + "
        "x^2)*y'\"]\n",
        "[coordinates]\nx = { value = 0.5, velocity = 1 }\n"
        "y = { value = 1, velocity = -0.4 }\nz = { value = 0, velocity = 1 }\n"
        "[energy]\nkinetic = \"(x'^2 + (2 + x^2)*y'^2 + z'^2)/2\"\n"
        "potential = \"(x^2 + y^2)/2\"\n"
        "[constraints.blade]\nnonholonomic = [\"z' - y*x'\", \"0*y'*t + x'*1e-30\"]\n");
    double one[2], other[2];
    (void)state;
    assert_int_equal(t.part.at->nonholonomic, 2);
    assert_close(t.part.at->nonholonomic_residual, 0, 1e-15);
    constraint_values(t.part.model, 0, one);
    constraint_values(t.hand.model, 0, other);
    assert_close(one[0], other[0], 1e-14);
    assert_close(one[1], 0, 1e-14);
    twins_free(&t);
}

/* ---- names, start, parts ------------------------------------------------------------------ */

static void momenta_may_have_other_names(void **state)
{
    (void)state;
    assert_twins(
        "[coordinates]\nq = { count = 2, value = [\"i\", 0], momentum = [0, 1] }\n"
        "x = 1\n[momenta]\np = \"q\"\n"
        "[energy]\nhamiltonian = \"norm2(p_1)/2 + norm2(p_{1+1})/4 + p_x^2/2 + "
        "x^2 + norm2(q_1 - q_2)\"\n",
        "[coordinates]\n"
        "q = { count = 2, value = [\"i\", 0], velocity = [0, \"1/i\"] }\n"
        "x = 1\n"
        "[energy]\nkinetic = \"norm2(q_1')/2 + norm2(q_2') + x'^2/2\"\n"
        "potential = \"x^2 + norm2(q_1 - q_2)\"\n");
}

/* Without a Hamiltonian p_x is a name like any other. */
static void names_of_momenta_are_free_elsewhere(void **state)
{
    (void)state;
    inspected i = inspect_text("[parameters]\np_x = 3\n[coordinates]\nx = 1\n"
                               "[energy]\nkinetic = \"p_x*x'^2\"\npotential = \"x\"\n");
    assert_int_equal(i.at->kernels, 2);
    inspected_free(&i);
}

static void springs_add_to_the_hamiltonian(void **state)
{
    (void)state;
    assert_twins("[coordinates]\nx = [2, 1]\n"
                 "[energy]\nhamiltonian = \"norm2(p_x)/2\"\n"
                 "[springs.s]\nbetween = [[0, 0], \"x\"]\nstiffness = 3\nlength = 1\n"
                 "damping = 0.1\n",
                 "[coordinates]\nx = [2, 1]\n"
                 "[energy]\nkinetic = \"norm2(x')/2\"\n"
                 "[springs.s]\nbetween = [[0, 0], \"x\"]\nstiffness = 3\nlength = 1\n"
                 "damping = 0.1\n");
}

/* Constant, coupled: the inverse is numbers. A = [2 1 0; 1 2 1; 0 1 2], det 4. */
static void constant_matrices_are_inverted_into_numbers(void **state)
{
    twins t = twins_read(
        "[coordinates]\nx = { value = [1, 2, 3], momentum = [1, 0, 2] }\n"
        "[energy]\nhamiltonian = \"norm2(p_x) + p_x[1]*p_x[2] + p_x[2]*p_x[3] + "
        "norm2(x)\"\n",
        "[coordinates]\nx = { value = [1, 2, 3], velocity = [2, 3, 4] }\n"
        "[energy]\nkinetic = \"(3*x'[1]^2 + 4*x'[2]^2 + 3*x'[3]^2 - 4*x'[1]*x'[2] "
        "+ 2*x'[1]*x'[3] - 4*x'[2]*x'[3])/8\"\npotential = \"norm2(x)\"\n");
    (void)state;
    assert_same_motion(&t, "verlet", 0.01, 1, 1e-12);
    assert_int_equal(t.part.at->mass, LV_MASS_CONSTANT);
    assert_true(operations(t.part.at, "kinetic") <= operations(t.hand.at, "kinetic"));
    twins_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_oscillator_moves_alike),
        RUN(a_pendulum_in_polar_coordinates_moves_alike),
        RUN(a_planet_in_polar_coordinates_moves_alike),
        RUN(a_two_link_arm_moves_alike),
        RUN(a_charge_in_a_magnetic_field_moves_alike),
        RUN(a_vector_potential_costs_no_more_than_by_hand),
        RUN(four_particles_of_a_family_move_alike),
        RUN(a_pendulum_with_a_constraint_moves_alike),
        RUN(terms_with_the_same_momenta_are_joined),
        RUN(a_linear_term_over_uncoupled_momenta_is_divided),
        RUN(products_of_momenta_can_be_inverted),
        RUN(pairs_of_a_family_stay_one_kernel),
        RUN(neighbours_in_linear_terms_make_few_kernels),
        RUN(long_families_stay_few_kernels),
        RUN(forces_and_outputs_may_use_momenta),
        RUN(forces_of_a_family_may_use_momenta_of_neighbours),
        RUN(nonholonomic_constraints_may_use_momenta),
        RUN(momenta_may_have_other_names),
        RUN(names_of_momenta_are_free_elsewhere),
        RUN(springs_add_to_the_hamiltonian),
        RUN(constant_matrices_are_inverted_into_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
