/* A model prepared for integration: its properties (which kind of system it is) and the
 * services at a node (a point of time): accelerations and multipliers, momenta and
 * velocities, projections, energies. A system belongs to one simulation; threads do not
 * share it.
 *
 * Signs: M a = W - d/dt L_v | v + G^T lambda, so a positive multiplier pushes along the
 * gradient of its constraint (theory 1); nonholonomic constraints push along Phi_v. In
 * lists of constraints of both kinds the holonomic ones come first. */
#ifndef LV_SYSTEM_SYSTEM_H
#define LV_SYSTEM_SYSTEM_H

#include "model/turns.h"
#include "plan/plan.h"
#include "system/dependence.h"
#include "system/maps.h"
#include "system/mass.h"
#include "system/saddle.h"
#include "system/symmetries.h"

typedef struct lv_determined lv_determined;
typedef struct lv_dissipations lv_dissipations;

typedef struct lv_watch_program lv_watch_program;

typedef struct lv_system {
    /* The model: the caller's, or `head` or `own`, which belong to the system */
    const lv_model *model;
    /* Shallow copy of the caller's model that refers to `inputs` and `references`; NULL
     * if the model has neither inputs nor angles that count turns */
    lv_model *head;
    double *inputs; /* values of the model's inputs, constant in a step; NULL: none */
    /* References of angles that count turns, constant in a step (model/turns.h); NULL:
     * none */
    double *references;
    lv_turns *turns;
    /* If bodies move on groups: their model, owned by this system; otherwise NULL */
    lv_model *own;
    /* If bodies move on groups: the same system in coordinates, borrowed; otherwise
     * NULL */
    struct lv_system *still;
    struct lv_system *self; /* this system; not const, so that `still` can refer to it */
    /* The same system with bodies on groups, [0] without and [1] with coupled poses;
     * owned, NULL until asked for */
    struct lv_system **moving;
    int n; /* numbers of a velocity: coordinates, or tangents if bodies move on groups */
    /* Numbers of a position: coordinates, and on groups four for each rotation */
    int points;
    int m;                /* number of holonomic constraints */
    int constraint_count; /* number of constraints of both kinds */
    bool mass_constant;   /* L_vv does not depend on q, v or t */
    bool mass_regular;    /* L_vv is regular at the start */
    bool quadratic;       /* L is quadratic in the velocities, without linear terms */
    bool separable; /* constant mass matrix, p = M v, forces depend on q and t only */
    /* Largest polynomial degree of g in q; LV_DEGREE_NONE if one is no polynomial */
    int constraint_degree;
    bool rheonomic;  /* holonomic constraints depend on time */
    bool autonomous; /* nothing depends on time explicitly */
    bool forced;     /* there are forces without potential */
    bool has_nonholonomic;
    bool affine; /* nonholonomic constraints are at most linear in the velocities */

    /* Plans, factors and work space of the services at a node. */
    lv_arena arena;
    /* Force, momentum rate, mass, time derivative of the rates at constant v, and their
     * gradients */
    lv_plan *dynamics_plan;
    lv_plan *legendre;      /* momentum, mass */
    lv_plan *position_plan; /* constraint, Jacobian, mass */
    lv_plan *velocity_plan; /* rates, their derivatives by v, mass */
    lv_plan *monitor_plan;  /* energies, constraint, rates */
    /* One program for the same quantities and momentum maps, made by
     * lv_system_watch_often; NULL: plans are used */
    lv_watch_program *watcher;
    /* The same with comparisons, made by lv_system_compare_often; NULL: there is none */
    lv_watch_program *comparer;
    /* The same for several states, made by lv_system_compare_in_lanes; NULL: there are
     * none */
    struct lv_watch_lanes *compare_lanes;
    double *map_values;  /* momentum maps of the last lv_system_watch */
    int declared;        /* number of declared symmetries */
    lv_symmetries found; /* symmetries that are not declared */
    bool renewable;      /* made by lv_system_create_renewable: `finder` is kept */
    /* Finds `found` again after numbers of the model have changed; NULL unless
     * renewable */
    lv_symmetry_finder *finder;
    lv_maps forms; /* momentum maps of generators that are affine in q */
    /* Momentum maps of the declared symmetries; NULL: all of them are in `forms` */
    lv_plan *maps;
    /* By declared symmetry: why it is none, or NULL; the array is NULL until
     * lv_declared_judge was called */
    const char **spoilt;
    lv_mass *mass; /* mass matrix, factored at the last node, or once if it is constant */
    lv_saddle *saddle; /* equations with M and the gradients of all constraints */
    /* Equations with M and G; equal to `saddle` if there are no nonholonomic
     * constraints */
    lv_saddle *position;
    /* Work space to find dependent constraints, of all or of the holonomic ones */
    lv_dependence *dependence;
    lv_determined *determined; /* work space of system/determined.h */
    /* NULL until a run is monitored, or if there are none */
    lv_dissipations *dissipations;
    double *work; /* 6 n numbers and 2 for each constraint */
    /* Two vectors of n numbers: directions in which coordinates are moved to see what
     * changes */
    double *directions;
    int *group_end; /* by group of coordinates: one past its last velocity number */
    double *group_size, *group_change; /* work space of lv_system_relative_size */
    /* By momentum map: do discrete gradients keep it, without [0] and with [1] the hidden
     * constraint? Cached results of scheme/equivariance.h; NULL: not asked yet. */
    bool *equivariant[2];
} lv_system;

