/* Models with nonholonomic constraints, among the systems on which schemes are held to their word. */
#ifndef LV_TESTS_ROLLING_SYSTEMS_H
#define LV_TESTS_ROLLING_SYSTEMS_H

/* One linear constraint, constant mass. Partitioned Runge-Kutta specification, 9.1. */
#define PARTICLE                                                                         \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.5, velocity = 1 }\n"                                                \
    "y = { value = 1, velocity = -0.4 }\n"                                               \
    "z = { value = 0, velocity = 1 }\n"                                                  \
    "[energy]\n"                                                                         \
    "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"                                             \
    "potential = \"(x^2 + y^2)/2\"\n"                                                    \
    "[constraints.blade]\n"                                                              \
    "nonholonomic = \"z' - y*x'\"\n"

/* Two linear constraints: an upright disc in a well. Turning is a symmetry of L that the constraints
 * allow, hence its momentum is kept; rolling is one that they do not. */
#define PENNY                                                                            \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.3, velocity = \"1.1*cos(0.4)\" }\n"                                 \
    "y = { value = -0.2, velocity = \"1.1*sin(0.4)\" }\n"                                \
    "phi = { value = 0.4, velocity = 0.7 }\n"                                            \
    "theta = { value = 0.1, velocity = 1.1 }\n"                                          \
    "[energy]\n"                                                                         \
    "kinetic = \"(x'^2 + y'^2)/2 + 0.3*phi'^2 + 0.25*theta'^2\"\n"                       \
    "potential = \"(x^2 + y^2)/2 + 0.2*x^2*y^2\"\n"                                      \
    "[constraints.roll]\n"                                                               \
    "nonholonomic = [\"x' - cos(phi)*theta'\", \"y' - sin(phi)*theta'\"]\n"              \
    "[symmetries.turn]\n"                                                                \
    "on = [\"phi\"]\n"                                                                   \
    "generator = [\"1\"]\n"

/* The same with the heading as a unit vector (c, s): constraints of both kinds, which do not feel
 * each other. The momentum of turning is bilinear, c p_s - s p_c. */
#define DISC                                                                             \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.3, velocity = \"1.1*cos(0.4)\" }\n"                                 \
    "y = { value = -0.2, velocity = \"1.1*sin(0.4)\" }\n"                                \
    "c = { value = \"cos(0.4)\", velocity = \"-0.7*sin(0.4)\" }\n"                       \
    "s = { value = \"sin(0.4)\", velocity = \"0.7*cos(0.4)\" }\n"                        \
    "theta = { value = 0.1, velocity = 1.1 }\n"                                          \
    "[energy]\n"                                                                         \
    "kinetic = \"(x'^2 + y'^2)/2 + 0.3*(c'^2 + s'^2) + 0.25*theta'^2\"\n"                \
    "potential = \"(x^2 + y^2)/2 + 0.2*x^2*y^2\"\n"                                      \
    "[constraints]\n"                                                                    \
    "unit = { holonomic = \"(c^2 + s^2 - 1)/2\" }\n"                                     \
    "roll = { nonholonomic = [\"x' - c*theta'\", \"y' - s*theta'\"] }\n"                 \
    "[symmetries.turn]\n"                                                                \
    "on = [\"c\", \"s\"]\n"                                                              \
    "generator = [\"-s\", \"c\"]\n"

