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

/* How to treat a start that violates the constraints. */
typedef enum lv_initial {
    LV_INITIAL_CHECK,  /* refuse it; the error says which values would be consistent */
    LV_INITIAL_PROJECT /* project both onto the constraints, weighted by the masses */
} lv_initial;

/* Fill with lv_sim_options_default, which takes the values of [run] in the model, then
 * change. */
typedef struct lv_sim_options {
    const char *scheme;
    lv_scheme_options options;
    double step;
    lv_initial initial;
    bool dense;         /* store what lv_sim_sample and lv_sim_indicator need */
    size_t reserved[8]; /* zeros, for later versions */
} lv_sim_options;

/* Kind of dense output. RAW: the polynomials of the scheme, which may jump at the ends of
 * a step. INTEGRATED: integrals of the velocities and forces along these polynomials,
 * which are smoother and usually more accurate. */
typedef enum lv_sample { LV_SAMPLE_INTEGRATED, LV_SAMPLE_RAW } lv_sample;

/* Sizes of the changes of a body by a projection: of its centre, its orientation (an
 * angle), its velocity and its angular velocity. */
typedef struct lv_body_change {
    char name[80];
    double position, angle, velocity, angular_velocity;
} lv_body_change;

/* Describes the changes that are not 0: "body 'rod' by 0.1, turned by 0.02 rad, velocity
 * by 0.3". Returns buffer. */
LV_API const char *lv_body_change_text(const lv_body_change *change, char *buffer,
                                       size_t size);

/* How far LV_INITIAL_PROJECT moved a start: the largest change of a coordinate and of a
 * velocity, and the number of that coordinate; -1 if none changed. Coordinates of bodies
 * are not counted there: `bodies` lists the bodies that were moved most. */
enum { LV_BODY_CHANGES = 4 };
typedef struct lv_start_change {
    bool projected; /* false: nothing had to be moved */
    double position, velocity;
    int position_coordinate, velocity_coordinate;
    /* number of bodies that were moved; `bodies` lists those that were moved most */
    int moved;
    lv_body_change bodies[LV_BODY_CHANGES];
    size_t reserved[4]; /* for later versions */
} lv_start_change;

LV_API lv_sim_options lv_sim_options_default(const lv_model *model);

/* Creates a simulation at the start of the model, which must outlive it. LV_ERR_MODEL if
 * the scheme does not fit the system or the start is inconsistent. Free with
 * lv_sim_free. */
LV_API LV_NODISCARD lv_status lv_sim_create(lv_sim **sim, const lv_model *model,
                                            const lv_sim_options *options, lv_error *err);
LV_API void lv_sim_free(lv_sim *sim);

/* Sets whether simulations that are created from now on may compile their formulas to
 * machine code; the default is true. Results are the same to the last bit. Formulas are
 * interpreted where there is no machine code, because the machine has another processor
 * or refuses executable memory. The setting holds for all threads; call this before other
 * threads create simulations. */
LV_API void lv_native_enable(bool enabled);

/* Computes the start of a simulation without creating one: positions and velocities,
 * arrays of lv_model_coordinate_count numbers, and how far they were moved. Any result
 * may be NULL. LV_ERR_MODEL if a simulation would refuse the start; results are then not
 * written. */
LV_API LV_NODISCARD lv_status lv_model_start(const lv_model *model, lv_initial initial,
                                             double *q, double *v,
                                             lv_start_change *change, lv_error *err);

/* How far the start of the simulation was moved. */
LV_API lv_start_change lv_sim_start_change(const lv_sim *sim);

/* The claims of the scheme that [run] of the model names, with the options given there.
 * LV_ERR_MODEL, with the place in the file, if there is no such scheme, or if it does not
 * accept these options or the `sample` of the model. */
LV_API LV_NODISCARD lv_status lv_model_claims(lv_claims *claims, const lv_model *model,
                                              lv_error *err);

/* Returns LV_OK if the scheme that [run] of the model names ("lobatto" if it names none),
 * with the options given there, accepts the model. LV_ERR_MODEL as above, or with the
 * reason why the scheme does not accept it. */
LV_API LV_NODISCARD lv_status lv_model_try_scheme(const lv_model *model, lv_error *err);

