/* The frozen model. */
#ifndef LV_MODEL_MODEL_H
#define LV_MODEL_MODEL_H

#include <livens/model.h>

#include "expr/elaborate.h"
#include "model/kernel.h"
#include "model/names.h"
#include "model/sweep_plan.h"

typedef struct lv_parameter {
    const lv_item *item;
    int length;      /* 0: scalar */
    int first;       /* number of its first value */
    bool structural; /* sizes depend on it: fixed once the model is read */
} lv_parameter;

/* An input as declared. */
typedef struct lv_model_input {
    const lv_item *item;
    int length;     /* 0: scalar */
    int first;      /* number of its first value */
    unsigned roles; /* of kernels that depend on it, 1 << role */
} lv_model_input;

/* A coordinate as declared: a scalar, a vector, or a family of either. */
typedef struct lv_group {
    const lv_item *item;
    int length;           /* 0: scalar */
    bool is_family;       /* members are numbered 1..count */
    int count;            /* 1 if not a family */
    int first;            /* number of its first coordinate */
    const char *momentum; /* name of its momentum; NULL: the model has no Hamiltonian */

    /* While freezing: the last slot of this group in the kernel being built. */
    int slot_scope; /* the kernel's scope; slot counts for no other one */
    int slot;
} lv_group;

/* What a definition is in one scope; of a family, for one member in one graph. */
typedef struct lv_meaning {
    lv_node member; /* LV_NODE_NONE for what is no family */
    lv_value value;
} lv_meaning;

typedef struct lv_definition {
    const lv_item *item;
    bool is_point; /* of [view]: only formulas there know its name */
    bool is_family;
    int first, last; /* indices of its members */

    /* While freezing: the values in the scope, of a family in the graph, that met it last. */
    int scope;    /* 0: none yet; negative: its values at the start */
    bool entered; /* being elaborated */
    LV_ARRAY(lv_meaning) meanings;
} lv_definition;

/* Larger models are refused. */
enum {
    LV_MODEL_COORDINATES = 50000000,
    LV_MODEL_INSTANCES = 50000000, /* of all kernels */
    LV_MODEL_PLACES = 200000000,   /* slots of all instances */
    LV_MODEL_NODES = 20000000,     /* of the formulas of all kernels */
    LV_MODEL_RANGES = 3000000,     /* of one family that depend on indices before them */
    LV_MODEL_LOCAL = 2000 /* coordinates or rows of one formula: its Hessian is dense */
};

struct lv_model {
    lv_arena arena;
    double expected; /* bytes that it needs at least, as far as is known (footprint.h) */
    lv_source source;
    lv_declarations declarations;
    lv_names names;
    const char *title;
    const char *description;

    LV_ARRAY(lv_parameter) parameters;
    LV_ARRAY(double) parameter_values;
    LV_ARRAY(lv_model_input) inputs; /* of [inputs], see inputs.c */
    int input_count;                 /* numbers of all of them */
    double *input_values;            /* until they are set */
    bool takes_external; /* one of them is that of external forces (external.h) */
    LV_ARRAY(lv_group) groups;
    LV_ARRAY(lv_definition) definitions;
    int scope_count; /* scopes so far: freezing uses one after the other */
    int coordinate_count;
    double *start_q, *start_v;
    LV_ARRAY(lv_kernel) kernels;
    /* Numbers of coordinates and of constraints that results show; NULL: they show all. */
    const int *visible_coordinates, *visible_rows;
    int visible_coordinate_count, visible_row_count;
    int instances, places, nodes; /* of all kernels, see the limits above */
    int row_count[LV_ROLES];      /* over all instances */
    int turn_count;               /* angles that count turns, over all instances */
    double *references;           /* of these, at the start; NULL: there are none */
    LV_ARRAY(struct lv_event) events;
    lv_view view;
    LV_ARRAY(lv_kernel) pictures; /* of what moves in the view (view.h), */
    double *picture_references;   /* and of its angles that count turns */
    lv_run_options run;
    lv_sweep_plan sweep;
    const char *settings_text;          /* name=value lines: what was set on reading */
    struct lv_evaluations *evaluations; /* NULL: they are not kept (revalue.h) */
    const struct lv_motion
        *motion; /* how bodies move on groups; NULL: they do not (moving.h) */
};

