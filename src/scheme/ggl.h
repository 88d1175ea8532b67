/* What the schemes of the Gear-Gupta-Leimkuhler principle share (theory 6): the step, its unknowns
 * and what past steps let expect of them. The equations are in ggl_em.c and ggl_em_plain.c (em); those of vi-a,
 * vi-b, vi-b2 and vi-s are texts of the step language in variational.c. The descriptors are in ggl_members.c.
 *
 * All is scaled: u = h v, lambda by h^2, gamma by h, momenta by h. Signs of multipliers are those of the
 * source, the force being -G^T lambda; they stay inside. */
#ifndef LV_SCHEME_GGL_H
#define LV_SCHEME_GGL_H

#include "scheme/scheme.h"
#include "solve/newton.h"
#include "step/held.h"
#include "step/history.h"
#include "system/assembly.h"
#include "system/condensed.h"
#include "system/quadratic.h"

/* One member of the family, with its options. */
typedef struct lv_ggl_member {
    bool ends;    /* option B: constraint at q1, its forces at q0 and q1; else option A */
    double theta; /* where forces are taken */
    double kappa; /* option B: the part of the constraint force at q1 */
    bool projection;  /* of the momenta onto the hidden constraint after every step */
    double half_kick; /* h times force that is added to p before the first step */
} lv_ggl_member;

/* lv_scheme.family */
enum { LV_GGL_S, LV_GGL_A, LV_GGL_B, LV_GGL_B2, LV_GGL_EM };

lv_ggl_member lv_ggl_member_of(const lv_scheme *self, const lv_scheme_options *options);

/* For tests, which compare all ways: from now on, in the whole process, general equations are taken where simpler ones
 * would do, and quadratic constraints are evaluated like others. */
void lv_ggl_force_general(bool general);
bool lv_ggl_is_general(void);

/* Methods of lv_scheme, in ggl.c; descriptors are in ggl_members.c. */
lv_status lv_ggl_create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err);
void lv_ggl_free(void *work);
lv_status lv_ggl_step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err);
lv_memory_view lv_ggl_memory(void *work);
void lv_ggl_forget(void *work);
void lv_ggl_multipliers(void *work, double *lambda, double *gamma);

typedef struct lv_ggl lv_ggl;

typedef struct lv_ggl_methods {
    size_t size; /* of the work space, which begins with an lv_ggl */
    lv_newton_equations equations;

    /* Plans, patterns, room, matrix; `done` also after a failure. */
    lv_status (*prepare)(lv_ggl *w, lv_error *err);
    void (*done)(lv_ggl *w);

    /* A step begins: what does not depend on the unknowns. NULL: nothing. */
    void (*start)(lv_ggl *w);

    /* Evaluates all that the end of the step needs, which is all but the residuals. */
    void (*look)(lv_ggl *w);

    /* The step is solved and evaluated: q1 to w->q, h (p1 - p0) to w->momentum, with w->livens also v1 to
     * w->velocity. */
    void (*arrive)(lv_ggl *w);

    /* A formula without a finite value where the iteration ended: LV_ERR_DOMAIN, with its place. */
    lv_status (*diagnose)(lv_ggl *w, lv_error *err);
} lv_ggl_methods;

extern const lv_ggl_methods lv_ggl_em, lv_ggl_em_plain;

/* Contraction above which energy-momentum schemes take the better matrix: what a slow iteration leaves
 * behind adds up in the energy. */
#define LV_GGL_EM_SLOW 2e-3

/* Newton matrices, each better than the one before: masses and constraints alone, with the matrix
 * G M^-1 G^T of the multipliers; blocks of coordinates that are joined by forces, inverted; all of it. */
typedef enum lv_ggl_level { LV_GGL_CHEAP, LV_GGL_CONDENSED, LV_GGL_FULL } lv_ggl_level;

