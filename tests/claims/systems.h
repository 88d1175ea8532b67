/* The systems on which schemes are held to their word. */
#ifndef LV_TESTS_SYSTEMS_H
#define LV_TESTS_SYSTEMS_H

#include "rolling_systems.h"
#include "scheme/scheme.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct test_system {
    const char *name;
    const char *text;
    unsigned traits; /* LV_TRAIT_..., as one sees them in the formulas */
    const char
        *only;      /* lv_scheme_info.only of the scheme that is for this system alone */
    int symmetries; /* declared ones */
    double until;   /* span of the convergence tests */
    int steps;      /* that the coarsest run divides it into */
    double long_step;  /* for energy and momenta over many steps */
    bool hamiltonian;  /* no forces without potential, none nonholonomic: symplectic */
    bool conservative; /* and nothing depends on time: the energy is kept */
    bool reversible;   /* and L is even in the velocities: (q, -v) runs backwards */
    bool regular;      /* the motion looks the same after a short while */
    double exact_at;   /* 0: no published state */
    const double exact[8]; /* positions there */
    int last_step; /* of long ones; the constraints become dependent after it. 0: none */
} test_system;

/* Constant mass, no constraint. Galerkin-in-time specification, E4. */
#define HENON_HEILES                                                                     \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.3, velocity = 0.25 }\n"                                             \
    "y = { value = 0.2, velocity = 0.35 }\n"                                             \
    "[energy]\n"                                                                         \
    "kinetic = \"(x'^2 + y'^2)/2\"\n"                                                    \
    "potential = \"(x^2 + y^2)/2 + x^2*y - y^3/3\"\n"

/* M(q), no constraint. E4; the velocities are those of the momenta (0.3, -0.1). */
#define TWO_LINK_ARM                                                                     \
    "[parameters]\n"                                                                     \
    "c = \"0.8*0.6*cos(0.5)\"\n"                                                         \
    "m11 = \"1.984 + 2*c\"\n"                                                            \
    "m12 = \"0.384 + c\"\n"                                                              \
    "m22 = 0.384\n"                                                                      \
    "d = \"m11*m22 - m12^2\"\n"                                                          \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.8, velocity = \"(0.3*m22 + 0.1*m12)/d\" }\n"                        \
    "b = { value = 0.5, velocity = \"(-0.1*m11 - 0.3*m12)/d\" }\n"                       \
    "[energy]\n"                                                                         \
    "kinetic = \"(1.984 + 0.96*cos(b))/2*a'^2 + (0.384 + 0.48*cos(b))*a'*b' + "          \
    "0.192*b'^2\"\n"                                                                     \
    "potential = \"-9.81*(1.6*cos(a) + 0.48*cos(a + b))\"\n"

/* Constant mass, no constraint, forces of velocity and time. */
#define DRIVEN_WELL                                                                      \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.7, velocity = 0.4 }\n"                                              \
    "y = { value = -0.3, velocity = 0.8 }\n"                                             \
    "[energy]\n"                                                                         \
    "kinetic = \"x'^2/2 + 0.2*x'*y' + y'^2\"\n"                                          \
    "potential = \"(x^2 + 2*y^2)/2 + 0.3*x^2*y^2\"\n"                                    \
    "[forces.drag]\n"                                                                    \
    "on = [\"x\", \"y\"]\n"                                                              \
    "force = [\"-0.2*x'*(1 + y^2) + 0.3*sin(2*t)\", \"-0.1*y'^3\"]\n"

/* L is not even in v and p is not M v: a charge in a magnetic field that varies. */
#define CHARGE                                                                           \
    "[coordinates]\n"                                                                    \
    "q = { value = [0.8, 0.1, -0.2], velocity = [0.2, 0.7, 0.4] }\n"                     \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"norm2(q)/2 + q[3]^4\"\n"                                              \
    "[energy.field]\n"                                                                   \
    "lagrangian = \"(1 + 0.5*norm2(q))*(q[1]*q'[2] - q[2]*q'[1])\"\n"                    \
    "[symmetries.axis]\n"                                                                \
    "on = [\"q\"]\n"                                                                     \
    "generator = [\"cross([0, 0, 1], q)\"]\n"

