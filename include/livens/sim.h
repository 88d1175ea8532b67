/* Simulations: a model in motion. A simulation belongs to one thread; many may share a model. */
#ifndef LIVENS_SIM_H
#define LIVENS_SIM_H

#include "inspect.h"
#include "model.h"
#include "scheme.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lv_sim lv_sim;

/* What to do about a start that violates the constraints. */
typedef enum lv_initial {
    LV_INITIAL_CHECK, /* refuse it, and say what consistent values would be */
    LV_INITIAL_PROJECT /* move positions and velocities onto the constraints, mass-weighted */
} lv_initial;

/* Fill with lv_sim_options_default, which takes the model's own wishes, then change. */
typedef struct lv_sim_options {
    const char *scheme;
    lv_scheme_options options;
    double step;
    lv_initial initial;
    bool dense;         /* keep what lv_sim_sample and lv_sim_indicator need */
    size_t reserved[8]; /* zeros, for later versions */
} lv_sim_options;

/* Dense output: the polynomials of the scheme themselves, which may jump at the ends of a step, or
 * (smoother, and as a rule more accurate) integrals of what they make of velocities and forces. */
typedef enum lv_sample { LV_SAMPLE_INTEGRATED, LV_SAMPLE_RAW } lv_sample;

/* How far a body was moved: its centre, the angle by which it was turned, its velocity, its angular velocity. */
typedef struct lv_body_change {
    char name[80];
    double position, angle, velocity, angular_velocity;
} lv_body_change;

/* "body 'rod' by 0.1, turned by 0.02 rad, velocity by 0.3": what is not 0. */
LV_API const char *lv_body_change_text(const lv_body_change *change, char *buffer,
                                       size_t size);

/* How far LV_INITIAL_PROJECT moves a start: the largest change of a coordinate and of a velocity, and which
 * coordinate that is, by number; -1: none changes. Coordinates of bodies do not count: of bodies, those that were
 * moved most. */
enum { LV_BODY_CHANGES = 4 };
typedef struct lv_start_change {
    bool projected; /* false: nothing was to be moved */
    double position, velocity;
    int position_coordinate, velocity_coordinate;
    int moved; /* bodies; the first of these: */
    lv_body_change bodies[LV_BODY_CHANGES];
    size_t reserved[4]; /* for later versions */
} lv_start_change;

LV_API lv_sim_options lv_sim_options_default(const lv_model *model);

/* The model must outlive the simulation. LV_ERR_MODEL if the scheme does not fit the system or
 * the start is inconsistent. Free with lv_sim_free. */
LV_API LV_NODISCARD lv_status lv_sim_create(lv_sim **sim, const lv_model *model,
                                            const lv_sim_options *options, lv_error *err);
LV_API void lv_sim_free(lv_sim *sim);

/* Whether simulations that are created from now on may run machine code that is made of their
 * formulas: they may unless this is called with false. Results are the same to the last bit. Where
 * there is no such code, because the machine has another processor or refuses executable memory,
 * formulas are interpreted anyway. For all threads; call it before others create simulations. */
LV_API void lv_native_enable(bool enabled);

/* The start that a simulation takes, without one: positions and velocities, arrays of
 * lv_model_coordinate_count numbers, and how far they were moved; any result may be NULL. LV_ERR_MODEL if
 * a simulation would refuse the start; results are then not written. */
LV_API LV_NODISCARD lv_status lv_model_start(const lv_model *model, lv_initial initial,
                                             double *q, double *v,
                                             lv_start_change *change, lv_error *err);

/* How far the simulation's start was moved. */
LV_API lv_start_change lv_sim_start_change(const lv_sim *sim);

/* What the scheme promises that the model wishes in [run], with the options there. LV_ERR_MODEL, with
 * the place in the file, if there is no such scheme, or if it does not take the options or give the samples. */
LV_API LV_NODISCARD lv_status lv_model_claims(lv_claims *claims, const lv_model *model,
                                              lv_error *err);

