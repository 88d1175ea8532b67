/* A model made ready for integration: what kind of system it is, and the services at a node
 * (a point of time): accelerations and multipliers, momenta and velocities, projections,
 * energies. One system belongs to one simulation; it is not shared between threads.
 *
 * Signs: M a = W - d/dt L_v | v + G^T lambda, so a positive multiplier pushes along the gradient
 * of its constraint (theory 1); nonholonomic constraints push along Phi_v. Wherever constraints of
 * both kinds stand in one list, the holonomic ones come first. */
#ifndef LV_SYSTEM_SYSTEM_H
#define LV_SYSTEM_SYSTEM_H

#include "model/turns.h"
#include "system/dependence.h"
#include "system/maps.h"
#include "system/mass.h"
#include "system/plan.h"
#include "system/saddle.h"
#include "system/symmetries.h"

typedef struct lv_determined lv_determined;
typedef struct lv_dissipations lv_dissipations;

typedef struct lv_watch_program lv_watch_program;

typedef struct lv_system {
    const lv_model *
        model; /* with angles that count turns, or inputs, a copy that has their numbers here */
    lv_model *head; /* this copy; NULL: there is none */
    double *inputs; /* values of inputs, constant in a step; NULL: none */
    double
        *references; /* of these angles, constant in a step (model/turns.h); NULL: none */
    lv_turns *turns;
    lv_model *
        own; /* bodies move on groups: the model above, which is the system's; NULL: they do not */
    struct lv_system *
        still; /* and the same system in coordinates; NULL where nothing moves on groups */
    struct lv_system *self;
    struct lv_system **
        moving; /* the other way round, without and with coupled poses: NULL until asked for */
    int n;      /* coordinates, or on groups tangents: numbers of a velocity */
    int points; /* numbers of a position: coordinates, and four of each rotation */
    int m;      /* holonomic constraints */
    int rates;  /* these and the nonholonomic ones */
    bool mass_constant; /* L_vv is the same everywhere */
    bool mass_regular;  /* at the start */
    bool quadratic;     /* L is quadratic in the velocities, without linear terms */
    bool separable;     /* constant mass, p = M v, forces of q and t only */
    int constraint_degree; /* largest polynomial degree of g in q, LV_DEGREE_NONE if not one */
    bool rheonomic;        /* holonomic constraints depend on time */
    bool autonomous;       /* nothing depends on time explicitly */
    bool forced;           /* there are forces without potential */
    bool has_nonholonomic;
    bool affine; /* nonholonomic constraints are at most linear in the velocities */

    /* What the node services use. */
    lv_arena arena;
    lv_plan *node;     /* force, momentum rate, mass, rates' curve and derivatives */
    lv_plan *legendre; /* momentum, mass */
    lv_plan *place;    /* constraint, Jacobian, mass */
    lv_plan *gauge;    /* rates, their derivatives, mass */
    lv_plan *watch;    /* energies, constraint, rates */
    lv_watch_program *
        watcher; /* the same and momentum maps, if they are watched often; NULL: by plans */
    double *map_values;  /* room for momentum maps */
    int declared;        /* number of declared symmetries */
    lv_symmetries found; /* the others */
    bool renewable;      /* what is asked when numbers of the model change is kept: */
    lv_symmetry_finder *finder; /* how they were found */
    lv_maps forms;              /* momentum maps of generators that are affine in q */
    lv_plan *maps; /* of the declared ones; NULL: all of these are among the forms */
    const char **spoilt; /* NULL until lv_declared_judge was asked */
    lv_mass *mass;       /* factored at the last node, once and for all if constant */
    lv_saddle *saddle;   /* M and the derivatives of all rates */
    lv_saddle *position; /* M and G; the same where there is nothing nonholonomic */
    lv_dependence *dependence;     /* of all constraints, or of the holonomic ones */
    lv_determined *determined;     /* room for system/determined.h */
    lv_dissipations *dissipations; /* NULL until a run is watched, or there are none */
    double *work;                  /* 6 n + 2 rates numbers */
    double *
        directions; /* two of n numbers, in which coordinates are moved to see what that changes */
    int *group_end; /* of each group of coordinates, which follow each other */
    double *group_size, *group_change; /* room for lv_system_relative_size */
    /* Maps that discrete gradients keep, without and with the hidden constraint: what
     * scheme/equivariance.h has found, several schemes asking the same. NULL: not asked yet. */
    bool *equivariant[2];
} lv_system;

lv_status lv_system_create(lv_system **system, const lv_model *model, lv_error *err);
void lv_system_free(lv_system *system);

/* A system that may be used again when the model, which is alike, has other numbers (model/alike.h): so it would have been
 * made for these. false: it would have been another one, or that cannot be told, and this one is good for nothing any
 * more. `model` is the one that it was created for. */
lv_status lv_system_create_renewable(lv_system **system, const lv_model *model,
                                     lv_error *err);
bool lv_system_renew(lv_system *system, const lv_model *model);

/* Finds out what kind of system it is, as far as the numbers of the model decide it: a part of both. */
lv_status lv_system_classify(lv_system *system, lv_error *err);