/* Sets fits[k] to whether the k-th scheme (as counted by lv_scheme_describe) accepts the
 * model with its default options, for k < count. */
LV_API LV_NODISCARD lv_status lv_model_fitting_schemes(const lv_model *model, bool *fits,
                                                       int count, lv_error *err);

/* Does the same, and sets kept[k * maps + i] to whether the k-th scheme keeps the i-th
 * momentum map (see lv_model_kept_momenta, which takes as long for a single scheme). It
 * is true for schemes that do not accept the model. `maps` is momentum_count of the
 * inspection. */
LV_API LV_NODISCARD lv_status lv_model_survey_schemes(const lv_model *model, bool *fits,
                                                      int count, bool *kept, int maps,
                                                      lv_error *err);

/* Does the same for an inspected model, which takes less time. kept has momentum_count
 * entries per scheme. */
LV_API LV_NODISCARD lv_status lv_inspection_survey_schemes(lv_inspection *inspection,
                                                           bool *fits, int count,
                                                           bool *kept, lv_error *err);

/* Sets fits[k] to whether the k-th scheme accepts the model with these options. It is
 * false for all schemes if an option has no effect on the model, as `rotations` if
 * nothing turns in space. */
LV_API LV_NODISCARD lv_status
lv_inspection_fitting_schemes(lv_inspection *inspection, const lv_scheme_options *options,
                              bool *fits, int count, lv_error *err);

/* Examines the start and a short motion of a few dozen steps. The scheme and the step are
 * those of the model if it gives them and they can be used. A motion that cannot go on is
 * no failure: the result says why. */
LV_API LV_NODISCARD lv_status lv_inspection_probe(lv_inspection *inspection,
                                                  lv_probe_info *info, lv_error *err);

/* Sets kept[k] to whether a scheme with these options keeps the k-th momentum map of the
 * model to rounding (numbered as in lv_inspection), for k < count. Discrete gradients
 * keep the symmetries that single formulas have: a symmetry that only a sum of terms has
 * may not be among them. */
LV_API LV_NODISCARD lv_status lv_model_kept_momenta(const lv_model *model,
                                                    const char *scheme,
                                                    const lv_scheme_options *options,
                                                    bool *kept, int count, lv_error *err);

/* Makes one step of the simulation's step size. If it fails, the state is bitwise
 * unchanged. It allocates nothing: lv_sim_create takes all memory, including room for
 * other pivots and for dependent constraints. Only very large sparse systems, whose
 * factors might take more than a million entries, reserve no more than 8 times what they
 * usually need. If other pivots ever need more, memory grows in that step. (Builds with
 * UMFPACK take memory where it is used.) */
LV_API LV_NODISCARD lv_status lv_sim_step(lv_sim *sim, lv_error *err);

/* Makes `count` steps of the simulation's step size. After a failure the state is that of
 * the last successful step. There are fewer steps if an event ends the simulation. This
 * is for callers for whom each call is expensive. */
LV_API LV_NODISCARD lv_status lv_sim_step_many(lv_sim *sim, long long count,
                                               lv_error *err);

/* Makes steps until the given time is reached or an event ends the simulation. The last
 * step is shortened to end at that time. Nothing happens if it is the current time.
 * LV_ERR_USAGE if it lies in the past or is not finite. */
LV_API LV_NODISCARD lv_status lv_sim_advance(lv_sim *sim, double until, lv_error *err);

/* Sets the size of all further steps. Times of nodes are counted from the current time.
 * Allocates nothing. LV_ERR_USAGE if the size is not positive and finite. */
LV_API LV_NODISCARD lv_status lv_sim_set_step(lv_sim *sim, double step, lv_error *err);
LV_API double lv_sim_step_size(const lv_sim *sim);

/* The current state; arrays of lv_model_coordinate_count numbers. The pointers stay valid
 * as long as the simulation lives; after a step the arrays hold the new state. */
LV_API double lv_sim_time(const lv_sim *sim);
LV_API long long lv_sim_steps(const lv_sim *sim);
LV_API const double *lv_sim_position(const lv_sim *sim);
LV_API const double *lv_sim_velocity(const lv_sim *sim);
LV_API const double *lv_sim_momentum(const lv_sim *sim);