lv_status lv_system_create(lv_system **system, const lv_model *model, lv_error *err);
void lv_system_free(lv_system *system);

/* A renewable system may be used again after numbers of the model have changed
 * (model/alike.h): lv_system_renew makes it equal to one that is created for the present
 * numbers. It returns false if such a system would be of another kind, or if that cannot
 * be decided; the system must then be freed. `model` is the one that it was created
 * for. */
lv_status lv_system_create_renewable(lv_system **system, const lv_model *model,
                                     lv_error *err);
bool lv_system_renew(lv_system *system, const lv_model *model);

/* Determines the properties that depend on numbers of the model. Called by
 * lv_system_create and lv_system_renew. */
lv_status lv_system_classify(lv_system *system, lv_error *err);

/* The same system with its bodies on groups (model/moving.h), for steps and for what they
 * need at a node. It has no momentum maps, no monitoring and no projections. `coupled`:
 * poses of bodies are coupled groups (rotation and position together). It is created on
 * the first call and freed with the system. Positions have a unit quaternion for each
 * rotation behind the coordinates, the scalar first. */
lv_status lv_system_move(const lv_system *system, bool coupled, lv_system **moving,
                         lv_error *err);

/* The coordinate that a velocity number belongs to; for a rotation, a coordinate of its
 * first axis. */
int lv_system_coordinate(const lv_system *system, int tangent);

/* The name of a velocity number: that of its coordinate, or "body.omega[2]" for a
 * rotation. And the name of a body that moves on a group. */
const char *lv_system_tangent_text(const lv_system *system, int tangent, char *buffer,
                                   size_t size);
const char *lv_system_pose_text(const lv_system *system, int pose, char *buffer,
                                size_t size);

/* The body that a coordinate of a rotation belongs to. */
const char *lv_system_body_text(const lv_system *system, int coordinate, char *buffer,
                                size_t size);

/* Numbers in `references`. */
int lv_system_reference_count(const lv_system *system);

/* Sets the references of angles that count turns at the start of a motion; updates them
 * where a step begins. */
void lv_system_start_turns(lv_system *system, double t, const double *q, const double *v);
void lv_system_follow_turns(lv_system *system, double t, const double *q,
                            const double *v);

/* p = L_v(q, v, t) */
void lv_system_momentum(lv_system *system, double *p, double t, const double *q,
                        const double *v);

