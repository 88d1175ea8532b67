/* The integrators: their names, what they promise and which systems they accept. */
#ifndef LIVENS_SCHEME_H
#define LIVENS_SCHEME_H

#include "inspect.h"
#include "option.h"
#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How well a quantity is kept. */
typedef enum lv_kept {
    LV_KEPT_NOT,     /* nothing is promised */
    LV_KEPT_BOUNDED, /* the error oscillates within bounds that shrink with the step */
    LV_KEPT_EXACT    /* to rounding */
} lv_kept;

typedef struct lv_claims {
    int order; /* order of q and p at the nodes */
    bool symplectic;
    bool symmetric;   /* a step of -h reverses a step of h */
    lv_kept energy;   /* energy without forces and explicit time */
    lv_kept momentum; /* momentum maps of linear symmetries */
    lv_kept position; /* constraints g = 0 at the nodes */
    /* G v + g_t = 0 at the nodes, with the v that belongs to the momenta */
    lv_kept velocity;
    size_t reserved[4]; /* for later versions */
} lv_claims;

/* Properties that a scheme may promise, and their names. */
#define LV_PROPERTY_LIST(X)                                                              \
    X(ORDER, "order") /* of positions and momenta, against a reference */                \
    X(SYMPLECTICITY, "symplecticity") /* change of the two-form in a step */             \
    X(REVERSIBILITY, "reversibility") /* a step of h and one of -h */                    \
    X(ENERGY, "energy")               /* where nothing does work */                      \
    X(BALANCE, "balance")             /* of energy and work, elsewhere */                \
    X(INVARIANT, "invariant")         /* of the scheme's own */                          \
    X(MOMENTUM, "momentum")           /* a momentum map */                               \
    X(POSITION, "position")           /* g = 0 */                                        \
    X(VELOCITY, "velocity")           /* G v + g_t = 0 */                                \
    X(NONHOLONOMIC, "nonholonomic")   /* Phi = 0 */                                      \
    X(REPEAT, "repeat")               /* a second run has the same bits */               \
    X(THREADS, "threads")             /* so have runs side by side */                    \
    X(RESUME, "resume")               /* so has a run that goes on from a checkpoint */

#define LV_X(id, name) LV_PROPERTY_##id,
typedef enum lv_property { LV_PROPERTY_LIST(LV_X) LV_PROPERTIES } lv_property;
#undef LV_X

/* The name of a property, "order"; NULL out of range. */
LV_API const char *lv_property_name(lv_property property);

typedef struct lv_scheme_info {
    const char *name;
    const char *summary; /* one line */
    const char *text;    /* a few paragraphs */
    const char *source;  /* literature reference */
    /* if least and most are equal there is no choice; 0: no stages */
    int least_stages, most_stages, default_stages;
    bool holonomic; /* accepts holonomic constraints */
    bool composable;
    unsigned options;  /* bit k: the scheme takes option k */
    bool nonholonomic; /* accepts nonholonomic constraints */
    /* accepts this kind of mass matrix and the kinds before it in lv_mass_kind */
    lv_mass_kind mass;
    const char *composes_only; /* condition under which it is composable; NULL: none */
    const char *only;          /* the only system that it is for; NULL: any */
    /* Accepts any dependence of L on the velocities; false: L must be quadratic in them,
     * without linear terms. */
    bool any_lagrangian;
    /* For lv_scheme_register; both are NULL in descriptors of the library's own schemes.
     * `defaults`: LV_OPTION_ROOM values of the options that are not given; NULL: every
     * default is 0. `promise`: changes the registered claims to what is promised with the
     * given options, all of which are set; NULL: the claims do not depend on options. */
    const double *defaults;
    void (*promise)(const lv_scheme_options *options, lv_claims *claims);
    bool no_velocity_forces; /* refuses forces that depend on velocities */
    size_t reserved[1];      /* for later versions */
} lv_scheme_info;

/* Adds a scheme that the caller has written. `info` says how help describes it and which
 * systems it accepts, `claims` what it promises, and `equations` is its step as a text of
 * the step language (docs/tutorial/new-scheme.md). From then on its name works wherever
 * names of schemes do; lv_verify measures its claims, too. Everything is copied. Its
 * options, the bits of info->options, are names in the text: theta and vartheta are
 * numbers, as in "point z at theta = q + theta h V"; projection, half_kick and
 * allow_unstable switch statements on, as in "when projection: eq s: rate(q1, x)". A
 * symmetric scheme that is composable and takes the option compose can be composed. The
 * scheme exists until the process ends and for all threads: call this function before
 * other threads use livens. LV_ERR_USAGE for a name that is taken, for other options, and
 * for a mistake in the text, with its line. */
LV_API LV_NODISCARD lv_status lv_scheme_register(const lv_scheme_info *info,
                                                 const lv_claims *claims,
                                                 const char *equations, lv_error *err);

/* Describes the k-th scheme; returns false beyond the last. Texts are static. */
LV_API bool lv_scheme_describe(int k, lv_scheme_info *info);

/* What a scheme promises with these options. LV_ERR_MODEL, with a suggestion, if the name
 * is unknown or an option is out of range or not taken by the scheme. */
LV_API LV_NODISCARD lv_status lv_scheme_claims(lv_claims *claims, const char *name,
                                               const lv_scheme_options *options,
                                               lv_error *err);

/* Coefficients of a partitioned Runge-Kutta scheme: Q_i = q + h sum_j a_ij V_j, P_i = p +
 * h sum_j ah_ij W_j at the times c_i; the weights b_j give q1 and p1. a and ah are stored
 * by rows. */
typedef struct lv_coefficients {
    int stages;
    const double *c, *b, *a, *ah;
} lv_coefficients;

/* Computes the coefficients of a scheme with these options. LV_ERR_MODEL as above, and
 * for a scheme that is no partitioned Runge-Kutta scheme. Free with
 * lv_coefficients_free. */
LV_API LV_NODISCARD lv_status lv_scheme_coefficients(lv_coefficients **coefficients,
                                                     const char *name,
                                                     const lv_scheme_options *options,
                                                     lv_error *err);
LV_API void lv_coefficients_free(lv_coefficients *coefficients);

/* The equations of a step with these options as text for readers: statements of the step
 * language in lines that end with a newline, then the coefficients if they are few, and
 * the operators that the equations use. "when FACT:" precedes statements that hold only
 * for systems with that property. LV_ERR_MODEL as above. Free with lv_equations_free.
 * lv_sim_equations describes what is derived from them for a system. */
LV_API LV_NODISCARD lv_status lv_scheme_equations(char **text, const char *name,
                                                  const lv_scheme_options *options,
                                                  lv_error *err);
LV_API void lv_equations_free(char *text);

/* Sets *complete to all options that the scheme takes: those that are given, and the
 * defaults of the others; the number of stages also if it is fixed. rotations, poses and
 * multipliers, which not every model has, are only there if they are given or follow from
 * others. LV_ERR_MODEL as above. */
LV_API LV_NODISCARD lv_status lv_scheme_complete(lv_scheme_options *complete,
                                                 const char *name,
                                                 const lv_scheme_options *options,
                                                 lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