/* The state at a time t within the last step, for simulations with options.dense. Any
 * result may be NULL. LV_ERR_USAGE if t lies outside of that step. At its end the result
 * is the state itself. */
LV_API LV_NODISCARD lv_status lv_sim_sample(const lv_sim *sim, double t, lv_sample kind,
                                            double *q, double *v, double *p,
                                            lv_error *err);

/* An error indicator of the last step, for simulations with options.dense: how far the
 * polynomials of the scheme (LV_SAMPLE_RAW) are from a solution. It is the sum of their
 * jumps at both ends and of the root mean square residuals of the equations of motion
 * over the step, times the step. Positions and momenta are added as numbers, whatever
 * their units. It shrinks with the step h as the error of the polynomials does: as
 * h^(m+1) for degree m, and as h^m with continuity C. Errors at the nodes are far
 * smaller. Use it to compare steps. */
LV_API LV_NODISCARD lv_status lv_sim_indicator(const lv_sim *sim, double *value,
                                               lv_error *err);

/* Replaces the state; momenta are computed from the velocities. */
LV_API LV_NODISCARD lv_status lv_sim_set_state(lv_sim *sim, double t, const double *q,
                                               const double *v, lv_error *err);

/* Sets an input of the model to `count` numbers, 1 for a scalar. The value holds from the
 * next step on, until it is set again. Positions and momenta stay as they are. Velocities
 * change if the kinetic energy depends on the input, and are projected onto velocity
 * constraints that depend on it. The energy of this change counts as work of the input.
 * LV_ERR_USAGE if the model has no such input, if a value is not finite, or if a
 * holonomic constraint would be violated; then nothing changes. Allocates nothing.
 * Samples and the tangent, which belong to the last step, are not available until the
 * next step is done. */
LV_API LV_NODISCARD lv_status lv_sim_set_input(lv_sim *sim, const char *name,
                                               const double *values, int count,
                                               lv_error *err);

/* Sets all inputs: lv_model_input_count numbers, in the order of
 * lv_model_input_describe. */
LV_API LV_NODISCARD lv_status lv_sim_set_inputs(lv_sim *sim, const double *values,
                                                int count, lv_error *err);

/* Sets the external generalised forces, lv_model_force_count numbers. They act from the
 * next step on, until they are set again, and are zero at first. LV_ERR_USAGE if the
 * model was not made by lv_model_with_forces. The forces are the input "external" of such
 * a model, so they are saved, copied and recorded as inputs are, and their work is called
 * "external". lv_sim_force returns NULL if the model takes no forces. */
LV_API LV_NODISCARD lv_status lv_sim_set_force(lv_sim *sim, const double *force,
                                               int count, lv_error *err);
LV_API const double *lv_sim_force(const lv_sim *sim);

/* Sets a parameter to `count` numbers, 1 for a scalar, and with it all parameters that
 * are formulas of it. The simulation makes a new model and system, which takes as long as
 * lv_model_read and lv_sim_create together: use an input for what changes often. The
 * caller's model does not change. Positions, momenta and inputs are kept. Velocities
 * change if the kinetic energy does. Work is counted from zero again. LV_ERR_USAGE if
 * sizes depend on the parameter, if a holonomic constraint would be violated, or if the
 * call comes from within a run; then nothing changes. The state arrays (lv_sim_position,
 * ...) stay valid; pointers that other functions have returned for this simulation do
 * not. Restore a saved
 * state only with the parameter values that it was saved with. */
LV_API LV_NODISCARD lv_status lv_sim_set_parameter(lv_sim *sim, const char *name,
                                                   const double *values, int count,
                                                   lv_error *err);
LV_API const double *lv_sim_parameter(const lv_sim *sim, const char *name);

/* The current values of all inputs, or of one by name; NULL: there is none. Valid as long
 * as the simulation. */
LV_API const double *lv_sim_inputs(const lv_sim *sim);
LV_API const double *lv_sim_input(const lv_sim *sim, const char *name);

/* Saves and restores the complete state of a simulation as lv_sim_save_count numbers:
 * time, number of steps, step size, positions, velocities, momenta, inputs, what the
 * scheme carries from step to step, initial guesses, turns of angles, and work. Any
 * simulation of the same model (with the same parameter values), scheme, options and step
 * continues from them bit for bit, now or in another process of the same build.
 * LV_ERR_USAGE for numbers of other simulations or another count; the state is then
 * unchanged. No memory is allocated. Samples, multipliers and the tangent of the last
 * step are not saved; they are available again after the next step. */