/* p is not M v, one linear constraint. */
#define CHARGED_BLADE                                                                    \
    "[coordinates]\n"                                                                    \
    "q = { value = [0.8, 0.1, -0.2], velocity = [0.2, 0.7, 0.02] }\n"                    \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(q')/2\"\n"                                                        \
    "potential = \"norm2(q)/2 + q[3]^4\"\n"                                              \
    "[energy.field]\n"                                                                   \
    "lagrangian = \"(1 + 0.5*norm2(q))*(q[1]*q'[2] - q[2]*q'[1])\"\n"                    \
    "[constraints.blade]\n"                                                              \
    "nonholonomic = \"q'[3] - q[2]*q'[1]\"\n"

/* A constraint that is not linear but homogeneous, after Appell and Hamel: the slope of the path is
 * given. The energy is kept. */
#define SLOPE                                                                            \
    "[coordinates]\n"                                                                    \
    "x = { value = 0.2, velocity = 0.8 }\n"                                              \
    "y = { value = -0.3, velocity = 0.6 }\n"                                             \
    "z = { value = 0, velocity = 0.5 }\n"                                                \
    "[energy]\n"                                                                         \
    "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"                                             \
    "potential = \"0.2*sin(x + z) + 0.1*cos(y - 2*z)\"\n"                                \
    "[constraints.slope]\n"                                                              \
    "nonholonomic = \"z' - 0.5*sqrt(x'^2 + y'^2)\"\n"

#define AT_REGULAR_POINT(va, vb, vc, vd)                                                 \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.5, velocity = " va " }\n"                                           \
    "b = { value = 0.3, velocity = " vb " }\n"                                           \
    "c = { value = -0.4, velocity = " vc " }\n"                                          \
    "d = { value = 0.6, velocity = " vd " }\n"

#define LINEAR_SLIP                                                                      \
    "[constraints.slip]\n"                                                               \
    "nonholonomic = \"c' - b*a' + 0.2*d*b'\"\n"

#define NONLINEAR_SLIP                                                                   \
    "[constraints.slip]\n"                                                               \
    "nonholonomic = \"d' - 0.3*a'*b' - 0.2*c'^2 - 0.1*a*b' - 0.1 + "                     \
    "0.2*sin(0.7*t)*(1 + 0.3*b')\"\n"

/* M(q), linear: K3. */
#define COUPLED_LINEAR                                                                   \
    AT_REGULAR_POINT("0.459213594713493", "-0.341745605577062", "0.178773551083295",     \
                     "0.2")                                                              \
    COUPLED_MASS LINEAR_SLIP

/* M(q), force, affine with time. */
#define COUPLED_AFFINE                                                                   \
    AT_REGULAR_POINT("0.4", "-0.3", "0.5", "0.2")                                        \
    COUPLED_MASS COUPLED_FORCE                                                           \
        "[constraints.slip]\n"                                                           \
        "nonholonomic = \"c' - b*a' + 0.2*d*b' + 0.3*a - 0.1*cos(t)\"\n"                 \
        "[run]\n"                                                                        \
        "initial = \"project\"\n"

/* M(q), force, not linear, time: K4. */
#define COUPLED_NONLINEAR                                                                \
    AT_REGULAR_POINT("0.394279426553503", "-0.287740350103206", "0.516478958169947",     \
                     "0.104928055270804")                                                \
    COUPLED_MASS COUPLED_FORCE NONLINEAR_SLIP

/* Constant mass, constraints of both kinds that feel each other. */
#define BOTH_LINEAR                                                                      \
    AT_REGULAR_POINT("0.4", "-0.3", "0.5", "0.2")                                        \
    "[energy]\n"                                                                         \
    "kinetic = \"(2*a'^2 + 0.6*a'*b' + 1.5*b'^2 + 1.2*c'^2 + d'^2)/2\"\n"                \
    "potential = \"(a^2 + b^2 + c^2 + d^2)/2 + 0.4*c*d + 0.1*a^2*d\"\n"                  \
    "[constraints.sphere]\n"                                                             \
    "holonomic = \"(a^2 + b^2 + c^2 + d^2 - 1)/2 + 0.2*a*c\"\n" LINEAR_SLIP "[run]\n"    \
    "initial = \"project\"\n"

/* Everything: K5. */
#define BOTH_NONLINEAR                                                                   \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.532907648268561, velocity = 0.473453690179386 }\n"                  \
    "b = { value = 0.331602031432774, velocity = -0.132241778625625 }\n"                 \
    "c = { value = -0.446994343252351, velocity = 0.423016168467605 }\n"                 \
    "d = { value = 0.70818660674127, velocity = 0.109958162806123 }\n" COUPLED_MASS      \
        COUPLED_FORCE "[constraints.sphere]\n"                                           \
    "holonomic = \"(a^2 + b^2 + c^2 + d^2 - 1)/2 + 0.2*a*c - "                           \
    "0.1*sin(t)\"\n" NONLINEAR_SLIP

#endif