/* LV_OK if the scheme that the model wishes in [run], with the options there, takes the model; "lobatto"
 * where it wishes none. LV_ERR_MODEL as above, or with the reason why the scheme does not take it. */
LV_API LV_NODISCARD lv_status lv_model_try_scheme(const lv_model *model, lv_error *err);

/* fits[k]: whether the k-th scheme (as lv_scheme_describe counts them) takes the model, with its
 * default options; for k < count. */
LV_API LV_NODISCARD lv_status lv_model_fitting_schemes(const lv_model *model, bool *fits,
                                                       int count, lv_error *err);

/* The same, and which momentum maps each of them keeps (as lv_model_kept_momenta says it, which would take as long
 * for every scheme): kept[k * maps + i] for the k-th scheme and the i-th map, true for schemes that do not take
 * the model. `maps` is momentum_count of the inspection. */
LV_API LV_NODISCARD lv_status lv_model_survey_schemes(const lv_model *model, bool *fits,
                                                      int count, bool *kept, int maps,
                                                      lv_error *err);

/* The same for a model that was inspected, which takes less time than to begin anew; maps is momentum_count. */
LV_API LV_NODISCARD lv_status lv_inspection_survey_schemes(lv_inspection *inspection,
                                                           bool *fits, int count,
                                                           bool *kept, lv_error *err);

/* Which schemes take the model with these options. None does if an option has no effect on it, as `rotations` where
 * nothing turns in space. */
LV_API LV_NODISCARD lv_status
lv_inspection_fitting_schemes(lv_inspection *inspection, const lv_scheme_options *options,
                              bool *fits, int count, lv_error *err);

/* Looks at the start and at a few dozen steps of the model's own scheme and size, or of others where these are not given
 * or not possible. A motion that cannot go on is no failure: the result says why. */
LV_API LV_NODISCARD lv_status lv_inspection_probe(lv_inspection *inspection,
                                                  lv_probe_info *info, lv_error *err);

/* kept[k]: whether a scheme with these options keeps the k-th momentum map of the model to rounding (as
 * lv_inspection counts them), for k < count. Discrete gradients have symmetries that formulas show: a
 * symmetry of a sum of terms that have it only together may not be among them. */
LV_API LV_NODISCARD lv_status lv_model_kept_momenta(const lv_model *model,
                                                    const char *scheme,
                                                    const lv_scheme_options *options,
                                                    bool *kept, int count, lv_error *err);

/* One step of the simulation's own size. On failure the state is what it was, bit for bit.
 * Allocates nothing: all memory is taken by lv_sim_create, room for other pivots and for dependent
 * constraints included. Only very large sparse systems, whose factors might take more than a million
 * entries, reserve no more than 8 times what they usually need; should other pivots ever need more,
 * memory grows in that step. (Builds with UMFPACK take memory where that is used.) */
LV_API LV_NODISCARD lv_status lv_sim_step(lv_sim *sim, lv_error *err);

/* So many steps of the simulation's own size, one after the other; after a failure the state is that of the last good
 * one. Fewer where an event ends the simulation. Callers for whom a call costs much take blocks. */
LV_API LV_NODISCARD lv_status lv_sim_step_many(lv_sim *sim, long long count,
                                               lv_error *err);

/* Steps until the time is reached, or an event ends the simulation; the last step is shortened to land on it. Nothing happens if it is the
 * present time. LV_ERR_USAGE if it lies in the past or is not finite. */
LV_API LV_NODISCARD lv_status lv_sim_advance(lv_sim *sim, double until, lv_error *err);

/* Steps have this size from now on; t counts from where the simulation stands. Allocates nothing. LV_ERR_USAGE if it is not
 * positive and finite. */
LV_API LV_NODISCARD lv_status lv_sim_set_step(lv_sim *sim, double step, lv_error *err);
LV_API double lv_sim_step_size(const lv_sim *sim);

/* The current state; arrays of lv_model_coordinate_count numbers. They stay where they are as long as the simulation
 * lives: after a step they have the new state. */
