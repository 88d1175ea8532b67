/* The descriptor of a scheme (lv_scheme) and the functions that the rest of the library
 * calls on it. */
#ifndef LV_SCHEME_SCHEME_H
#define LV_SCHEME_SCHEME_H

#include <livens/scheme.h>

#include "base/text.h"
#include "course/state.h"
#include "scheme/tableau.h"

/* The last step, in the form that dense output needs. The velocities v and the
 * generalised forces w (which include constraint forces) are Legendre series in the local
 * time 0 .. 1 of the step, [term][n]; lv_dense_velocity_terms and lv_dense_force_terms
 * (scheme/dense.h) give the numbers of terms. q and p are position and momentum at the
 * start of the step, n numbers each. Everything is valid until the next step. */
typedef struct lv_slopes {
    lv_closure closure;
    int degree;
    const double *v, *w;
    const double *q, *p;
    double h;
    const double *lambda; /* multipliers as a Legendre series, [term][m] */
    int lambda_terms;     /* 0: the multipliers are not polynomials */
} lv_slopes;

/* A stage of a step: its time, position and velocity, and its weight in the quadrature
 * over the step, relative to the step size. */
typedef struct lv_stage_point {
    double t, weight;
    const double *q, *v;
} lv_stage_point;

typedef void (*lv_stage_visit)(void *user, const lv_stage_point *stage);

typedef struct lv_scheme lv_scheme;
struct lv_stepper;

/* Properties of a system that a scheme may refuse. */
enum {
    LV_TRAIT_HOLONOMIC = 1,
    LV_TRAIT_NONHOLONOMIC = 2,
    LV_TRAIT_MASS_VARIES = 4,
    LV_TRAIT_MASS_SINGULAR = 8,
    LV_TRAIT_NOT_QUADRATIC =
        16, /* L has terms that are not quadratic in the velocities */
    LV_TRAIT_VELOCITY_FORCES = 32 /* forces depend on the velocities */
};

/* A scheme refuses systems with any of these traits: always, or only if `option` is given
 * and not 0. */
typedef struct lv_restriction {
    int option; /* an lv_option, or LV_ALWAYS */
    unsigned traits;
    /* continues "scheme 'NAME' ...", for example "is composed only ..." */
    const char *reason;
    /* suggests other options; NULL: the message lists schemes that take the system */
    const char *hint;
} lv_restriction;

enum { LV_ALWAYS = -1 };

struct lv_scheme {
    lv_scheme_info info;

    /* Restrictions beyond those that follow from `info`, and reasons that are better than
     * the general ones. The list ends with traits 0. NULL: there are none. */
    const lv_restriction *restrictions;
    /* which coefficients, for schemes that differ in nothing else (lv_family, lv_closure,
     * LV_GGL_...) */
    int family;
    /* Bodies may move on groups: the option `rotations` has values besides
     * "directors". */
    bool moves;
    /* A step in which G M^-1 G^T shrinks by more than this fraction of itself may have no
     * solution (theory 6.3). 0: there is no such limit. */
    double most_shrinking;
    /* A step is a kick, a free motion and a kick (scheme/partitioned_text.h). */
    bool kicks;
    void (*claims)(const lv_scheme *self, lv_claims *claims,
                   const lv_scheme_options *options);

    /* Refuses combinations of options, with the reason. NULL: every combination is
     * allowed. */
    lv_status (*check)(const lv_scheme *self, const lv_scheme_options *options,
                       lv_error *err);

    /* Why the scheme lacks an option that one could expect of it. NULL, also as a result:
     * there is no reason to give. */
    const char *(*why_no_option)(const lv_scheme *self, lv_option option);

    /* Default of an option (except stages). NULL: every default is 0. */
    double (*default_value)(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options);

    /* Writes to `buffer` why the scheme is unstable with these options and returns true;
     * false: it is stable. NULL: it is always stable. */
    bool (*unstable)(const lv_scheme *self, const lv_scheme_options *options,
                     char *buffer, size_t size);

    /* Refuses systems for reasons that are not traits, such as numbers or values of
     * options. NULL: it refuses none. If the callback sets a hint, that suggests other
     * options; otherwise lv_scheme_fits suggests schemes that take the system. */
    lv_status (*fits)(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err);

    /* Sets kept[k] = false for the momentum maps of this system that the scheme does not
     * keep, although its claims say that momentum maps are kept. NULL: all of them are
     * kept. */
    lv_status (*keeps)(const lv_scheme *self, lv_system *system, bool *kept,
                       lv_error *err);
    lv_status (*create)(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err);

    /* Creates the tableau of the scheme. *tableau stays NULL if there is none with these
     * options. NULL: the scheme has no tableau. */
    lv_status (*tableau)(const lv_scheme *self, lv_tableau **tableau,
                         const lv_scheme_options *options, lv_error *err);
    void (*free)(void *work);

    /* Appends the equations of a step as a text for readers (course/write.h), as far as the
     * options alone determine them. */
    lv_status (*equations)(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err);

    /* The stepper that takes the steps. NULL: the scheme is not written in the step
     * language. */
    struct lv_stepper *(*stepper)(void *work);

    /* Takes one step of size h from state->t and allocates nothing. A failed step leaves
     * the state unchanged. project: make velocities consistent with the constraints at
     * the end. */
    lv_status (*step)(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err);
    lv_memory_view (*memory)(void *work);

    /* The scheme's own multipliers of the last step, which has led to `state`; 0 before
     * the first step. lambda has the sign of the node services. gamma is the multiplier
     * of the hidden constraint, q' = v + M^-1 G^T gamma; it has a meaning only if
     * has_gamma. NULL: the scheme has no meaningful multipliers. */
    void (*multipliers)(void *work, const lv_state *state, double *lambda, double *gamma);
    bool has_gamma;