/* Finds v with L_v(q, v, t) = p; v holds an initial guess on entry. */
lv_status lv_system_velocity(lv_system *system, double *v, double t, const double *q,
                             const double *p, lv_error *err);

/* Accelerations and multipliers of all constraints from the acceleration-level equations.
 * Either result may be NULL. */
lv_status lv_system_accelerations(lv_system *system, double *a, double *lambda, double t,
                                  const double *q, const double *v, lv_error *err);

/* The right sides of these equations at the point where the dynamics plan was run last: x
 * (n numbers) is the force minus the momentum rate, y (one per constraint) minus the time
 * derivative of the rates at constant velocities. */
void lv_system_load(const lv_system *system, double *x, double *y);

/* Factors the mass matrix and the saddle equations with the results of a plan that has
 * the Jacobian of the positions or the derivatives of the rates. */
lv_status lv_system_factor(lv_system *system, const lv_plan *plan, double t,
                           lv_error *err);

/* w = d/dt p of the motion through (q, v) at t: the forces plus the constraint forces
 * with the multipliers of lv_system_accelerations. */
lv_status lv_system_momentum_change(lv_system *system, double *w, double t,
                                    const double *q, const double *v, lv_error *err);

/* Moves q, mass-weighted, onto g(q, t) = 0; then v onto G v + g_t = 0, Phi = 0. */
lv_status lv_system_project_position(lv_system *system, double *q, double t,
                                     lv_error *err);
lv_status lv_system_project_velocity(lv_system *system, double *v, double t,
                                     const double *q, lv_error *err);

/* Energies and largest residuals at a node. The energy is p . v - L, which is v . L_v - L
 * where the momenta belong to the velocities; some schemes keep it with momenta of their
 * own. */
typedef struct lv_watch {
    double kinetic, potential, energy;
    /* |p . v| + |L|, the scale of the energy, which is a difference of these; one to
     * three times |T| + |V| if there are no other terms */
    double size;
    double position, velocity, rolling; /* max |g|, |G v + g_t|, |Phi| */
    /* Sum of |p| max(1, |q|), the scale of momentum maps */
    double lever;
    const double *constraints, *rates; /* residuals, valid until the next call */
    const double *maps;                /* momentum maps, valid until the next call */
} lv_watch;

/* Finds symmetries and makes the plans for lv_system_watch. Called by
 * lv_system_create. */
lv_status lv_system_prepare_watch(lv_system *system, lv_error *err);
void lv_system_free_watch(lv_system *system);

/* Compiles everything that lv_system_watch evaluates into one program, if possible: for
 * systems that are watched often. Roundings change. */
lv_status lv_system_watch_often(lv_system *system, lv_error *err);
lv_status lv_system_compare_often(lv_system *system, lv_error *err);

/* After it: the same program for several states at once, if there can be one. */
lv_status lv_system_compare_in_lanes(lv_system *system, lv_error *err);

void lv_system_watch(lv_system *system, lv_watch *watch, double t, const double *q,
                     const double *v, const double *p);

/* The holonomic constraint with the largest rate |G v + g_t| at a node. */
int lv_system_fastest_row(lv_system *system, double t, const double *q, const double *v);

/* Momentum maps of the declared symmetries, then of the found ones, from p. */
void lv_system_momentum_maps(lv_system *system, double *maps, double t, const double *q,
                             const double *p);
int lv_system_map_count(const lv_system *system);
const char *lv_system_map_name(const lv_system *system, int k);

/* "link (i = 7)": a constraint by number. */
const char *lv_system_row_name(const lv_system *system, int row, char *buffer,
                               size_t size);

/* Records in the error that it concerns this constraint; -1: none. */
void lv_system_blame_row(const lv_system *system, int row, lv_error *err);

/* The size of an update of all coordinates, relative in each group to the size of its
 * coordinates plus their displacement in a step, h v. *largest receives the largest
 * |number| of the update; NaN if one is not finite. */
double lv_system_relative_size(const lv_system *system, const double *update,
                               const double *q, const double *v, double h,
                               double *largest);

#endif