LV_API double lv_sim_time(const lv_sim *sim);
LV_API long long lv_sim_steps(const lv_sim *sim);
LV_API const double *lv_sim_position(const lv_sim *sim);
LV_API const double *lv_sim_velocity(const lv_sim *sim);
LV_API const double *lv_sim_momentum(const lv_sim *sim);

/* The state at a time within the last step, for simulations with options.dense; any result may be NULL.
 * LV_ERR_USAGE outside of it. At the end of the step it is the state itself. */
LV_API LV_NODISCARD lv_status lv_sim_sample(const lv_sim *sim, double t, lv_sample kind,
                                            double *q, double *v, double *p,
                                            lv_error *err);

/* How far the polynomials of the scheme (LV_SAMPLE_RAW) were from a motion in the last step, for
 * simulations with options.dense: the sizes of their jumps at both ends, and the root mean squares over
 * the step of what they miss the equations of motion by, times the step; positions and momenta added as
 * numbers, whatever their units. It shrinks with the step h as the error of the polynomials, h^(m+1)
 * for degree m, h^m with continuity C; errors at the nodes are far smaller. Use it to compare steps. */
LV_API LV_NODISCARD lv_status lv_sim_indicator(const lv_sim *sim, double *value,
                                               lv_error *err);

/* Replaces the state; momenta follow from the velocities. */
LV_API LV_NODISCARD lv_status lv_sim_set_state(lv_sim *sim, double t, const double *q,
                                               const double *v, lv_error *err);

/* Sets an input of the model: `count` numbers, 1 for a scalar. It has this value from the next step on, until it is set
 * again, and nothing is made anew. Positions and momenta stay as they are; velocities follow where the kinetic energy
 * depends on the input, and are moved onto constraints on velocities that do. The energy this takes counts as work of
 * the input. LV_ERR_USAGE if the model has no such input, if a value is not finite, or if a holonomic constraint would be
 * violated; then nothing changes. Takes no memory. What is known of the last step alone, samples and its tangent, is
 * known again after the next one. */
LV_API LV_NODISCARD lv_status lv_sim_set_input(lv_sim *sim, const char *name,
                                               const double *values, int count,
                                               lv_error *err);

/* The same for all inputs, one after another: lv_model_input_count numbers, in the order of lv_model_input_describe. */
LV_API LV_NODISCARD lv_status lv_sim_set_inputs(lv_sim *sim, const double *values,
                                                int count, lv_error *err);

/* External generalised forces, lv_model_force_count numbers: they act from the next step on, until they are set again,
 * and are zero before. For models of lv_model_with_forces; LV_ERR_USAGE for others, whose steps cost nothing more. They are
 * the input "external" of such a model, so they are saved, copied and recorded as inputs are, and their work is called
 * "external". NULL from lv_sim_force: the model takes none. */
LV_API LV_NODISCARD lv_status lv_sim_set_force(lv_sim *sim, const double *force,
                                               int count, lv_error *err);
LV_API const double *lv_sim_force(const lv_sim *sim);

/* Sets a parameter: `count` numbers, 1 for a scalar; parameters that are formulas of it follow. Model and system are made
 * anew for that, which takes as long as lv_model_read and lv_sim_create together: make an input of what changes often.
 * The model that the caller has stays as it is. Positions and momenta go on, velocities follow where kinetic energies
 * change, inputs stay; work counts anew. LV_ERR_USAGE if sizes depend on the parameter, if a holonomic constraint would
 * be violated, or in a run; then nothing changes. States go on where they are; what other functions have returned of the
 * simulation is gone. A state that was saved belongs to the values of parameters that it was saved with. */
LV_API LV_NODISCARD lv_status lv_sim_set_parameter(lv_sim *sim, const char *name,
                                                   const double *values, int count,
                                                   lv_error *err);
LV_API const double *lv_sim_parameter(const lv_sim *sim, const char *name);

/* The present values: of all inputs, and of one by name; NULL: there is none. Valid as long as the simulation. */
LV_API const double *lv_sim_inputs(const lv_sim *sim);
LV_API const double *lv_sim_input(const lv_sim *sim, const char *name);