void lv_evaluations_free(struct lv_evaluations *evaluations); /* NULL: nothing */

/* Numbers of a velocity: one per coordinate, where nothing moves on groups. */
int lv_model_tangents(const lv_model *model);

/* The lines of settings_text as settings, in an arena. LV_ERR_IO for a text that livens did not
 * write. */
lv_status lv_settings_parse(lv_setting **settings, int *count, lv_arena *arena,
                            const char *text, lv_error *err);

/* The model with one setting more, or with another value of it. */
lv_status lv_model_read_again(lv_model **result, const lv_model *model,
                              const lv_setting *setting, lv_error *err);

int lv_group_width(const lv_group *group);

/* Does the name stand for a family, of coordinates, of momenta or of definitions? */
bool lv_model_is_family(const lv_model *model, const lv_name *name);

/* An error of the model as a whole: it has a file, but no place in it. */
lv_status lv_model_fail(const lv_model *model, lv_error *err, const char *text);

/* Gives an error without a place that of a key in [run], if the model has it. */
void lv_model_locate_run(const lv_model *model, const char *key, lv_error *err);

/* The name of global coordinate k as it appears in results: "x", "a[2]", "q_7[1]". */
const char *lv_model_coordinate_text(const lv_model *model, int k, char *buffer,
                                     size_t size);

/* ---- steps of freezing, in this order -------------------------------------------------- */

/* Names of parameters, definitions, coordinates. */
lv_status lv_model_collect_names(lv_model *model, lv_error *err);

/* The same of momenta, if the model has a Hamiltonian (momenta.c). */
lv_status lv_model_name_momenta(lv_model *model, lv_error *err);

/* Values of parameters, from each other (parameters.c). */
lv_status lv_model_evaluate_parameters(lv_model *model, lv_error *err);

/* Values of inputs, from parameters (inputs.c). */
lv_status lv_model_evaluate_inputs(lv_model *model, lv_error *err);

/* Groups, numbers and start values of coordinates (coordinates.c). */
lv_status lv_model_place_coordinates(lv_model *model, lv_error *err);

/* Indices of the members of families of definitions (definitions.c). */
lv_status lv_model_place_definitions(lv_model *model, lv_error *err);

/* Elaborates every definition once, so that mistakes in unused ones show (definitions.c). */
lv_status lv_model_check_definitions(lv_model *model, lv_error *err);

/* What parts demand of the shapes of their formulas, before there are kernels, and of their
 * values, once all members of families are known to exist (check.c). */
lv_status lv_model_check_shapes(lv_model *model, lv_error *err);
lv_status lv_model_check_values(lv_model *model, lv_error *err);

/* Do values in an instance satisfy the demand? */
bool lv_check_holds(const lv_check *check, const double *values, int count);

/* Kernels of all terms (draft.c). */
lv_status lv_model_build_kernels(lv_model *model, lv_error *err);

/* Which rows the multipliers in outputs are, once all constraints have their numbers (results.c). */
lv_status lv_model_place_multipliers(lv_model *model, lv_error *err);

/* "link_2_3": an instance of a constraint, as its columns are named. */
const char *lv_model_constraint_member(const lv_kernel *kernel, int instance,
                                       char *buffer, size_t size);

/* Which coordinates and constraints results show (shown.c). */
lv_status lv_model_find_visible(lv_model *model, lv_error *err);

/* Appends a kernel, whose rows get their numbers (draft.c). The graph is the model's if this
 * succeeds. */
