/* Knoll (2025): a discontinuous Petrov-Galerkin scheme in time, and the heavy top. */
#include "cli/reproduce/knoll2025.h"

static const cli_erratum_info errata[] = {
    {"(3.23), (3.27)", "q(t1) - q0 - v = 0", "q(t1) - q0 - t1 v = 0"},
    {"(3.25), (3.26), (3.29), (3.30), also (4.8), (4.9)", "p - p0 - (t1/2) K q0 = 0",
     "p - p0 + (t1/2) K q0 = 0, and likewise at the end; dV/dq for K q where V is not "
     "quadratic"},
    {"(4.8), (4.9)", "-lambda h/2 grad phi",
     "this lambda has the opposite sign of that in (4.3)"},
    {"Proposition 3.4", "Y_h contains Y", "Y_h contains the optimal test space of X_h"},
    {"Section 3.7, error estimate", "|I_k u - u_k|", "|I_k u - u|"},
    {"Section 3.7", "one step is accurate to O(t1^2k)",
     "to O(t1^(2k+1)), from which the order 2k follows"},
    {"Section 3.8", "the trapezoidal rule is of order three",
     "its error in one step is of order three, its order is two"},
    {"(4.6)", "dR = W R = R W", "two different W"},
    {"(4.11)", "- J on the left",
     "without; the last block is a matrix minus its transpose"},
    {"(4.12)", "P = M V, Lambda Q", "V M and Q Lambda: both act from the right"},
    {"Theorems 4.2, 4.3, applied in Section 4.3", "M^-1",
     "M of the benchmark is singular: the disc has no mass along its axis"},
    {"Fig. 3", "slope 2 for all steps", "for steps up to 1e-3"},
    {"Theorem 4.1", "rank(grad phi) = d", "rank(grad phi) = number of constraints"},
};

static const cli_chapter *const chapters[] = {&cli_knoll2025_vector_space,
                                              &cli_knoll2025_body, &cli_knoll2025_top,
                                              &cli_knoll2025_groups, NULL};

extern const cli_paper cli_paper_knoll2025;

const cli_paper cli_paper_knoll2025 = {
    .name = "knoll2025",
    .title = "Structure-Preserving Time Integration of Mechanical Systems on Lie Groups",
    .citation = "L. Knoll, bachelor thesis, TU Wien (2025)",
    .chapters = chapters,
    .errata = errata,
    .erratum_count = (int)(sizeof errata / sizeof *errata)};