/* Constant mass, one constraint. */
#define SPHERICAL_PENDULUM                                                               \
    "[coordinates]\n"                                                                    \
    "q = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"                                  \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"9.81*q[3]\"\n"                                                        \
    "[constraints.rod]\n"                                                                \
    "holonomic = \"(norm2(q) - 1)/2\"\n"                                                 \
    "[symmetries.axis]\n"                                                                \
    "on = [\"q\"]\n"                                                                     \
    "generator = [\"cross([0, 0, 1], q)\"]\n"

/* A constraint of fourth degree. E6. */
#define TORUS                                                                            \
    "[parameters]\n"                                                                     \
    "n1 = \"cos(0.7)*cos(0.3)\"\n"                                                       \
    "n2 = \"cos(0.7)*sin(0.3)\"\n"                                                       \
    "n3 = \"sin(0.7)\"\n"                                                                \
    "u = \"0.4*n1 + 1.1*n2 + 0.5*n3\"\n"                                                 \
    "[coordinates.q]\n"                                                                  \
    "value = [\"(2 + cos(0.7))*cos(0.3)\", \"(2 + cos(0.7))*sin(0.3)\", \"n3\"]\n"       \
    "velocity = [\"0.4 - u*n1\", \"1.1 - u*n2\", \"0.5 - u*n3\"]\n"                      \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"q[3]\"\n"                                                             \
    "[constraints.surface]\n"                                                            \
    "holonomic = \"((norm2(q) + 3)^2 - 16*(q[1]^2 + q[2]^2))/8\"\n"                      \
    "[symmetries.axis]\n"                                                                \
    "on = [\"q\"]\n"                                                                     \
    "generator = [\"cross([0, 0, 1], q)\"]\n"

/* Two rods, two stiff springs, six momenta. */
#define FOUR_PARTICLES                                                                   \
    "[parameters]\n"                                                                     \
    "e1 = [1, 0, 0]\n"                                                                   \
    "e2 = [0, 1, 0]\n"                                                                   \
    "e3 = [0, 0, 1]\n"                                                                   \
    "[coordinates]\n"                                                                    \
    "a = { value = [0, 0, 0] }\n"                                                        \
    "b = { value = [1, 0, 0] }\n"                                                        \
    "c = { value = [0, 1, 0] }\n"                                                        \
    "d = { value = [1, 1, 0], velocity = [0, 0, \"2/1.7\"] }\n"                          \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(a')/2 + 1.5*norm2(b') + 1.15*norm2(c') + 0.85*norm2(d')\"\n"      \
    "potential = \"25*(norm2(c - a) - 1)^2 + 250*(norm2(d - b) - 1)^2\"\n"               \
    "[constraints]\n"                                                                    \
    "ab = { holonomic = \"(norm2(b - a) - 1)/2\" }\n"                                    \
    "cd = { holonomic = \"(norm2(d - c) - 1)/2\" }\n"                                    \
    "[symmetries]\n"                                                                     \
    "L1 = { on = [\"a\", \"b\", \"c\", \"d\"], generator = [\"e1\", \"e1\", \"e1\", "    \
    "\"e1\"] }\n"                                                                        \
    "L3 = { on = [\"a\", \"b\", \"c\", \"d\"], generator = [\"e3\", \"e3\", \"e3\", "    \
    "\"e3\"] }\n"                                                                        \
    "J1 = { on = [\"a\", \"b\", \"c\", \"d\"], generator = [\"cross(e1, a)\", "          \
    "\"cross(e1, b)\", \"cross(e1, c)\", \"cross(e1, d)\"] }\n"                          \
    "J2 = { on = [\"a\", \"b\", \"c\", \"d\"], generator = [\"cross(e2, a)\", "          \
    "\"cross(e2, b)\", \"cross(e2, c)\", \"cross(e2, d)\"] }\n"                          \
    "J3 = { on = [\"a\", \"b\", \"c\", \"d\"], generator = [\"cross(e3, a)\", "          \
    "\"cross(e3, b)\", \"cross(e3, c)\", \"cross(e3, d)\"] }\n"

/* Constant mass, a constraint, damping and a force of time. */
#define DRIVEN_PENDULUM                                                                  \
    "[coordinates]\n"                                                                    \
    "q = { value = [0.6, -0.8], velocity = [0.8, 0.6] }\n"                               \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"4*q[2]\"\n"                                                           \
    "[constraints.rod]\n"                                                                \
    "holonomic = \"(norm2(q) - 1)/2\"\n"                                                 \
    "[forces.drag]\n"                                                                    \
    "on = \"q\"\n"                                                                       \
    "force = [\"-0.3*q'[1]*norm2(q') + 2*sin(3*t)\", \"-0.3*q'[2]*norm2(q')\"]\n"