struct lv_ggl {
    const lv_ggl_methods *methods;
    lv_ggl_member member;
    lv_system *system;
    lv_arena arena;
    int n, m;
    int gammas;    /* m, or 0 where gamma vanishes and is left out */
    bool livens;   /* velocities are those of Livens' principle, not M^-1 p */
    bool shifted;  /* w->lambda is lambda - 2 gamma */
    bool polished; /* gamma is found once more at the end, unless the matrix was whole */
    bool varying;  /* the mass matrix depends on the point */
    bool diagonal; /* it is constant, without coupling */
    bool points;   /* point masses: a Jacobian serves as its weighted self */
    bool probing;  /* this step shows how fast it contracts */
    bool by_velocity; /* forces at `point` depend on the velocity */
    bool drifted;     /* drift is that of this step */
    lv_mass *mass;    /* to solve with: the system's, or one of its own where it varies */
    lv_schur *own_schur;   /* where the mass is constant */
    const lv_schur *schur; /* that, or the system's; NULL: the mass has large blocks */
    const lv_pattern *g, *mass_pattern;
    lv_plan *
        end; /* constraint, time derivative and Jacobian; `quadratic` asks it now and then */
    lv_quadratic *quadratic; /* of constraints that are so and do not move; may be NULL */
    lv_plan *inertia;        /* the mass matrix where it varies; else NULL */
    lv_assembly *matrix;     /* of the unknowns q, lambda, gamma and what a member adds */
    lv_linear *cheap;        /* LV_GGL_CHEAP; NULL: not for this system */
    lv_condensed *condensed; /* LV_GGL_CONDENSED; likewise */
    lv_ggl_level level;      /* of the matrix that is built now */
    int since;               /* the pass from which on */
    double serious;          /* for how many steps a cheaper one is not enough */
    lv_newton newton;
    lv_range_of lambda_at, gamma_at; /* where these stand among the unknowns */
    lv_held held;

    /* The step under way. */
    const lv_state *from;
    double h;
    const double *p0;  /* momenta at its start */
    double *kicked;    /* room for them, where it begins with a kick */
    double *drift;     /* h M(q0)^-1 p0, where one has asked for it */
    double *g0;        /* Jacobian at its start, in `memory` */
    const double *w0;  /* weighted: G0 M(q0)^-1 */
    double *weighed;   /* room for that */
    const double *gap; /* constraint at q1, where the last evaluation was */
    const double *g1;  /* Jacobian there */
    lv_quadratic_place
        known; /* in `memory`: where quadratic constraints were evaluated */
    double *followed_gap, *followed, *turned; /* room for what follows from that */
    double *q, *lambda, *gamma;               /* the unknowns */
    double *dq;                               /* q - q0 */
    double *u;
    double *point, *velocity; /* where forces are evaluated */
    double *push;             /* h^2 times all forces but those of lambda */
    double *inertial;         /* mass times u, or what stands for it */
    double *momentum;         /* h (p1 - p0), then p1 */
    double *moved;            /* room to measure corrections with */
    double *spread;           /* room for lv_ggl_spread */
    double *expected;         /* what the history holds, as one list */

    lv_history history; /* of dq without what was known of it, lambda and gamma */
    double *memory;     /* what a checkpoint holds; the history is its end */
};

/* Numbers in `memory`; lambda and gamma of the last step follow, with the signs and units that others see,
 * then dq / h of the last step, the Jacobian at its end, whose last bits depend on the way there, the place
 * from which quadratic constraints are followed, and the history. */
enum {
    LV_GGL_STARTED,
    LV_GGL_SERIOUS,
    LV_GGL_LEVEL,
    LV_GGL_RATE,
    LV_GGL_STEP,
    LV_GGL_COUNT, /* steps of a round, in which some things are done once or now and then */
    LV_GGL_KNOWN, /* the Jacobian belongs to the current state */
    LV_GGL_BEND, /* how much gradients of quadratic constraints turn on the way of a unit */
    LV_GGL_SQUARED, /* first correction of which constraints that bend leave nothing */
    LV_GGL_LARGEST, /* for steps up to this size */
    LV_GGL_CARRIED
};