/* The same system with its bodies on groups (model/moving.h), for steps and what they ask of a node; it has no momentum
 * maps, nothing to watch and no projections. coupled: poses are. It is made when it is asked for first, and freed with the system.
 * Positions have behind the coordinates a unit quaternion for each rotation, the scalar first. */
lv_status lv_system_move(const lv_system *system, bool coupled, lv_system **moving,
                         lv_error *err);

/* The coordinate that a number of a velocity belongs to; of a rotation one of its first axis. */
int lv_system_coordinate(const lv_system *system, int tangent);

/* What a number of a velocity is called: by its coordinate, of a rotation "body.omega[2]". And the name of a body
 * that moves on a group. */
const char *lv_system_tangent_text(const lv_system *system, int tangent, char *buffer,
                                   size_t size);
const char *lv_system_pose_text(const lv_system *system, int pose, char *buffer,
                                size_t size);

/* The body that a coordinate of a rotation belongs to. */
const char *lv_system_body_text(const lv_system *system, int coordinate, char *buffer,
                                size_t size);

/* Numbers in `references`. */
int lv_system_reference_count(const lv_system *system);

/* Angles that count turns begin here, or follow the motion to where a step begins. */
void lv_system_start_turns(lv_system *system, double t, const double *q, const double *v);
void lv_system_follow_turns(lv_system *system, double t, const double *q,
                            const double *v);

/* p = L_v(q, v, t) */
void lv_system_momentum(lv_system *system, double *p, double t, const double *q,
                        const double *v);

/* v with L_v(q, v, t) = p; v holds a guess on entry. */
lv_status lv_system_velocity(lv_system *system, double *v, double t, const double *q,
                             const double *p, lv_error *err);

/* Accelerations and multipliers (of all constraints) from the acceleration-level equations. Either
 * result may be NULL. */
lv_status lv_system_accelerations(lv_system *system, double *a, double *lambda, double t,
                                  const double *q, const double *v, lv_error *err);

/* The right sides of their equations, where the node plan was run last: forces less what momenta change by
 * themselves (n), and minus the curvature of the constraints. */
void lv_system_load(const lv_system *system, double *x, double *y);

/* Factors mass and saddle with the values of a plan, which has the Jacobian of the positions or the
 * derivatives of the rates. */
lv_status lv_system_factor(lv_system *system, const lv_plan *plan, double t,
                           lv_error *err);

/* w = d/dt p of the motion through (q, v) at t: forces and, with the multipliers of the accelerations,
 * those of the constraints. */
lv_status lv_system_momentum_change(lv_system *system, double *w, double t,
                                    const double *q, const double *v, lv_error *err);

/* Moves q, mass-weighted, onto g(q, t) = 0; then v onto G v + g_t = 0, Phi = 0. */
lv_status lv_system_project_position(lv_system *system, double *q, double t,
                                     lv_error *err);
lv_status lv_system_project_velocity(lv_system *system, double *v, double t,
                                     const double *q, lv_error *err);

/* Energies and largest residuals at a node. The energy is p . v - L, which is v . L_v - L where the
 * momenta belong to the velocities; some schemes keep it with momenta of their own. */
typedef struct lv_watch {
    double kinetic, potential, energy;
    double
        size; /* |p . v| + |L|, what the energy is a difference of: with T and V alone from one to
                  * three times |T| + |V| */
    double position, velocity, rolling; /* max |g|, |G v + g_t|, |Phi| */
    double
        lever; /* sum of |p| times the larger of 1 and |q|: how large momentum maps could be */
    const double *constraints, *rates; /* the residuals, */
    const double *maps; /* and momentum maps, until somebody watches again */
} lv_watch;

/* Symmetries and the plans of what is watched: a part of lv_system_create. */
lv_status lv_system_prepare_watch(lv_system *system, lv_error *err);
void lv_system_free_watch(lv_system *system);

/* For systems that are watched often: what is watched becomes one program, where there can be one. Roundings change. */
lv_status lv_system_watch_often(lv_system *system, lv_error *err);

void lv_system_watch(lv_system *system, lv_watch *watch, double t, const double *q,
                     const double *v, const double *p);

/* The holonomic constraint whose rate is largest at a node. */
int lv_system_fastest_row(lv_system *system, double t, const double *q, const double *v);

/* Momentum maps of the declared symmetries and, after them, of the found ones, from p. */
void lv_system_momentum_maps(lv_system *system, double *maps, double t, const double *q,
                             const double *p);
int lv_system_map_count(const lv_system *system);
const char *lv_system_map_name(const lv_system *system, int k);

/* "link (i = 7)": a constraint by number. */
const char *lv_system_row_name(const lv_system *system, int row, char *buffer,
                               size_t size);

/* Says that an error is about a constraint; -1: about none. */
void lv_system_blame_row(const lv_system *system, int row, lv_error *err);

/* The size of an update of all coordinates, relative to the size of the coordinates in each
 * group, or to how far they move in a step. */
double lv_system_relative_size(const lv_system *system, const double *update,
                               const double *q, const double *v, double h);

#endif