/* A constraint that moves, the rest separable. E6. */
#define MOVING_PIVOT                                                                     \
    "[parameters]\n"                                                                     \
    "c = \"0.7*sin(0.9) + 0.3*cos(0.9)\"\n"                                              \
    "[coordinates.q]\n"                                                                  \
    "value = [\"sin(0.9)\", \"-cos(0.9)\"]\n"                                            \
    "velocity = [\"0.2 + c*sin(0.9)\", \"0.3 - c*cos(0.9)\"]\n"                          \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"9.81*q[2]\"\n"                                                        \
    "[constraints.rod]\n"                                                                \
    "holonomic = \"((q[1] - 0.3*sin(3*t))^2 + (q[2] - 0.2*cos(3*t) + 0.2)^2 - 1)/2\"\n"

#define COUPLED_MASS                                                                     \
    "[energy]\n"                                                                         \
    "kinetic = \"((2 + 0.5*sin(b))*a'^2 + 0.6*cos(c)*a'*b' + 1.5*b'^2 + 1.2*c'^2 + "     \
    "(1 + 0.25*c^2)*d'^2)/2\"\n"                                                         \
    "potential = \"(a^2 + b^2 + c^2 + d^2)/2 + 0.4*c*d + 0.1*a^2*d\"\n"

#define COUPLED_FORCE                                                                    \
    "[forces.drag]\n"                                                                    \
    "on = [\"a\", \"b\", \"c\", \"d\"]\n"                                                \
    "force = [\"-0.15*a' + 0.2*cos(1.3*t)\", \"-0.1*c*b'\", \"-0.15*c' + 0.1*a'\", "     \
    "\"-0.1*d'^3 - 0.1*a'*d'\"]\n"

/* M(q), constraint, no force, nothing of time. */
#define COUPLED                                                                          \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.5, velocity = 0.4 }\n"                                              \
    "b = { value = 0.3, velocity = -0.3 }\n"                                             \
    "c = { value = -0.4, velocity = 0.5 }\n"                                             \
    "d = { value = 0.6, velocity = 0.2 }\n" COUPLED_MASS "[constraints.sphere]\n"        \
    "holonomic = \"(a^2 + b^2 + c^2 + d^2 - 1)/2 + 0.2*a*c\"\n"                          \
    "[run]\n"                                                                            \
    "initial = \"project\"\n"

/* M(q), constraint, force and time everywhere: K2 of the partitioned Runge-Kutta
 * specification. */
#define COUPLED_FORCED                                                                   \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.532907648268561, velocity = 0.412817634539658 }\n"                  \
    "b = { value = 0.331602031432774, velocity = -0.286700327449014 }\n"                 \
    "c = { value = -0.446994343252351, velocity = 0.479967334308356 }\n"                 \
    "d = { value = 0.70818660674127, velocity = 0.247631337182912 }\n" COUPLED_MASS      \
        COUPLED_FORCE "[constraints.sphere]\n"                                           \
    "holonomic = \"(a^2 + b^2 + c^2 + d^2 - 1)/2 + 0.2*a*c - 0.1*sin(t)\"\n"

/* The same without constraint and sine: K1. */
#define COUPLED_FREE                                                                     \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.5, velocity = 0.4 }\n"                                              \
    "b = { value = 0.3, velocity = -0.3 }\n"                                             \
    "c = { value = -0.4, velocity = 0.5 }\n"                                             \
    "d = { value = 0.6, velocity = 0.2 }\n" COUPLED_MASS COUPLED_FORCE

