/* What a scheme is to the rest of the library. */
#ifndef LV_SCHEME_SCHEME_H
#define LV_SCHEME_SCHEME_H

#include <livens/scheme.h>

#include "base/text.h"
#include "scheme/tableau.h"
#include "step/state.h"

/* The last step as dense output needs it: Legendre series in its local time of velocities v and forces
 * w (with those of constraints), [term][n], lv_series_terms of them; position and momentum it began
 * with. */
typedef struct lv_slopes {
    lv_closure closure;
    int degree;
    const double *v, *w;
    const double *q, *p;
    double h;
    const double *lambda; /* multipliers, [term][m], where these are polynomials, too */
    int lambda_terms;     /* 0: they are not */
} lv_slopes;

/* A stage of a step: what the scheme evaluates there counts `weight` times the step. */
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
        16, /* L has other terms in the velocities than quadratic ones */
    LV_TRAIT_VELOCITY_FORCES = 32 /* forces depend on the velocities */
};

/* A scheme refuses systems with any of these traits, always or while `option` is given and not 0. */
typedef struct lv_restriction {
    int option; /* an lv_option, or LV_ALWAYS */
    unsigned traits;
    const char *reason; /* "is composed only ...", after the name of the scheme */
    const char *hint;   /* for other options; NULL: schemes that take the system */
} lv_restriction;

enum { LV_ALWAYS = -1 };

struct lv_scheme {
    lv_scheme_info info;

    /* What it refuses besides what `info` says, and reasons that are better than the general ones; ends
     * with traits 0. NULL: nothing. */
    const lv_restriction *restrictions;
    int family; /* of coefficients, for schemes that differ in nothing else */
    bool
        moves; /* bodies may move on groups: the option `rotations` is not "directors" alone */
    double
        most_shrinking; /* steps in which G M^-1 G^T shrinks by more than this part of itself may have no solution
                         * (theory 6.3); 0: there is no such limit */
    bool
        kicks; /* its step is a kick, a free motion and a kick (scheme/partitioned_text.h) */
    void (*claims)(const lv_scheme *self, lv_claims *claims,
                   const lv_scheme_options *options);

    /* Refuses options that do not go together, with the reason; NULL: all do. */
    lv_status (*check)(const lv_scheme *self, const lv_scheme_options *options,
                       lv_error *err);

    /* Why the scheme does not have an option that one could expect of it; NULL, also as a result: there is
     * nothing to say. */
    const char *(*why_no_option)(const lv_scheme *self, lv_option option);

    /* Default of an option (except stages). NULL: every default is 0. */
    double (*default_value)(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options);

    /* Why the scheme is unstable with these options, in `buffer`; false: it is not. NULL: with none. */
    bool (*unstable)(const lv_scheme *self, const lv_scheme_options *options,
                     char *buffer, size_t size);

    /* Refuses systems for what is not a trait: numbers, or values of options. NULL: none. A hint is for
     * other options: lv_scheme_fits finds other schemes that take the system. */
    lv_status (*fits)(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err);

    /* Momentum maps of this system that are not kept although the claims have them kept: kept[k] = false.
     * NULL: none. */
    lv_status (*keeps)(const lv_scheme *self, lv_system *system, bool *kept,
                       lv_error *err);
    lv_status (*create)(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err);

    /* The tableau of the scheme; *tableau stays NULL where the options make it none. NULL: it has none. */
    lv_status (*tableau)(const lv_scheme *self, lv_tableau **tableau,
                         const lv_scheme_options *options, lv_error *err);
    void (*free)(void *work);

    /* Appends the equations of a step as a text for readers (step/write.h), as far as options alone decide them. */
    lv_status (*equations)(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err);

    /* What takes the steps. NULL: the scheme is no text of the step language. */
    struct lv_stepper *(*stepper)(void *work);

    /* One step of size h from state->t. On failure the state is untouched. Allocates nothing.
     * project: whether velocities are to be made consistent with the constraints at the end. */
    lv_status (*step)(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err);
    lv_memory_view (*memory)(void *work);

    /* The scheme's own multipliers of the last step, which has led to `state`, 0 before the first: lambda with the sign that the
     * node services have, gamma of the hidden constraint, q' = v + M^-1 G^T gamma, where has_gamma.
     * NULL: none that would mean anything. */
    void (*multipliers)(void *work, const lv_state *state, double *lambda, double *gamma);
    bool has_gamma;

    /* Velocities are those of Livens' principle: where the mass matrix varies, or is singular, p = L_v(q, v)
     * holds in the mean of a step only. */
    bool own_velocities;

    /* A quantity that steps of size h keep to rounding, besides energy and momentum maps, and what
     * results call it. NULL: none. */
    double (*invariant)(void *work, const lv_state *state, double h);
    const char *invariant_name;

