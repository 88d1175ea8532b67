/* The integrators: what they are called, what they promise, what they accept. */
#ifndef LIVENS_SCHEME_H
#define LIVENS_SCHEME_H

#include "inspect.h"
#include "option.h"
#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How well something is kept. */
typedef enum lv_kept {
    LV_KEPT_NOT,     /* no statement */
    LV_KEPT_BOUNDED, /* the error oscillates within bounds that shrink with the step */
    LV_KEPT_EXACT    /* to rounding */
} lv_kept;

typedef struct lv_claims {
    int order; /* of q and p at the nodes */
    bool symplectic;
    bool symmetric;     /* a step of -h undoes a step of h */
    lv_kept energy;     /* without forces and explicit time */
    lv_kept momentum;   /* momentum maps of linear symmetries */
    lv_kept position;   /* g = 0 at the nodes */
    lv_kept velocity;   /* G v + g_t = 0 at the nodes, v being that of the momenta */
    size_t reserved[4]; /* for later versions */
} lv_claims;

/* What can be promised, and its name. */
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

/* "order"; NULL out of range. */
LV_API const char *lv_property_name(lv_property property);

typedef struct lv_scheme_info {
    const char *name;
    const char *summary;                           /* one line */
    const char *text;                              /* a few paragraphs */
    const char *source;                            /* where it comes from */
    int least_stages, most_stages, default_stages; /* equal: no choice; 0: none */
    bool holonomic;                                /* accepts holonomic constraints */
    bool composable;
    unsigned options;          /* bit k: takes option k */
    bool nonholonomic;         /* accepts nonholonomic constraints */
    lv_mass_kind mass;         /* accepts this kind of mass matrix and those before it */
    const char *composes_only; /* under which condition it is composable; NULL: none */
    const char *only;          /* the one system that it is for; NULL: any */
    bool
        any_lagrangian; /* accepts any dependence on the velocities; false: L must be quadratic in
                            them, without linear terms */
    /* For lv_scheme_register; NULL in descriptors of schemes that the library has. LV_OPTION_ROOM numbers: what options
     * are that are not given; NULL: 0. And what is promised with other options, all of which are set: changes the claims
     * that were registered; NULL: the same. */
    const double *defaults;
    void (*promise)(const lv_scheme_options *options, lv_claims *claims);
    size_t reserved[2]; /* for later versions */
} lv_scheme_info;

/* Adds a scheme that the caller has written, with the same descriptor as the library's own: what help says of it and which
 * systems it takes, what it promises, and a step as a text of the step language (docs/tutorial/new-scheme.md). From
 * then on its name works wherever names of schemes do, lv_verify holds it to its claims included. Everything is copied.
 * Its options, bits of info->options, are names in the text: theta and vartheta are numbers, "point z at theta = q + theta
 * h V"; projection, half_kick and allow_unstable say whether statements count, "when projection: eq s: rate(q1, x)".
 * With compose, and composable, steps are composed; that is for symmetric schemes. It is there until the process ends; for
 * all threads: call it before others use livens. LV_ERR_USAGE for a name that is taken, for other options, and for a
 * mistake in the text, with its line. */
LV_API LV_NODISCARD lv_status lv_scheme_register(const lv_scheme_info *info,
                                                 const lv_claims *claims,
                                                 const char *equations, lv_error *err);

/* The k-th scheme; false beyond the last. Texts are static. */
LV_API bool lv_scheme_describe(int k, lv_scheme_info *info);

/* What a scheme promises with these options; LV_ERR_MODEL for an unknown name or options out of
 * range or not its own, with a suggestion. */
LV_API LV_NODISCARD lv_status lv_scheme_claims(lv_claims *claims, const char *name,
                                               const lv_scheme_options *options,
                                               lv_error *err);

/* Coefficients of a partitioned Runge-Kutta scheme: Q_i = q + h sum_j a_ij V_j, P_i = p + h sum_j ah_ij W_j at the
 * times c_i, q1 and p1 with the weights b_j; a and ah by rows. */
typedef struct lv_coefficients {
    int stages;
    const double *c, *b, *a, *ah;
} lv_coefficients;

/* The coefficients of a scheme with these options. LV_ERR_MODEL as above, or for a scheme that is no partitioned
 * Runge-Kutta scheme. Free with lv_coefficients_free. */
LV_API LV_NODISCARD lv_status lv_scheme_coefficients(lv_coefficients **coefficients,
                                                     const char *name,
                                                     const lv_scheme_options *options,
                                                     lv_error *err);
LV_API void lv_coefficients_free(lv_coefficients *coefficients);

/* The equations of a step with these options as text for readers: statements of the step language, lines that end
 * with a newline, then the coefficients, where they are few, and the operators that it uses. "when FACT:" stands where
 * the system decides. LV_ERR_MODEL as above. Free with lv_equations_free. lv_sim_equations has what is derived from it
 * for a system. */
LV_API LV_NODISCARD lv_status lv_scheme_equations(char **text, const char *name,
                                                  const lv_scheme_options *options,
                                                  lv_error *err);
LV_API void lv_equations_free(char *text);

/* All options that the scheme takes, those that are not given with the values that hold then; the number
 * of stages also where it is fixed. An option that can have one value only is there if it is given.
 * LV_ERR_MODEL as above. */
LV_API LV_NODISCARD lv_status lv_scheme_complete(lv_scheme_options *complete,
                                                 const char *name,
                                                 const lv_scheme_options *options,
                                                 lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