/* M(q), a constraint, a rotation, and a magnetic field. */
#define CURVED                                                                           \
    "[coordinates]\n"                                                                    \
    "q = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0] }\n"                        \
    "[energy]\n"                                                                         \
    "kinetic = \"(1 + 0.5*norm2(q))/2*norm2(q') + 0.2*dot(q, q')^2\"\n"                  \
    "potential = \"2*q[3]\"\n"                                                           \
    "[energy.field]\n"                                                                   \
    "lagrangian = \"q[3]*(q[1]*q'[2] - q[2]*q'[1])\"\n"                                  \
    "[constraints.shell]\n"                                                              \
    "holonomic = \"(q[1]^2 + q[2]^2 + 2*q[3]^2 - 1)/2\"\n"                               \
    "[symmetries.axis]\n"                                                                \
    "on = [\"q\"]\n"                                                                     \
    "generator = [\"cross([0, 0, 1], q)\"]\n"                                            \
    "[run]\n"                                                                            \
    "initial = \"project\"\n"

/* M(q) turns with the system: q . v is an invariant. */
#define TURNING                                                                          \
    "[coordinates]\n"                                                                    \
    "q = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0.3] }\n"                      \
    "[energy]\n"                                                                         \
    "kinetic = \"(1 + 0.5/(1 + norm2(q)))/2*norm2(q') + 0.7*dot(q, q')^2\"\n"            \
    "potential = \"(sqrt(norm2(q)) - 1)^2\"\n"                                           \
    "[symmetries]\n"                                                                     \
    "x = { on = [\"q\"], generator = [\"cross([1, 0, 0], q)\"] }\n"                      \
    "z = { on = [\"q\"], generator = [\"cross([0, 0, 1], q)\"] }\n"