    /* Velocities are independent variables, as in Livens' principle: where the mass
     * matrix varies or is singular, p = L_v(q, v) holds only in the mean of a step. */
    bool own_velocities;

    /* A quantity, besides energy and momentum maps, that steps of size h keep to
     * rounding, and its name in results. NULL: there is none. */
    double (*invariant)(void *work, const lv_state *state, double h);
    const char *invariant_name;

    /* Drops everything carried from earlier steps, because the state was changed from
     * outside. */
    void (*forget)(void *work);

    /* The last step, which had size h and led from `before` to `after`, in the form that
     * dense output needs. NULL: the scheme has no dense output. */
    lv_slopes (*slopes)(void *work, const lv_state *before, const lv_state *after,
                        double h);

    /* on_groups: whether bodies move on groups. If they do, `slopes` does not describe
     * coordinates, and `inside` gives the state at the local time x, 0 to 1, of the last
     * step, which had size h and began at `before`. NULL: bodies never move on groups. */
    bool (*on_groups)(void *work);
    lv_status (*inside)(void *work, const lv_state *before, double h, double x,
                        lv_state *at, lv_error *err);

    /* Visits the stages of the last step, which had size h and led from `before` to
     * `after`. Integrals that are computed with the weights of the stages are as accurate
     * as the state. NULL: the scheme has no stages of its own, and its order is at most
     * 2. */
    void (*stages)(void *work, const lv_state *before, const lv_state *after, double h,
                   lv_stage_visit visit, void *user);

    /* The derivative of the last step as a map (q, p) -> (q, p): a matrix of 2 n x 2 n
     * numbers by rows (stepper/stepper.h). NULL: it is not available. */
    lv_status (*tangent)(void *work, double *matrix, lv_error *err);

    /* Multipliers of the nonholonomic constraints that are carried from step to step. The
     * monitor compares them with the multipliers that belong to the accelerations. NULL,
     * also as a result: none are carried. */
    const double *(*nonholonomic_multipliers)(void *work);
};

/* The table of all schemes, those of callers included; it ends with NULL. */
enum { LV_REGISTERED_MOST = 64 }; /* schemes that callers may register */
extern const lv_scheme *lv_scheme_table[];

const lv_scheme *lv_scheme_find(const char *name);

/* Finds a scheme by name and checks its options. */
lv_status lv_scheme_choose(const lv_scheme **scheme, const char *name,
                           const lv_scheme_options *options, lv_error *err);

/* The traits that make the scheme with these options refuse a system, according to its
 * descriptor. */
unsigned lv_scheme_refused_traits(const lv_scheme *scheme,
                                  const lv_scheme_options *options);

/* Refuses systems that the scheme cannot integrate; the message gives the reason and
 * names schemes that can. */
lv_status lv_scheme_fits(const lv_scheme *scheme, const lv_system *system,
                         const lv_scheme_options *options, lv_error *err);

/* LV_ERR_MODEL if there is no dense output with these options. */
lv_status lv_scheme_dense(const lv_scheme *scheme, const lv_scheme_options *options,
                          lv_error *err);

/* kept[k]: whether the scheme keeps the k-th momentum map of the system to rounding. */
lv_status lv_scheme_keeps(const lv_scheme *scheme, lv_system *system,
                          const lv_scheme_options *options, bool *kept, lv_error *err);

/* The bit of an option in lv_scheme_info.options. */
#define LV_TAKES(id) (1u << LV_OPTION_##id)

/* How the rotation of bodies is represented: the values of the option `rotations`. */
typedef enum lv_rotations_as {
    LV_ROTATIONS_DIRECTORS,
    LV_ROTATIONS_EXP,
    LV_ROTATIONS_CAY,
    LV_ROTATIONS_EXACT
} lv_rotations_as;

lv_rotations_as lv_rotations_of(const lv_scheme_options *options);

/* The system in which the scheme with these options takes its steps: `system` itself, or
 * the same system with bodies on groups. Steps that are kicks and free motions in axes as
 * coordinates are the same map on groups, where there are fewer unknowns and bodies may
 * be flat. Systems with forces that depend on velocities, nonholonomic constraints or a
 * varying mass matrix stay in coordinates, because on groups these are evaluated at other
 * velocities. */
lv_status lv_scheme_moves_in(const lv_scheme *scheme, lv_system **in, lv_system *system,
                             const lv_scheme_options *options, lv_error *err);

/* Why a given option has no effect on a model. NULL: it has an effect, or it is not
 * given. */
const char *lv_option_without_effect(lv_option option, const lv_model *model,
                                     const lv_scheme_options *options);

/* Marks options that have no effect on the model as not given. */
void lv_scheme_options_drop(lv_scheme_options *options, const lv_model *model);

/* Writes to `buffer` why the scheme is unstable with these options and returns true;
 * false: it is stable. */
bool lv_scheme_unstable(const lv_scheme *scheme, const lv_scheme_options *options,
                        char *buffer, size_t size);

/* Names in `err` the option that the error is about: the first of `candidates` that is
 * given, otherwise the first candidate. The list ends with LV_OPTIONS. Returns
 * `status`. */
lv_status lv_scheme_blame(lv_status status, const lv_scheme_options *options,
                          const lv_option *candidates, lv_error *err);

/* The number of stages given, or the default. */
int lv_scheme_stages(const lv_scheme *scheme, const lv_scheme_options *options);

#endif