lv_status lv_model_add_kernel(lv_model *model, lv_kernel *kernel, lv_error *err);

/* Start values of the momenta of one group, one for each coordinate (coordinates.c). */
lv_status lv_model_start_momentum(lv_model *model, double *out, const lv_group *group,
                                  lv_error *err);

/* A scalar formula of parameters, evaluated now; also marks these parameters structural if
 * asked to. The range of `key` is checked. */
lv_status lv_model_evaluate_key(lv_model *model, double *value, const lv_item *item,
                                const char *key, bool structural, lv_error *err);

/* A scalar formula of parameters, evaluated now; messages call it `what`, "an index range". */
lv_status lv_model_evaluate_formula(lv_model *model, double *value,
                                    const lv_formula *formula, lv_place place,
                                    const char *what, bool structural, lv_error *err);

/* Fails if an index cannot have this name, which must mean nothing else (definitions.c). */
lv_status lv_model_check_index(const lv_model *model, const lv_range *range,
                               lv_error *err);

/* Fails if the value of a key is outside of its range (parameters.c). */
lv_status lv_key_check(const lv_key *key, double value, lv_place place, lv_error *err);

/* ---- names in formulas (scope.c) -------------------------------------------------------- */

/* An index that must be a whole number from `least` to `most` in every instance. */
typedef struct lv_index_demand {
    lv_node index;
    int least, most;
    lv_place place;
    const char *family; /* of which this is the member; NULL: a component */
} lv_index_demand;

/* Fails unless the number satisfies the demand. */
lv_status lv_index_check(const lv_index_demand *demand, double number, lv_error *err);

/* A coordinate, its momentum, or a definition, and which member of a family. */
typedef struct lv_variable {
    lv_name_kind kind;
    int number;     /* of the group or definition */
    lv_node member; /* LV_NODE_NONE for what is no family */
} lv_variable;

/* Coordinates a scope may meet: it is asked for the Q nodes of a group or a family member. */
typedef struct lv_scope lv_scope;

struct lv_scope {
    lv_model *model;
    lv_elaboration *elaboration;
    int number;       /* from 1; values of definitions belong to one scope */
    int graph_number; /* that of the first scope over the same graph */
    int index_count;  /* family indices, inputs I 0, 1, ... */
    const char *const *index_names;
    bool
        any_index; /* the indices are not the formula's own; those of sums may hide them */
    const lv_node *index_nodes; /* what the indices are instead of inputs; NULL: inputs */
    /* Nodes of a coordinate; NULL: formulas here may not use coordinates. */
    lv_status (*coordinate)(lv_scope *scope, lv_value *value, int group, lv_node member,
                            const lv_syntax *name, lv_error *err);
    /* A component of a vector whose index is not known yet; NULL: it must be a number. */
    lv_status (*pick)(lv_scope *scope, lv_value *value, const lv_value *vector,
                      lv_node index, const lv_syntax *which, lv_error *err);
    /* Takes a demand on an index that is not known yet; NULL: nothing has instances here. */
    lv_status (*demand)(lv_scope *scope, const lv_index_demand *demand, lv_error *err);
    /* A body is displaced (shown.c): the value of what belongs to it, unless it is left NULL. NULL: none is. */
    lv_status (*displace)(lv_scope *scope, lv_value *value, lv_variable v,
                          const lv_syntax *name, lv_error *err);
    struct lv_displaced *displaced;
    bool view;    /* names of points of [view] may be used */
    bool outputs; /* names of results may be used; user is an lv_draft (results.c) */
    void *user;
    const char *where; /* "start values": said when coordinates are refused */
    const char *hint;  /* said when a name is unknown and none is near; NULL: the usual */
};

/* The value of a variable as it is; of a body that is displaced, as it is displaced. */
lv_status lv_scope_variable(lv_scope *scope, lv_value *value, lv_variable v,
                            const lv_syntax *name, lv_error *err);