/* Two such bodies, coupled by their distance, and a constraint between them. */
#define TURNING_PAIR                                                                     \
    "[coordinates]\n"                                                                    \
    "a = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0.3] }\n"                      \
    "b = { value = [-0.8, 0.3, 0.2], velocity = [0.1, -0.3, 0.5] }\n"                    \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(a')/2 + 0.7*dot(a, a')^2 + norm2(b') + "                          \
    "0.3*dot(a - b, a' - b')^2/(1 + norm2(a - b))\"\n"                                   \
    "potential = \"(sqrt(norm2(a)) - 1)^2 + norm2(a - b)^2/4\"\n"                        \
    "[constraints.shell]\n"                                                              \
    "holonomic = \"(norm2(b) - 0.7)/2 + 0.1*dot(a, b)\"\n"                               \
    "[symmetries]\n"                                                                     \
    "x = { on = [\"a\", \"b\"], generator = [\"cross([1, 0, 0], a)\", "                  \
    "\"cross([1, 0, 0], b)\"] }\n"                                                       \
    "z = { on = [\"a\", \"b\"], generator = [\"cross([0, 0, 1], a)\", "                  \
    "\"cross([0, 0, 1], b)\"] }\n"                                                       \
    "[run]\n"                                                                            \
    "initial = \"project\"\n"

/* Singular mass: two masses and two springs in three coordinates, of which a constraint ties two. Livens
 * specification, 11.4. */
#define SINGULAR_SPRINGS                                                                 \
    "[coordinates]\n"                                                                    \
    "x = { value = 0, velocity = 1 }\n"                                                  \
    "y = { value = 1.1, velocity = 1 }\n"                                                \
    "z = { value = 0, velocity = -1 }\n"                                                 \
    "[energy]\n"                                                                         \
    "kinetic = \"x'^2 + (y' + z')^2/2\"\n"                                               \
    "potential = \"0.25*(x^2 + x^4) + 0.75*(z^2 + z^4)\"\n"                              \
    "[constraints.cut]\n"                                                                \
    "holonomic = \"((y - x)^2 - 1.21)/2\"\n"

/* A symmetric heavy top: centre of mass c = d3/2 and directors. */
#define TOP                                                                              \
    "[parameters]\n"                                                                     \
    "w = [0.4, -0.9, 4]\n"                                                               \
    "s = \"sin(0.6)\"\n"                                                                 \
    "k = \"cos(0.6)\"\n"                                                                 \
    "[coordinates]\n"                                                                    \
    "c = { value = [0, \"-s/2\", \"k/2\"], velocity = \"cross(w, [0, -s/2, k/2])\" }\n"  \
    "d1 = { value = [1, 0, 0], velocity = \"cross(w, [1, 0, 0])\" }\n"                   \
    "d2 = { value = [0, \"k\", \"s\"], velocity = \"cross(w, [0, k, s])\" }\n"           \
    "d3 = { value = [0, \"-s\", \"k\"], velocity = \"cross(w, [0, -s, k])\" }\n"         \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(c')/2 + 0.1*(norm2(d1') + norm2(d2')) + 0.08*norm2(d3')\"\n"      \
    "potential = \"2*c[3]\"\n"                                                           \
    "[constraints]\n"                                                                    \
    "unit1 = { holonomic = \"(norm2(d1) - 1)/2\" }\n"                                    \
    "unit2 = { holonomic = \"(norm2(d2) - 1)/2\" }\n"                                    \
    "unit3 = { holonomic = \"(norm2(d3) - 1)/2\" }\n"                                    \
    "right12 = { holonomic = \"dot(d1, d2)\" }\n"                                        \
    "right13 = { holonomic = \"dot(d1, d3)\" }\n"                                        \
    "right23 = { holonomic = \"dot(d2, d3)\" }\n"                                        \
    "tip = { holonomic = \"2*c - d3\" }\n"                                               \
    "[symmetries.vertical]\n"                                                            \
    "on = [\"c\", \"d1\", \"d2\", \"d3\"]\n"                                             \
    "generator = [\"cross([0, 0, 1], c)\", \"cross([0, 0, 1], d1)\", "                   \
    "\"cross([0, 0, 1], d2)\", \"cross([0, 0, 1], d3)\"]\n"

static const test_system test_systems[] = {
    {.name = "henon-heiles",
     .text = HENON_HEILES,
     .traits = 0,
     .until = 4,
     .steps = 12,
     .long_step = 0.2,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .exact_at = 4,
     .exact = {-0.3483438696341, -0.4520625733385}},
    {.name = "arm",
     .text = TWO_LINK_ARM,
     .traits = LV_TRAIT_MASS_VARIES,
     .until = 1,
     .steps = 10,
     .long_step = 0.05,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .exact_at = 1,
     .exact = {-0.6812062496346, -0.1101210096002}},
    {.name = "charge",
     .text = CHARGE,
     .traits = LV_TRAIT_NOT_QUADRATIC,
     .until = 1,
     .steps = 10,
     .long_step = 0.05,
     .hamiltonian = true,
     .conservative = true,
     .regular = true,
     .symmetries = 1},
    {.name = "driven-well",
     .text = DRIVEN_WELL,
     .traits = LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1},
    {.name = "coupled-free",
     .text = COUPLED_FREE,
     .traits = LV_TRAIT_MASS_VARIES | LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .exact_at = 2,
     .exact = {0.662144723768222, -0.271829104158395, 0.311368030908954,
               -0.0881302081108582}},
    {.name = "spherical",
     .text = SPHERICAL_PENDULUM,
     .traits = LV_TRAIT_HOLONOMIC,
     .until = 1,
     .steps = 12,
     .long_step = 0.02,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .symmetries = 1,
     .exact_at = 10,
     .exact = {0.2186113380002105, 0.046728350139105571, -0.97469253828632282}},
    {.name = "torus",
     .text = TORUS,
     .traits = LV_TRAIT_HOLONOMIC,
     .until = 1.6,
     .steps = 10,
     .long_step = 0.1,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .symmetries = 1,
     .exact_at = 1.6,
     .exact = {1.945889717168, 1.978517416055, -0.6318743954577}},
    {.name = "four-particles",
     .text = FOUR_PARTICLES,
     .traits = LV_TRAIT_HOLONOMIC,
     .until = 0.4,
     .steps = 40,
     .long_step = 0.01,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .symmetries = 5,
     .exact_at = 1,
     .exact = {0.0079843277234334095, 0.011392149426950005, 0.00041510286046706455,
               0.98572992065231099, 0.20688807258080377, 0.076539340382954759,
               0.24273202080835562, 0.97994057097269269}},
    {.name = "driven",
     .text = DRIVEN_PENDULUM,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 12,
     .long_step = 0.05},
    {.name = "moving-pivot",
     .text = MOVING_PIVOT,
     .traits = LV_TRAIT_HOLONOMIC,
     .until = 1.2,
     .steps = 12,
     .long_step = 0.05,
     .hamiltonian = true,
     .exact_at = 1.2,
     .exact = {-0.44591997708, -1.329050797068}},
    {.name = "coupled",
     .text = COUPLED,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_MASS_VARIES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true},
    {.name = "coupled-forced",
     .text = COUPLED_FORCED,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_MASS_VARIES | LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .exact_at = 2,
     .exact = {0.908571055198607, -0.298519082505371, 0.310019556477279,
               0.241790067574959}},
    {.name = "curved",
     .text = CURVED,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_MASS_VARIES | LV_TRAIT_NOT_QUADRATIC,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .hamiltonian = true,
     .conservative = true,
     .regular = true,
     .symmetries = 1},
    {.name = "turning",
     .text = TURNING,
     .traits = LV_TRAIT_MASS_VARIES,
     .until = 6,
     .steps = 40,
     .long_step = 0.1,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .symmetries = 2},
    {.name = "turning-pair",
     .text = TURNING_PAIR,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_MASS_VARIES,
     .until = 1,
     .steps = 16,
     .long_step = 0.025,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .symmetries = 2},
    {.name = "singular",
     .text = SINGULAR_SPRINGS,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_MASS_SINGULAR,
     .until = 2,
     .steps = 12,
     .long_step = 0.05,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true,
     .exact_at = 10,
     .exact = {0.139791470904682, 1.239791470904682, -0.203457909032904}},
    {.name = "top",
     .text = TOP,
     .traits = LV_TRAIT_HOLONOMIC,
     .only = "symmetric top in directors",
     .symmetries = 1,
     .until = 0.8,
     .steps = 16,
     .long_step = 0.02,
     .hamiltonian = true,
     .conservative = true,
     .reversible = true,
     .regular = true},

    /* Nonholonomic: a state of q and v does not hold the multipliers that are carried, so that
     * (q, -v) does not run backwards. */
    {.name = "particle",
     .text = PARTICLE,
     .traits = LV_TRAIT_NONHOLONOMIC,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .conservative = true,
     .regular = true,
     .exact_at = 2,
     .exact = {1.29480436466913, -0.779865807277415, 0.737441159969887}},
    {.name = "penny",
     .text = PENNY,
     .traits = LV_TRAIT_NONHOLONOMIC,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .conservative = true,
     .regular = true,
     .symmetries = 1},
    {.name = "disc",
     .text = DISC,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_NONHOLONOMIC,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .conservative = true,
     .regular = true,
     .symmetries = 1},
    {.name = "blade",
     .text = CHARGED_BLADE,
     .traits = LV_TRAIT_NONHOLONOMIC | LV_TRAIT_NOT_QUADRATIC,
     .until = 2,
     .steps = 20,
     .long_step = 0.05,
     .conservative = true,
     .regular = true},
    {.name = "slope",
     .text = SLOPE,
     .traits = LV_TRAIT_NONHOLONOMIC,
     .until = 4,
     .steps = 16,
     .long_step = 0.1,
     .conservative = true,
     .regular = true},
    {.name = "linear",
     .text = COUPLED_LINEAR,
     .traits = LV_TRAIT_NONHOLONOMIC | LV_TRAIT_MASS_VARIES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .conservative = true,
     .regular = true,
     .exact_at = 2,
     .exact = {0.702060264993142, -0.32897187820655, -0.2500449399468,
               0.0562567506152366}},
    {.name = "affine",
     .text = COUPLED_AFFINE,
     .traits = LV_TRAIT_NONHOLONOMIC | LV_TRAIT_MASS_VARIES | LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1},
    {.name = "nonlinear",
     .text = COUPLED_NONLINEAR,
     .traits = LV_TRAIT_NONHOLONOMIC | LV_TRAIT_MASS_VARIES | LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .exact_at = 2,
     .exact = {0.691617089341008, -0.312254179536993, 0.193881617243031,
               0.562252057482443}},
    {.name = "both-linear",
     .text = BOTH_LINEAR,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_NONHOLONOMIC,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .conservative = true},
    {.name = "both-nonlinear",
     .text = BOTH_NONLINEAR,
     .traits = LV_TRAIT_HOLONOMIC | LV_TRAIT_NONHOLONOMIC | LV_TRAIT_MASS_VARIES |
               LV_TRAIT_VELOCITY_FORCES,
     .until = 2,
     .steps = 10,
     .long_step = 0.1,
     .exact_at = 2,
     .exact = {0.749253486566793, -0.331052131366697, 0.142544466808532,
               0.669211090787982},
     .last_step = 60},
};

enum { TEST_SYSTEMS = sizeof test_systems / sizeof test_systems[0] };

#endif
