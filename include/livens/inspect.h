/* What a model is, before any time passes: sizes, kinds, degrees, energies and residuals at the
 * start. This is what `livens check` prints. */
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
    bool structural; /* sizes depend on it: it cannot change during a run */
} lv_parameter_info;

typedef struct lv_group_info {
    const char *name;
    int length;     /* numbers per member; 0: scalar */
    bool is_family; /* members NAME_1 .. NAME_count */
    int count;
    const char *momentum; /* name of its momentum; NULL: the model has no Hamiltonian */
    bool is_inner;        /* belongs to a body: results show the body instead */
    size_t reserved[4];   /* for later versions */
} lv_group_info;

/* Describes group k of the coordinates, in their order; false if there is none. */
LV_API bool lv_group_describe(const lv_model *model, int k, lv_group_info *info);

/* A formula of the model and its instances. */
typedef struct lv_term_info {
    const char *section; /* "energy", "constraints", "forces", "symmetries", "outputs" */
    const char *name;    /* "" for keys that stand directly in [energy] */
    const char *role;    /* "kinetic", "potential", "holonomic", ... */
    int instances;
    int rows;        /* values per instance */
    int coordinates; /* local coordinates per instance */
    int operations;  /* of one evaluation of the formula's values */
    int degree_q;    /* polynomial degree in the coordinates; -1: not a polynomial */
    int degree_v;    /* and in the velocities */
    int invariants; /* at-most-quadratic nodes below the first row (for discrete gradients) */
    bool time;      /* depends on time explicitly */
    bool jumps;     /* a force that jumps where its velocities vanish, as sign(x') does */
    const char *velocities; /* nonholonomic: "linear", "affine", "nonlinear"; else NULL */
    bool is_inner;          /* keeps a body rigid */
    bool inputs;            /* depends on inputs */
} lv_term_info;

typedef struct lv_momentum_info {
    const char *name;
    double value; /* at the start */
    bool found;   /* not declared in the model: livens found the symmetry */
    const char *
        spoilt; /* declared, but no symmetry: which term spoils it, where, and by how much;
                         * NULL as far as livens can tell */
} lv_momentum_info;

typedef struct lv_inspection {
    int coordinates;
    int holonomic; /* constraints, over all instances */
    int nonholonomic;
    int freedom; /* degrees of freedom: coordinates minus independent constraints */
    /* Where no freedom is left: a constraint that makes the system move, by its dependence on time or
     * since rest violates it. "": nothing can move, or something is free. */
    char prescribed[160];
    bool prescribed_in_time; /* in the first case */
    int constraint_rank; /* at the start; -1: the system is too large to have tested it */
    char redundant[200]; /* constraints that follow from others; "" if none */
    char flat[160]; /* constraint whose gradient vanishes wherever it holds; "" if none */

    lv_mass_kind mass;
    int mass_rank; /* at the start; -1: too large to have tested */
    char mass_negative
        [160]; /* a coordinate whose velocity can make the kinetic energy negative
                              * there; "" if there is none */

    char driven
        [160]; /* a dissipation that is negative at the start and so feeds energy; "" if none */

    double kinetic;       /* sum of the kinetic terms at the start */
    double potential;     /* sum of the potential terms */
    double energy;        /* v . dL/dv - L */
    bool has_lagrangian;  /* then kinetic and potential do not tell all */
    bool has_hamiltonian; /* was given; the terms are those of its Lagrangian */

    /* Largest residuals at the start, and whose they are ("" if there are none). */
    double position_residual; /* |g| */
    double velocity_residual; /* |dg/dt| */
    double nonholonomic_residual;
    char position_worst[160];
    char velocity_worst[160];
    char nonholonomic_worst[160];

    /* The constraint that the start violates most, so that a run would refuse it, and by how much; likewise for
     * velocities, with nonholonomic ones. "" if none is: residuals are judged relative to the coordinates. */
    char position_violated[160];
    char velocity_violated[160];
    double position_violation;
    double velocity_violation;

    char output_undefined
        [300]; /* an output that has no finite value at the start, with place and reason;
                                 * "" if there is none */

    int kernels; /* distinct formulas */
    long long instances;

    int parameter_count;
    const lv_parameter_info *parameters;
    int group_count;
    const lv_group_info *groups;
    int term_count;
    const lv_term_info *terms;
    int momentum_count;
    const lv_momentum_info *momenta; /* of declared symmetries, then of found ones */

    lv_mechanism_info mechanism; /* bodies, and what joins them */
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