/* The resolve function of lv_elaboration; user is the lv_scope. */
lv_status lv_scope_resolve(void *user, lv_elaboration *e, lv_value *value,
                           const lv_syntax *name, lv_error *err);

/* The index that a suffix of a name means: a number, an index, a scalar parameter. LV_NODE_NONE: nothing. */
lv_node lv_scope_suffix(const lv_scope *scope, const char *suffix);

/* The value of a subscript: a scalar of parameters and indices. */
lv_status lv_scope_subscript(lv_scope *scope, lv_value *value, const lv_syntax *part,
                             lv_error *err);

/* ---- inputs (inputs.c) -------------------------------------------------------------------- */

/* The value of an input in a formula: inputs T behind the time. */
lv_status lv_scope_input(lv_scope *scope, lv_value *value, int number,
                         const lv_syntax *name, lv_error *err);

/* Writes the time and the model's values of inputs into one lane of a workspace. */
void lv_model_put_time(const lv_model *model, const lv_program *program, double t,
                       double *workspace, int lanes, int lane);

/* The time, and behind it values of inputs near those of the model: what holds for these by chance does not hold
 * here. 1 + input_count numbers. */
void lv_model_vary_inputs(const lv_model *model, double t, double *times);

/* Which kernels depend on inputs. */
lv_status lv_model_trace_inputs(lv_model *model, lv_error *err);

/* Does the energy change when the input does: does it occur in energies or constraints? */
bool lv_input_does_work(const lv_model_input *input);

/* Does the motion depend on it: does it occur in energies, constraints or forces? */
bool lv_input_moves(const lv_model_input *input);

/* The number of the input; -1: there is none of this name. */
int lv_model_find_input(const lv_model *model, const char *name);

/* ---- names that only outputs know (results.c) ------------------------------------------- */

enum { LV_RESULT_ENERGIES = 3 }; /* E, T, V: numbers of the inputs E */

/* "total", "kinetic", "potential" for E, T, V, whose number is set; NULL for other names. */
const char *lv_result_energy(const char *name, int *number);
lv_status lv_result_energy_value(lv_scope *scope, lv_value *value, int number,
                                 lv_error *err);

/* The nodes of the indices in "2_3", "i", "N"; false if they are not understood. */
bool lv_result_indices(lv_scope *scope, lv_node *nodes, int count, const char *text);

/* Is this lambda.NAME or p.NAME, and what it is; they are refused where they cannot be used. */
bool lv_result_is_member(const lv_scope *scope, const lv_syntax *name);
lv_status lv_result_member(lv_scope *scope, lv_value *value, const lv_syntax *name,
                           lv_error *err);

/* Sets up a scope over an elaboration. The scope before it must not be used any more. */
void lv_scope_init(lv_scope *scope, lv_model *model, lv_elaboration *e);

/* The same for shapes only: coordinates are what they are at any place, and the indices of all
 * families are known. */
lv_status lv_scope_init_shapes(lv_scope *scope, lv_model *model, lv_elaboration *e,
                               lv_error *err);

/* The value of an entry: a formula, or an array of formulas one after another. */
lv_status lv_scope_entry(lv_scope *scope, lv_value *value, const lv_entry *entry,
                         lv_error *err);

/* A definition; member is LV_NODE_NONE for what is no family (definitions.c). */
lv_status lv_scope_definition(lv_scope *scope, lv_value *value, int number,
                              lv_node member, const lv_syntax *name, lv_error *err);

/* Says of a name that it means nothing, and what would (unknown.c). */
lv_status lv_scope_unknown(const lv_scope *scope, const lv_syntax *name, lv_error *err);
void lv_scope_hint_no_family(const char *name, int length, lv_error *err);

/* Marks the parameters that a node depends on as structural. */
lv_status lv_model_mark_structural(lv_model *model, const lv_graph *graph, lv_node node,
                                   lv_error *err);

#endif
