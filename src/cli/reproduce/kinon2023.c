/* Kinon, Betsch, Schneider (2023): the GGL principle, its variational schemes VI-S, VI-A, VI-B, the
 * energy-momentum scheme EM, and comparisons with Gonzalez' EM-G and Bobenko and Suris' BS99. */
#include "cli/reproduce/kinon2023.h"

static const cli_erratum_info errata[] = {
    {"(26)", "the functional contains + lambda . g",
     "- lambda . g, or equation (27b) has the other sign"},
    {"(39)", "v + G(q) M^-1 gamma", "v + M^-1 G(q)^T gamma"},
    {"(69c,d)", "D_1 f_d, D_2 f_d and gamma_k", "their transposes, and gamma_k^n"},
    {"(79), range of theta", "0 < theta < 1",
     "theta = 1/2: violations of g grow by the factor (1 - theta)/theta in each step, "
     "those of "
     "the momenta by its reciprocal"},
    {"(79b), (82b), (83b)", "D_1 L_d(q^{n+theta}, .)", "h D_1 L(q^{n+theta}, v^{n+1})"},
    {"(82), range of vartheta", "0 < vartheta <= 1",
     "0 <= vartheta <= 1/2: beyond 1/2 lambda and p grow by the factor vartheta/(1 - "
     "vartheta) "
     "in each step, at 1 the equations are singular, 0 is fine"},
    {"(90), (154)", "D_p g^v xi p", "D_p g^v xi^T p"},
    {"(122b)", "pi_2 = |q_4 - q_3|^2", "pi_2 = |q_4 - q_2|^2: the spring, not the rod"},
    {"(125)", "the second factor is d pi_1 / dq", "d pi_2 / dq"},
    {"(146b)", "D_12^2 L dv", "h D_12^2 L dv"},
    {"(168)", "p_1 = l J_1^-1 m x d_3", "m l J_1^-1 m x d_3, with the mass of the top"},
};

static const cli_chapter *const chapters[] = {&cli_kinon2023_pendulum, &cli_kinon2023_top,
                                              &cli_kinon2023_particles,
                                              &cli_kinon2023_stability, NULL};

extern const cli_paper cli_paper_kinon2023;

const cli_paper cli_paper_kinon2023 = {
    .name = "kinon2023",
    .title = "Structure-preserving integrators based on a new variational principle for "
             "constrained mechanical systems",
    .citation = "P. L. Kinon, P. Betsch, S. Schneider, Nonlinear Dynamics (2023), "
                "doi:10.1007/s11071-023-08522-7",
    .chapters = chapters,
    .errata = errata,
    .erratum_count = (int)(sizeof errata / sizeof *errata)};