    /* The state was changed from outside: forget what was carried. */
    void (*forget)(void *work);

    /* The step of size h from `before` to `after`, which was the last one, as dense output needs it. NULL: there
     * is no dense output. */
    lv_slopes (*slopes)(void *work, const lv_state *before, const lv_state *after,
                        double h);

    /* Do bodies move on groups? Then `slopes` says nothing of coordinates, and `inside` gives the state inside of the step of size
     * h from `before`, which was the last one, at the local time x, 0 to 1. NULL: never. */
    bool (*on_groups)(void *work);
    lv_status (*inside)(void *work, const lv_state *before, double h, double x,
                        lv_state *at, lv_error *err);

    /* Visits the stages of the step of size h from `before` to `after`, which was the last one. Quantities that
     * are integrated with their weights are as accurate as the state. NULL: the scheme has none of its own, and is
     * of order 2 at most. */
    void (*stages)(void *work, const lv_state *before, const lv_state *after, double h,
                   lv_stage_visit visit, void *user);

    /* The derivative of the last step as a map (q, p) -> (q, p), 2 n x 2 n numbers by rows (step/stepper.h). NULL:
     * there is none. */
    lv_status (*tangent)(void *work, double *matrix, lv_error *err);

    /* Multipliers of the nonholonomic constraints that are carried from step to step. The monitor compares them
     * with those of the accelerations. NULL (also as a result): there are none. */
    const double *(*nonholonomic_multipliers)(void *work);
};

/* Ends with NULL. */
enum { LV_REGISTERED_MOST = 64 }; /* schemes of callers */
extern const lv_scheme *lv_scheme_table[];

const lv_scheme *lv_scheme_find(const char *name);

/* Finds a scheme by name and checks its options. */
lv_status lv_scheme_choose(const lv_scheme **scheme, const char *name,
                           const lv_scheme_options *options, lv_error *err);

/* Traits of systems that the scheme refuses with these options, by its descriptor. */
unsigned lv_scheme_refused_traits(const lv_scheme *scheme,
                                  const lv_scheme_options *options);

/* Refuses systems that the scheme cannot integrate, with the reason and schemes that can. */
lv_status lv_scheme_fits(const lv_scheme *scheme, const lv_system *system,
                         const lv_scheme_options *options, lv_error *err);

/* LV_ERR_MODEL if there is no dense output with these options. */
lv_status lv_scheme_dense(const lv_scheme *scheme, const lv_scheme_options *options,
                          lv_error *err);

/* kept[k]: whether the scheme keeps the k-th momentum map of the system to rounding. */
lv_status lv_scheme_keeps(const lv_scheme *scheme, lv_system *system,
                          const lv_scheme_options *options, bool *kept, lv_error *err);

/* The bit of an option in lv_scheme_info.options: .options = LV_TAKES(STAGES) | ... */
#define LV_TAKES(id) (1u << LV_OPTION_##id)

/* How bodies turn: the values of the option `rotations`. */
typedef enum lv_rotations_as {
    LV_ROTATIONS_DIRECTORS,
    LV_ROTATIONS_EXP,
    LV_ROTATIONS_CAY,
    LV_ROTATIONS_EXACT
} lv_rotations_as;

lv_rotations_as lv_rotations_of(const lv_scheme_options *options);

/* The system that the steps of a scheme with these options move in: itself, or the same with bodies on groups. With
 * axes as coordinates, steps that are kicks and free motions are the same map on groups, where fewer numbers are
 * unknown and bodies may be flat; but forces that depend on velocities, nonholonomic constraints, and mass matrices
 * that vary are taken at other velocities there, so that such systems stay in coordinates. */
lv_status lv_scheme_moves_in(const lv_scheme *scheme, lv_system **in, lv_system *system,
                             const lv_scheme_options *options, lv_error *err);

/* Why an option that is given has no effect on a system; NULL: it has one, or is not given. */
const char *lv_option_without_effect(lv_option option, const lv_system *system,
                                     const lv_scheme_options *options);

/* Options that have no effect on the system are as if they were not given. */
void lv_scheme_options_drop(lv_scheme_options *options, const lv_system *system);

/* Why the scheme is unstable with these options, in `buffer`; false: it is not. */
bool lv_scheme_unstable(const lv_scheme *scheme, const lv_scheme_options *options,
                        char *buffer, size_t size);

/* Says which option an error is about: the first of `candidates`, which end with LV_OPTIONS, that is given, or
 * the first one. Returns the status. */
lv_status lv_scheme_blame(lv_status status, const lv_scheme_options *options,
                          const lv_option *candidates, lv_error *err);

/* The number of stages given, or the default. */
int lv_scheme_stages(const lv_scheme *scheme, const lv_scheme_options *options);

#endif