/* The complete state of a simulation, as lv_sim_save_count numbers: time, steps, its step, positions, velocities and
 * momenta, inputs, what the scheme carries and expects, turns of angles, the work done. A simulation of the same model (with the same
 * values of its parameters), scheme, options and step goes on from them bit for bit, whether it is the same one or
 * another one, now or in another process of the same build. LV_ERR_USAGE for numbers of other simulations, and for
 * another count; the state is then what it was. Nothing is taken from the heap. What is known of the last step alone,
 * samples, its own multipliers and its tangent, is known again after the next one. */
LV_API int lv_sim_save_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_save(const lv_sim *sim, double *numbers, int count,
                                          lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_restore(lv_sim *sim, const double *numbers,
                                             int count, lv_error *err);

/* The state of `from` becomes that of `sim`, as if it had been saved and restored. */
LV_API LV_NODISCARD lv_status lv_sim_copy(lv_sim *sim, const lv_sim *from, lv_error *err);

/* The exact derivative of the last step as a map of (q, p): a matrix of 2 n x 2 n numbers by rows, n being
 * lv_model_coordinate_count, whose first n rows and columns belong to q and whose last ones to p. Directions that leave
 * the constraints are mapped, too: as the equations of the scheme map them. Multipliers of nonholonomic constraints
 * that are carried from step to step are held. Where bodies move on groups a change of their axes is taken as the rotation
 * next to it, so that images keep axes orthonormal and momenta those of velocities; the form dq_a.dp_b - dq_b.dp_a of
 * such directions is that of the group. LV_ERR_USAGE if there was no step since the simulation was created or
 * its state replaced; LV_ERR_MODEL for schemes whose steps have no derivative yet. Takes memory, and the time of a
 * step and 2 n solutions. */
LV_API LV_NODISCARD lv_status lv_sim_tangent(lv_sim *sim, double *matrix, lv_error *err);

/* What was derived from the equations of the scheme (lv_scheme_equations) for this system, as text for readers: for
 * every group of unknowns that are solved for together how many numbers they are, whether linear, their equations and
 * the definitions that become known with them; what is assigned at the end of a step; how often forces are evaluated.
 * Free with lv_equations_free. */
LV_API LV_NODISCARD lv_status lv_sim_equations(char **text, const lv_sim *sim,
                                               lv_error *err);

/* Multipliers of the constraints at the current state, holonomic ones first, from the
 * acceleration-level equations: the constraint force is the gradient of the constraint (in the
 * velocities, for nonholonomic ones) times its multiplier. */
LV_API int lv_sim_constraint_count(const lv_sim *sim);
LV_API int lv_sim_holonomic_count(const lv_sim *sim); /* of them, the first ones */
LV_API LV_NODISCARD lv_status lv_sim_multipliers(const lv_sim *sim, double *lambda,
                                                 lv_error *err);

/* Multipliers of the last step as the scheme has them, zeros before the first: lambda, with the sign of
 * lv_sim_multipliers, and gamma of the hidden constraints (zeros where the scheme has none), both of
 * lv_sim_constraint_count numbers. false, and nothing is written: the scheme has none. */
LV_API bool lv_sim_step_multipliers(const lv_sim *sim, double *lambda, double *gamma);

/* Multipliers of the nonholonomic constraints that the scheme carries from step to step; NULL: it carries
 * none. Valid until the next call that changes the state. */
LV_API const double *lv_sim_carried_multipliers(const lv_sim *sim);

typedef struct lv_energies {
    double kinetic, potential;
    double total; /* v . dL/dv - L */
} lv_energies;

LV_API lv_energies lv_sim_energies(const lv_sim *sim);

/* Work since the simulation began, or since its state was replaced: of forces, of constraints that depend on time (and
 * nonholonomic ones that are not linear in the velocities), of energies that do. Everything of one name counts
 * together, a family as one. lv_sim_work has lv_sim_work_count numbers, valid as long as the state is; NULL where
 * nothing does work. lv_sim_work_name: the name of the k-th, NULL out of range. */
LV_API int lv_sim_work_count(const lv_sim *sim);
LV_API const char *lv_sim_work_name(const lv_sim *sim, int k);
LV_API const double *lv_sim_work(const lv_sim *sim);

/* The energy less that of the beginning and all work: an error of the order of the scheme; 0 where nothing does
 * work. */
LV_API double lv_sim_balance(const lv_sim *sim);

/* Largest |g|, and largest |dg/dt| or nonholonomic residual, at the current state; either may be NULL. */
LV_API void lv_sim_residuals(const lv_sim *sim, double *position, double *velocity);

/* An output of the model at the current state, or at the end of a run. */
typedef struct lv_output {
    const char *name;
    int length; /* 0: a scalar */
    const double *values;
} lv_output;

/* What a body, joint, motor or rolling contact shows: quantities with names, each a scalar (length 0) or
 * a vector. Bodies: position, quaternion (w first), rotation (9 numbers, row by row), velocity, angular_velocity (body
 * axes); in the plane position, angle, velocity, angular_velocity. Joints: force and torque on the second of the two,
 * in space axes at the point of the joint, and angle or shift. */
typedef struct lv_part_result {
    const char *section; /* "bodies", "joints", "motors", "rolling" */
    const char *name;
    int count;
    const lv_output *values;
    /* Joints: how many components of force and torque nothing determines, because joints depend on each
     * other; those given are of least norm. */
    int open_forces, open_torques;
} lv_part_result;

/* The outputs of the model, and what its bodies, joints, motors and rolling contacts show, at the current state: *count of
 * them. Arrays belong to the simulation, their values until the next call of the same function. The first call takes
 * memory. open_forces and open_torques are not found out: they are 0. */
LV_API LV_NODISCARD lv_status lv_sim_outputs(const lv_sim *sim, const lv_output **outputs,
                                             int *count, lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_parts(const lv_sim *sim,
                                           const lv_part_result **parts, int *count,
                                           lv_error *err);

/* Momentum maps, of declared symmetries first, then of those that were found: their values at the current state,
 * `count` of them; the name of the k-th, NULL out of range. */
LV_API int lv_sim_momentum_map_count(const lv_sim *sim);
LV_API const char *lv_sim_momentum_map_name(const lv_sim *sim, int k);
LV_API LV_NODISCARD lv_status lv_sim_momentum_maps(const lv_sim *sim, double *values,
                                                   int count, lv_error *err);

/* Accelerations at the current state, lv_model_coordinate_count numbers, from the same equations as
 * lv_sim_multipliers. */
LV_API LV_NODISCARD lv_status lv_sim_accelerations(const lv_sim *sim, double *a,
                                                   lv_error *err);

/* A sparse matrix by rows: row r has the columns column[start[r]] to column[start[r + 1] - 1], and their values. It
 * belongs to the simulation, values until the next call of the same function. */
typedef struct lv_sparse {
    int rows, columns;
    const int *start, *column;
    const double *values;
    size_t reserved[4]; /* for later versions */
} lv_sparse;

/* At the current state: the mass matrix d2L/dv2, symmetric with both halves; and the gradients of the constraints,
 * a row for each of lv_sim_constraint_count, in the coordinates for holonomic ones, which come first, and in the
 * velocities for the others. */
LV_API LV_NODISCARD lv_status lv_sim_mass_matrix(const lv_sim *sim, lv_sparse *matrix,
                                                 lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_constraint_matrix(const lv_sim *sim,
                                                       lv_sparse *matrix, lv_error *err);

/* Iterations of the nonlinear solver in the last step. */
LV_API int lv_sim_iterations(const lv_sim *sim);

/* Events of the model ([events]). They happen within steps, which end there and go on: lv_sim_step still advances by
 * the size of the step, unless an event ends the simulation, which then stands at its time. Further steps are refused
 * with LV_ERR_USAGE until lv_sim_set_state or lv_sim_restore gives the simulation another state. */
typedef struct lv_event_info {
    const char *name;
    long long count;    /* how often it has happened, */
    double first, last; /* when first and last; NAN: never */
    bool jumps;         /* it changes velocities */
    size_t reserved[4];
} lv_event_info;

LV_API int lv_sim_event_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_event(const lv_sim *sim, int k, lv_event_info *info,
                                           lv_error *err);

/* What was changed from outside since the simulation began, or since its state was replaced: inputs, parameters and the
 * step, each with how often and when. What schemes promise holds between changes; the energy that a change takes is work
 * of the input. What is set before the first step is no change. */
typedef struct lv_change_info {
    const char *kind;   /* "input", "parameter", "step" */
    const char *name;   /* of the input or parameter; "step" */
    long long count;    /* how often it has changed, */
    double first, last; /* when first and last */
    size_t reserved[4];
} lv_change_info;

LV_API int lv_sim_change_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_change(const lv_sim *sim, int k,
                                            lv_change_info *info, lv_error *err);

/* Number of the event that has ended the simulation; -1: none has. */
LV_API int lv_sim_stopped(const lv_sim *sim);

/* Called right after every event, whose number it gets; what it returns, if not LV_OK, is the failure of the step. NULL:
 * nobody is called. It may ask the simulation whatever is const or in the state, and must not advance it. */
typedef lv_status lv_event_call(void *user, const lv_sim *sim, int event, lv_error *err);
LV_API void lv_sim_on_event(lv_sim *sim, lv_event_call *call, void *user);

/* Forgets what past steps have shown: the next step takes its initial guess from the state alone, as the first
 * one does. For steps that follow an event, and to measure what past steps are worth. */
LV_API void lv_sim_forget(lv_sim *sim);

/* The polynomials of the scheme in the last step at local time x, 0 at its start and 1 at its end. Set what is
 * wanted, leave the others NULL. */
typedef struct lv_step_point {
    double *q, *p;           /* of the kind that was asked for */
    double *q_rate, *p_rate; /* derivatives of the raw polynomials in the local time */
    double *
        lambda; /* multipliers, lv_sim_holonomic_count of them; NAN where they are no polynomials */
    size_t reserved[4]; /* zeros, for later versions */
} lv_step_point;

/* For simulations with options.dense, after a step; LV_ERR_USAGE for others, and for x outside of 0 to 1. */
LV_API LV_NODISCARD lv_status lv_sim_step_point(const lv_sim *sim, lv_step_point *point,
                                                double x, lv_sample kind, lv_error *err);

/* ---- the system at any state; that of the simulation does not change ------------------------------ */

/* p = dL/dv */
LV_API LV_NODISCARD lv_status lv_sim_momentum_at(const lv_sim *sim, double *p, double t,
                                                 const double *q, const double *v,
                                                 lv_error *err);

/* v with dL/dv = p; on entry it holds a guess, which may be zeros where L is quadratic in the velocities.
 * LV_ERR_NUMERIC if the mass matrix is singular there. */
LV_API LV_NODISCARD lv_status lv_sim_velocity_at(const lv_sim *sim, double *v, double t,
                                                 const double *q, const double *p,
                                                 lv_error *err);

/* The total energy is p . v - L, which for p = dL/dv is that of the state. */
LV_API LV_NODISCARD lv_status lv_sim_energies_at(const lv_sim *sim, lv_energies *energies,
                                                 double t, const double *q,
                                                 const double *v, const double *p,
                                                 lv_error *err);

/* g of the holonomic constraints, and of all constraints dg/dt or the nonholonomic residual; either may be
 * NULL. They have lv_sim_holonomic_count and lv_sim_constraint_count numbers. */
LV_API LV_NODISCARD lv_status lv_sim_constraints_at(const lv_sim *sim, double *position,
                                                    double *velocity, double t,
                                                    const double *q, const double *v,
                                                    lv_error *err);

/* force = G^T lambda: what constraints with these multipliers (lv_sim_constraint_count of them) push with, in the
 * coordinates of the model. */
LV_API LV_NODISCARD lv_status lv_sim_constraint_force_at(const lv_sim *sim, double *force,
                                                         double t, const double *q,
                                                         const double *v,
                                                         const double *lambda,
                                                         lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
