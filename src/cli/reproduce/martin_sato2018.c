/* Martin de Diego, Sato Martin de Almagro (2018): Lobatto schemes for nonholonomic systems on vector
 * spaces and on Lie groups. */
#include "cli/reproduce/martin_sato2018.h"

static const cli_erratum_info errata[] = {
    {"Runge-Kutta scheme before (order 1)", "sum_j a_ij V^i, sum_j b_j V^i",
     "V^j in both sums"},
    {"(8)", "P^i_k",
     "a multiplier of its own, equal to -h D_1 L: not the stage momentum of (9)"},
    {"after Theorem 4.2", "the order of the map is that of the Runge-Kutta method",
     "true for Gauss, Lobatto and Radau, false in general from order 3 on"},
    {"Section 4, discrete symplectic form and regularity",
     "second derivatives by q_0^i and q_0^j, whose form vanishes by symmetry",
     "mixed ones, by q_0^i and q_1^j"},
    {"Section 4, matching of momenta", "-D_2 L_d(q_i-1, q_i) = D_1 L_d(q_i, q_i+1)",
     "D_2 L_d(q_i-1, q_i) = p_i = -D_1 L_d(q_i, q_i+1)"},
    {"Section 3.1", "Chetaev bundle S*(TM^0), annihilator in T*Q",
     "S*((TN)^0), annihilator in T*(TQ)"},
    {"(14), (15), appendices D, E", "constraints without a range of i",
     "i = 2 .. s (i = 1 holds by itself), and Lambda^1 = lambda_k"},
    {"Theorem 5.2", "q >= 1 if R_A(inf)",
     "the condition is cut off, evidently R_A(inf) = 1"},
    {"Corollary 5.2.1", "h^min(2s-2)", "h^(2s-2)"},
    {"Section 5.1", "trapezoidal forces at (q_k+1 - q_k)/h for any Lagrangian",
     "for a constant mass matrix only"},
    {"Fig. 3", "initial data and end time are missing",
     "here q = (0.5, 1, 0), v = (1, -0.4, 1), T = 2"},
    {"Fig. 6", "mu / h^10 for Lobatto-3", "mu / h^8"},
    {"(38)", "f(t_0, u(t_1)); number of steps", "f(t_1, u(t_1)); number of stages"},
    {"(42)", "k_i = f(Y_i, Z_i)", "k_i = f(t_0 + c_i h, Y_i)"},
    {"Proposition B.1", "c_i^k / gamma(tau)", "c_i^|tau| / gamma(tau)"},
    {"before (49)", "q (f(u_i))^(q-1)",
     "q times the derivative of order q - 1, not the power"},
    {"Proposition B.2", "integral of l_j from t_0 to t; derivatives of u",
     "from 0 to (t - t_0)/h; derivatives of v"},
    {"Appendix E", "(g_k, p_k, ...)", "(q_k, p_k, ...)"},
    {"Section 6.1, continuous equations", "mu = D_2 L(g, eta)", "mu = D_2 l(g, eta)"},
    {"Section 6.2, first display", "d tau applied to the velocities", "d tau^-1"},
    {"after Theorem 6.1, third component", "(dd tau)^*(Xi, ...)",
     "(dd tau)^*(H, ...), as in (29)"},
    {"Section 6.4, stage momenta", "N without the constraint force",
     "N + T_nh; for i = 1 the constraint holds by itself, and Lambda^1 = lambda_k"},
    {"Appendix G", "H = (d tau)^* D_2 h", "H = (d tau)^-1 D_2 h"},
    {"Section 7.4", "m, I_z, initial data and end time are missing",
     "here m = 2, I_z = 0.5, (x, y, theta) = (1, 0.5, 0.3), v1 = 0.4, omega = 1.2, T = "
     "5"},
    {"Section 7.5",
     "no slip with omega_xi, omega_eta along the principal axes of the ball",
     "with the angular velocity in space, R omega"},
    {"Section 7.5, integrals", "omega_zeta, r omega_xi - Omega x/(1 + a), ...",
     "the same of R omega, for a = b = c; for any ball R J omega + r e_z x v"},
};

static const cli_chapter *const chapters[] = {
    &cli_martin_sato2018_trapezoid, &cli_martin_sato2018_particle,
    &cli_martin_sato2018_cvt,       &cli_martin_sato2018_chaos,
    &cli_martin_sato2018_free_body, &cli_martin_sato2018_unicycle,
    &cli_martin_sato2018_turntable, NULL};

extern const cli_paper cli_paper_martin_sato2018;

const cli_paper cli_paper_martin_sato2018 = {
    .name = "martin-sato2018",
    .title = "High-order geometric methods for nonholonomic mechanical systems",
    .citation = "D. Martin de Diego, R. T. Sato Martin de Almagro (2018)",
    .chapters = chapters,
    .errata = errata,
    .erratum_count = (int)(sizeof errata / sizeof *errata)};