LV_API int lv_sim_save_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_save(const lv_sim *sim, double *numbers, int count,
                                          lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_restore(lv_sim *sim, const double *numbers,
                                             int count, lv_error *err);

/* Gives `sim` the state of `from`, as lv_sim_save and lv_sim_restore would. */
LV_API LV_NODISCARD lv_status lv_sim_copy(lv_sim *sim, const lv_sim *from, lv_error *err);

/* The exact derivative of the last step as a map of (q, p): a matrix of 2 n x 2 n numbers
 * by rows, n being lv_model_coordinate_count. The first n rows and columns belong to q,
 * the last n to p. Directions that leave the constraints are mapped as well, as the
 * equations of the scheme map them. Multipliers of nonholonomic constraints that are
 * carried from step to step are treated as constants. If bodies move on groups, a change
 * of their axes is replaced by the nearest rotation, so that images keep the axes
 * orthonormal and the momenta consistent with velocities; the form dq_a.dp_b - dq_b.dp_a
 * of such directions is that of the group. LV_ERR_USAGE if there was no step since the
 * simulation was created or its state replaced; LV_ERR_MODEL for schemes whose steps have
 * no derivative yet. Allocates memory, and takes the time of a step and 2 n linear
 * solves. */
LV_API LV_NODISCARD lv_status lv_sim_tangent(lv_sim *sim, double *matrix, lv_error *err);

/* Describes how a step of this system is solved, as text for readers; it is derived from
 * the equations of the scheme (lv_scheme_equations). For every group of unknowns that are
 * solved for together it lists their number, whether the equations are linear, the
 * equations, and the definitions that become known with them; then what is assigned at
 * the end of a step, and how often forces are evaluated. Free with lv_equations_free. */
LV_API LV_NODISCARD lv_status lv_sim_equations(char **text, const lv_sim *sim,
                                               lv_error *err);

/* Multipliers of the constraints at the current state, holonomic ones first, from the
 * acceleration-level equations. The constraint force is the multiplier times the gradient
 * of the constraint (by the velocities, for nonholonomic ones). `lambda` has
 * lv_sim_constraint_count numbers. */
LV_API int lv_sim_constraint_count(const lv_sim *sim);
LV_API int lv_sim_holonomic_count(const lv_sim *sim); /* the first rows are holonomic */
LV_API LV_NODISCARD lv_status lv_sim_multipliers(const lv_sim *sim, double *lambda,
                                                 lv_error *err);

/* Multipliers of the last step as the scheme computes them, zeros before the first step:
 * lambda, with the sign of lv_sim_multipliers, and gamma of the hidden constraints (zeros
 * if the scheme has none). Both have lv_sim_constraint_count numbers. Returns false and
 * writes nothing if the scheme has no multipliers. */
LV_API bool lv_sim_step_multipliers(const lv_sim *sim, double *lambda, double *gamma);

/* Multipliers of the nonholonomic constraints that the scheme carries from step to step;
 * NULL: it carries none. Valid until the next call that changes the state. */
LV_API const double *lv_sim_carried_multipliers(const lv_sim *sim);

typedef struct lv_energies {
    double kinetic, potential;
    double total; /* v . dL/dv - L */
} lv_energies;

LV_API lv_energies lv_sim_energies(const lv_sim *sim);

/* Work since the simulation began or its state was replaced: of forces, of constraints
 * that depend on time or are nonholonomic and not linear in the velocities, and of
 * energies that depend on time. All terms of one name, and all members of a family, are
 * added up. lv_sim_work returns lv_sim_work_count numbers, valid until the state changes;
 * NULL if nothing does work. lv_sim_work_name returns the name of the k-th; NULL out of
 * range. */
LV_API int lv_sim_work_count(const lv_sim *sim);
LV_API const char *lv_sim_work_name(const lv_sim *sim, int k);
LV_API const double *lv_sim_work(const lv_sim *sim);

/* The energy minus its initial value and minus all work. This is an error of the order of
 * the scheme; it is 0 if nothing does work. */
LV_API double lv_sim_balance(const lv_sim *sim);

/* Largest |g|, and largest |dg/dt| or nonholonomic residual, at the current state; either may be NULL. */
LV_API void lv_sim_residuals(const lv_sim *sim, double *position, double *velocity);

/* An output of the model at the current state, or at the end of a run. */
typedef struct lv_output {
    const char *name;
    int length; /* 0: a scalar */
    const double *values;
} lv_output;

/* Results of a body, joint, motor or rolling contact: named quantities, each a scalar
 * (length 0) or a vector. Bodies have position, quaternion (w first), rotation (9
 * numbers, row by row), velocity and angular_velocity (in body axes); in the plane
 * position, angle, velocity and angular_velocity. Joints have force and torque on the
 * second of their two bodies, in space axes at the point of the joint, and angle or
 * shift. */
typedef struct lv_part_result {
    const char *section; /* "bodies", "joints", "motors", "rolling" */
    const char *name;
    int count;
    const lv_output *values;
    /* Joints: number of components of force and torque that are not determined because
     * joints depend on each other. The values given for these have the least norm. */
    int open_forces, open_torques;
} lv_part_result;

/* The outputs of the model, and the results of its bodies, joints, motors and rolling
 * contacts, at the current state; *count is their number. The arrays belong to the
 * simulation; their values are valid until the next call of the same function. The first
 * call allocates memory. open_forces and open_torques are always 0 here. */
LV_API LV_NODISCARD lv_status lv_sim_outputs(const lv_sim *sim, const lv_output **outputs,
                                             int *count, lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_parts(const lv_sim *sim,
                                           const lv_part_result **parts, int *count,
                                           lv_error *err);

/* Momentum maps: those of declared symmetries, then those of symmetries that livens
 * found. lv_sim_momentum_maps writes their values at the current state, `count` of them;
 * lv_sim_momentum_map_name returns the name of the k-th, NULL out of range. */
LV_API int lv_sim_momentum_map_count(const lv_sim *sim);
LV_API const char *lv_sim_momentum_map_name(const lv_sim *sim, int k);
LV_API LV_NODISCARD lv_status lv_sim_momentum_maps(const lv_sim *sim, double *values,
                                                   int count, lv_error *err);

/* Accelerations at the current state, lv_model_coordinate_count numbers, from the same equations as
 * lv_sim_multipliers. */
LV_API LV_NODISCARD lv_status lv_sim_accelerations(const lv_sim *sim, double *a,
                                                   lv_error *err);

/* A sparse matrix by rows: row r has the columns column[start[r]] to column[start[r + 1]
 * - 1], with the values at the same indices. It belongs to the simulation; its values are
 * valid until the next call of the same function. */
typedef struct lv_sparse {
    int rows, columns;
    const int *start, *column;
    const double *values;
    size_t reserved[4]; /* for later versions */
} lv_sparse;

/* Matrices at the current state. The mass matrix is d2L/dv2, symmetric, with both halves
 * stored. The constraint matrix has a row for each of lv_sim_constraint_count: the
 * gradient by the coordinates for holonomic constraints, which come first, and by the
 * velocities for the others. */
LV_API LV_NODISCARD lv_status lv_sim_mass_matrix(const lv_sim *sim, lv_sparse *matrix,
                                                 lv_error *err);
LV_API LV_NODISCARD lv_status lv_sim_constraint_matrix(const lv_sim *sim,
                                                       lv_sparse *matrix, lv_error *err);

/* Iterations of the nonlinear solver in the last step. */
LV_API int lv_sim_iterations(const lv_sim *sim);

/* Events of the model ([events]). A step in which an event happens is divided there:
 * lv_sim_step still advances by the step size, unless an event ends the simulation, which
 * then stays at the time of the event. Further steps are refused with LV_ERR_USAGE until
 * lv_sim_set_state or lv_sim_restore gives the simulation another state. */
typedef struct lv_event_info {
    const char *name;
    long long count;    /* how often it has happened */
    double first, last; /* times of its first and last occurrence; NAN: never */
    bool jumps;         /* it changes velocities */
    size_t reserved[4];
} lv_event_info;

LV_API int lv_sim_event_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_event(const lv_sim *sim, int k, lv_event_info *info,
                                           lv_error *err);

/* What was changed from outside since the simulation began or its state was replaced: an
 * input, a parameter or the step, with how often and when. Claims of schemes hold between
 * changes; the energy of a change counts as work of the input. Values that are set before
 * the first step are no changes. */
typedef struct lv_change_info {
    const char *kind;   /* "input", "parameter", "step" */
    const char *name;   /* name of the input or parameter; "step" */
    long long count;    /* how often it has changed */
    double first, last; /* times of the first and the last change */
    size_t reserved[4];
} lv_change_info;

LV_API int lv_sim_change_count(const lv_sim *sim);
LV_API LV_NODISCARD lv_status lv_sim_change(const lv_sim *sim, int k,
                                            lv_change_info *info, lv_error *err);

/* Number of the event that has ended the simulation; -1: none has. */
LV_API int lv_sim_stopped(const lv_sim *sim);

/* A function that is called right after every event, with the number of the event. A
 * return value other than LV_OK makes the step fail. NULL: no function is called. The
 * function may call whatever takes a const simulation, and must not advance it. */
typedef lv_status lv_event_call(void *user, const lv_sim *sim, int event, lv_error *err);
LV_API void lv_sim_on_event(lv_sim *sim, lv_event_call *call, void *user);

/* Discards the history of past steps: the next step takes its initial guess from the
 * state alone, as the first step does. Useful after an event, and to measure what the
 * history is worth. */
LV_API void lv_sim_forget(lv_sim *sim);

/* The polynomials of the scheme in the last step at local time x, which is 0 at its start
 * and 1 at its end. Set the pointers of the results that are wanted and leave the others
 * NULL. */
typedef struct lv_step_point {
    double *q, *p;           /* of the kind that is passed to lv_sim_step_point */
    double *q_rate, *p_rate; /* derivatives of the raw polynomials by the local time */
    /* multipliers, lv_sim_holonomic_count numbers; NAN if the scheme has no polynomials
     * for them */
    double *lambda;
    size_t reserved[4]; /* zeros, for later versions */
} lv_step_point;

/* Evaluates the polynomials after a step, for simulations with options.dense.
 * LV_ERR_USAGE for others, and for x outside of 0 to 1. */
LV_API LV_NODISCARD lv_status lv_sim_step_point(const lv_sim *sim, lv_step_point *point,
                                                double x, lv_sample kind, lv_error *err);

/* ---- the system at any state; the state of the simulation does not change ---------- */

/* p = dL/dv */
LV_API LV_NODISCARD lv_status lv_sim_momentum_at(const lv_sim *sim, double *p, double t,
                                                 const double *q, const double *v,
                                                 lv_error *err);

/* Finds v with dL/dv = p. On entry v holds an initial guess, which may be zeros if L is
 * quadratic in the velocities. LV_ERR_NUMERIC if the mass matrix is singular there. */
LV_API LV_NODISCARD lv_status lv_sim_velocity_at(const lv_sim *sim, double *v, double t,
                                                 const double *q, const double *p,
                                                 lv_error *err);

/* Energies of a state. The total energy is p . v - L, which is that of the state if p =
 * dL/dv. */
LV_API LV_NODISCARD lv_status lv_sim_energies_at(const lv_sim *sim, lv_energies *energies,
                                                 double t, const double *q,
                                                 const double *v, const double *p,
                                                 lv_error *err);

/* Residuals of the constraints: `position` is g of the holonomic constraints
 * (lv_sim_holonomic_count numbers), `velocity` is dg/dt of these and then the residual of
 * the nonholonomic ones (lv_sim_constraint_count numbers). Either may be NULL. */
LV_API LV_NODISCARD lv_status lv_sim_constraints_at(const lv_sim *sim, double *position,
                                                    double *velocity, double t,
                                                    const double *q, const double *v,
                                                    lv_error *err);

/* force = G^T lambda: the generalised constraint force of these multipliers
 * (lv_sim_constraint_count numbers), in the coordinates of the model. */
LV_API LV_NODISCARD lv_status lv_sim_constraint_force_at(const lv_sim *sim, double *force,
                                                         double t, const double *q,
                                                         const double *v,
                                                         const double *lambda,
                                                         lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
