/* Properties of a model before any time passes: sizes, kinds, degrees, energies and
 * residuals at the start. This is what `livens check` prints. */
#ifndef LIVENS_INSPECT_H
#define LIVENS_INSPECT_H

#include "mechanism.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lv_mass_kind {
    LV_MASS_CONSTANT, /* regular and the same everywhere */
    LV_MASS_VARYING, /* depends on coordinates, velocities or time; regular at the start */
    LV_MASS_SINGULAR /* singular at the start (whether constant or varying) */
} lv_mass_kind;

LV_API const char *lv_mass_kind_name(lv_mass_kind kind); /* "constant", ... */

typedef struct lv_parameter_info {
    const char *name;
    int length; /* 0: scalar */
    const double *values;
    bool structural; /* sizes depend on it, so it cannot change during a run */
} lv_parameter_info;

typedef struct lv_group_info {
    const char *name;
    int length;     /* numbers per member; 0: scalar */
    bool is_family; /* has the members NAME_1 .. NAME_count */
    int count;
    const char *momentum; /* name of its momentum; NULL: the model has no Hamiltonian */
    bool is_inner;        /* is part of a body; results show the body instead */
    size_t reserved[4];   /* for later versions */
} lv_group_info;

/* Describes group k of the coordinates, in their order; returns false if there is
 * none. */
LV_API bool lv_group_describe(const lv_model *model, int k, lv_group_info *info);

/* A formula of the model and its instances. */
typedef struct lv_term_info {
    const char *section; /* "energy", "constraints", "forces", "symmetries", "outputs" */
    const char *name;    /* "" for keys that stand directly in [energy] */
    const char *role;    /* "kinetic", "potential", "holonomic", ... */
    int instances;
    int rows;        /* number of values per instance */
    int coordinates; /* local coordinates per instance */
    int operations;  /* number of operations to evaluate the formula */
    int degree_q;    /* polynomial degree in the coordinates; -1: not a polynomial */
    int degree_v;    /* polynomial degree in the velocities; -1: not a polynomial */
    /* number of at-most-quadratic nodes below the first row (for discrete gradients) */
    int invariants;
    bool time; /* depends explicitly on time */
    /* a force that is discontinuous where its velocities vanish, as sign(x') is */
    bool jumps;
    const char *velocities; /* nonholonomic: "linear", "affine", "nonlinear"; else NULL */
    bool is_inner;          /* keeps a body rigid */
    bool inputs;            /* depends on inputs */
} lv_term_info;

typedef struct lv_momentum_info {
    const char *name;
    double value; /* at the start */
    bool found;   /* livens found the symmetry; it is not declared in the model */
    /* For a declared symmetry that is none: which term violates it, where, and by how
     * much; NULL: no violation is known. */
    const char *spoilt;
} lv_momentum_info;

typedef struct lv_inspection {
    int coordinates;
    int holonomic; /* number of holonomic constraint rows over all instances */
    int nonholonomic;
    int freedom; /* degrees of freedom: coordinates minus independent constraints */
    /* If there are no degrees of freedom: a constraint that moves the system, because it
     * depends on time or because rest violates it. "": nothing can move, or something is
     * free. */
    char prescribed[160];
    bool prescribed_in_time; /* that constraint depends on time */
    /* rank of the constraints at the start; -1: the system is too large to test */
    int constraint_rank;
    char redundant[200]; /* constraints that follow from others; "": none */
    /* a constraint whose gradient vanishes wherever the constraint holds; "": none */
    char flat[160];

    lv_mass_kind mass;
    /* rank of the mass matrix at the start; -1: the system is too large to test */
    int mass_rank;
    /* A coordinate whose velocity can make the kinetic energy at the start negative; "":
     * none. */
    char mass_negative[160];

    /* A dissipation that is negative at the start, so that it feeds energy into the
     * system; "": none. */
    char driven[160];

    double kinetic;      /* sum of the kinetic terms at the start */
    double potential;    /* sum of the potential terms */
    double energy;       /* v . dL/dv - L */
    bool has_lagrangian; /* kinetic and potential are then not the whole Lagrangian */
    /* the model gives a Hamiltonian; the terms are those of its Lagrangian */
    bool has_hamiltonian;

    /* Largest residuals at the start, and the names of their constraints ("" if there are
     * none). */
    double position_residual; /* |g| */
    double velocity_residual; /* |dg/dt| */
    double nonholonomic_residual;
    char position_worst[160];
    char velocity_worst[160];
    char nonholonomic_worst[160];

    /* The constraint that the start violates most, so that a run would refuse it, and by
     * how much; likewise for velocities, including nonholonomic constraints. "": none is
     * violated. Residuals are judged relative to the coordinates. */
    char position_violated[160];
    char velocity_violated[160];
    double position_violation;
    double velocity_violation;

    /* An output that has no finite value at the start, with place and reason; "":
     * none. */
    char output_undefined[300];

    int kernels; /* number of distinct formulas */
    long long instances;

    int parameter_count;
    const lv_parameter_info *parameters;
    int group_count;
    const lv_group_info *groups;
    int term_count;
    const lv_term_info *terms;
    int momentum_count;
    /* those of declared symmetries, then those of found ones */
    const lv_momentum_info *momenta;

    lv_mechanism_info mechanism; /* bodies, and what joins them */

    /* "constraints 'a' and 'b' are nearly dependent": those at the start of which a
     * combination of gradients is this part of them, too large to be rounding and too
     * small for a motion of many digits; "": none. */
    char nearly_dependent[300];
    double nearly_remainder;
} lv_inspection;

/* Evaluates the model at its start. LV_ERR_DOMAIN if a formula has no finite value there.
 * The model must outlive the inspection. Free with lv_inspection_free. */
LV_API LV_NODISCARD lv_status lv_model_inspect(lv_inspection **inspection,
                                               const lv_model *model, lv_error *err);
LV_API void lv_inspection_free(lv_inspection *inspection);

#ifdef __cplusplus
}
#endif
#endif