/* `sizes[k]` numbers, zeroed, to `*blocks[k]`. */
lv_status lv_ggl_room(lv_ggl *w, double **const *blocks, const int *sizes, int count,
                      lv_error *err);

/* Values of the mass matrix: constant, or at a point. */
const double *lv_ggl_mass(lv_ggl *w, const double *q, double t);

/* y += c M x with these values. */
void lv_ggl_multiply(const lv_ggl *w, const double *values, double c, const double *x,
                     double *y);

/* w->inertial = c M x */
void lv_ggl_inertia(lv_ggl *w, const double *values, double c, const double *x);

/* G M^-1 with the mass factored last, in `room`; or G itself, for point masses and where the mass has large
 * blocks. */
const double *lv_ggl_weigh(const lv_ggl *w, double *room, const double *g);

/* y += M^-1 G^T x with what that returned; with large blocks by the mass factored last. */
void lv_ggl_spread(lv_ggl *w, double *y, const double *weighted, const double *x);

/* For lv_newton_equations: unknowns q, lambda, gamma in this order. */
void lv_ggl_begin(void *work, lv_beginning beginning);
double lv_ggl_measure(void *work);
void lv_ggl_move(void *work, double fraction);
bool lv_ggl_settled(void *work);

/* Solution with the matrix of all unknowns. */
bool lv_ggl_factor(lv_ggl *w);
void lv_ggl_solve(void *work);

/* In ggl_ends.c. Plan, pattern and second derivatives of the constraints; how many numbers of `memory` the place
 * takes from which they are followed. */
lv_status lv_ggl_make_ends(lv_ggl *w, lv_error *err);
int lv_ggl_known_size(const lv_ggl *w);

/* Constraints at q0, where the last step did not end there or it is time to look. */
void lv_ggl_evaluate_start(lv_ggl *w);

/* Constraint and Jacobian at q1, as w->gap and w->g1; where they may move also the time derivative, by
 * w->end. */
void lv_ggl_evaluate_end(lv_ggl *w, const double *q1);

/* Where there is w->quadratic: the Jacobian once more, after the correction `moved` of q1. */
void lv_ggl_turn_end(lv_ggl *w, const double *moved);

/* newton.squared where the matrix is the derivative. */
double lv_ggl_squared(const lv_ggl *w);

/* In ggl_level.c. Cheap matrices are enough where forces hardly change within a step, for constant masses; condensed ones
 * where forces couple few coordinates each. Makes room for both, `stiffness` being the pattern of what forces
 * add to the mass matrix; decides which the next one shall be, remembering for some steps what was
 * not enough; factors c G(q1) M^-1 G^T with the latter Jacobian weighted. */
lv_status lv_ggl_make_cheap(lv_ggl *w, const lv_pattern *stiffness, lv_error *err);
lv_ggl_level lv_ggl_choose_level(lv_ggl *w);
bool lv_ggl_factor_cheap(lv_ggl *w, double c, const double *weighted);

/* The level that a step begins with: that of the one before, or after some time a cheaper one. Whether it shall
 * show how fast the cheap matrix contracts; what it has shown. */
lv_ggl_level lv_ggl_first_level(const lv_ggl *w);
bool lv_ggl_shall_probe(const lv_ggl *w);
void lv_ggl_learn(lv_ggl *w);

/* Dependent constraints: which multipliers are held in the step that begins; whether the solved one satisfies
 * the constraints all the same. */
void lv_ggl_hold(lv_ggl *w);
lv_status lv_ggl_check_agreement(lv_ggl *w, lv_error *err);

enum { LV_GGL_ROUND = 64 };

static inline int lv_ggl_count(const lv_ggl *w)
{
    const double count = w->memory[LV_GGL_COUNT];
    return count >= 0 && count < LV_GGL_ROUND ? (int)count : 0;
}

static inline double lv_ggl_time(const lv_ggl *w, double theta)
{
    return w->from->t + theta * w->h;
}

#endif
