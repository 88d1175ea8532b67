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
    int first;       /* index of its first value */
    bool structural; /* sizes depend on it: it is fixed when the model is read */
} lv_parameter;

/* An input as declared. */
typedef struct lv_model_input {
    const lv_item *item;
    int length;     /* 0: scalar */
    int first;      /* index of its first value */
    unsigned roles; /* roles of the kernels that depend on it, as bits 1 << role */
} lv_model_input;

/* A group of coordinates as declared: a scalar, a vector, or a family of either. */
typedef struct lv_group {
    const lv_item *item;
    int length;           /* 0: scalar */
    bool is_family;       /* members are numbered 1..count */
    int count;            /* 1 if not a family */
    int first;            /* number of its first coordinate */
    const char *momentum; /* name of its momentum; NULL: the model has no Hamiltonian */

    /* While freezing: the last slot of this group in the current kernel. */
    int slot_scope; /* scope of that kernel; `slot` is valid in this scope only */
    int slot;
} lv_group;

/* The value of a definition in one scope; for a family, of one member in one graph. */
typedef struct lv_meaning {
    lv_node member; /* LV_NODE_NONE if it is no family */
    lv_value value;
} lv_meaning;

typedef struct lv_definition {
    const lv_item *item;
    bool is_point; /* a point of [view]: only formulas there can use its name */
    bool is_family;
    int first, last; /* range of the indices of its members */

    /* While freezing: the values in the last scope (for a family, the last graph) that
     * used it. */
    int scope;    /* 0: none yet; negative: its values at the start */
    bool entered; /* it is being elaborated, so that a use is a cycle */
    LV_ARRAY(lv_meaning) meanings;
} lv_definition;

/* Larger models are refused. */
enum {
    LV_MODEL_COORDINATES = 50000000,
    LV_MODEL_INSTANCES = 50000000, /* of all kernels */
    LV_MODEL_PLACES = 200000000,   /* slots of all instances of all kernels */
    LV_MODEL_NODES = 20000000,     /* nodes of the formulas of all kernels */
    /* ranges of one family that depend on earlier indices */
    LV_MODEL_RANGES = 3000000,
    LV_MODEL_LOCAL =
        2000 /* coordinates or rows of one formula, since its Hessian is dense */
};

struct lv_model {
    lv_arena arena;
    double expected; /* lower estimate of the bytes that it needs (footprint.h) */
    lv_source source;
    lv_declarations declarations;
    lv_names names;
    const char *title;
    const char *description;

    LV_ARRAY(lv_parameter) parameters;
    LV_ARRAY(double) parameter_values;
    LV_ARRAY(lv_model_input) inputs; /* items of [inputs], see inputs.c */
    int input_count;                 /* number of values of all inputs */
    double *input_values;            /* values until others are set */
    bool takes_external; /* one of the inputs is that of external forces (external.h) */
    LV_ARRAY(lv_group) groups;
    LV_ARRAY(lv_definition) definitions;
    int scope_count; /* number of scopes so far, used to number them */
    int coordinate_count;
    double *start_q, *start_v;
    LV_ARRAY(lv_kernel) kernels;
    /* Numbers of coordinates and of constraints that results show; NULL: all. */
    const int *visible_coordinates, *visible_rows;
    int visible_coordinate_count, visible_row_count;
    int instances, places, nodes; /* totals over all kernels, see the limits above */
    int row_count[LV_ROLES];      /* for each role: rows of all instances */
    int turn_count;               /* angles that count turns, over all instances */
    /* references of these angles at the start; NULL: there are none */
    double *references;
    LV_ARRAY(struct lv_event) events;
    lv_view view;
    LV_ARRAY(lv_kernel) pictures; /* kernels of the moving items of the view (view.h) */
    double *picture_references;   /* references of their angles that count turns */
    lv_run_options run;
    lv_sweep_plan sweep;
    const char *settings_text;          /* name=value lines: what was set on reading */
    struct lv_evaluations *evaluations; /* NULL: they are not kept (revalue.h) */
    const struct lv_motion
        *motion; /* how bodies move on groups; NULL: they do not (moving.h) */
    /* by number of parameter_values: kernels use it; NULL: not asked yet (alike.h) */
    bool *in_kernels;
    /* counts how often numbers that kernels use have changed (alike.h) */
    int edition;
};

void lv_evaluations_free(struct lv_evaluations *evaluations); /* NULL: nothing */

/* Numbers of a velocity: one per coordinate, where nothing moves on groups. */
int lv_model_tangents(const lv_model *model);

/* Parses the lines of settings_text into settings, in an arena. LV_ERR_IO for a text that
 * livens did not write. */
lv_status lv_settings_parse(lv_setting **settings, int *count, lv_arena *arena,
                            const char *text, lv_error *err);

/* Reads the model again with one more setting, or with another value of it. */
lv_status lv_model_read_again(lv_model **result, const lv_model *model,
                              const lv_setting *setting, lv_error *err);

int lv_group_width(const lv_group *group);

/* Whether the name stands for a family of coordinates, momenta or definitions. */
bool lv_model_is_family(const lv_model *model, const lv_name *name);

/* Fails with an error about the model as a whole, which has a file but no place in it. */
lv_status lv_model_fail(const lv_model *model, lv_error *err, const char *text);

/* Gives an error without a place the place of a key in [run], if the model has this
 * key. */
void lv_model_locate_run(const lv_model *model, const char *key, lv_error *err);

/* The name of global coordinate k as it appears in results: "x", "a[2]", "q_7[1]". */
const char *lv_model_coordinate_text(const lv_model *model, int k, char *buffer,
                                     size_t size);

/* ---- steps of freezing, in this order -------------------------------------------------- */

/* Collects the names of parameters, definitions and coordinates. */
lv_status lv_model_collect_names(lv_model *model, lv_error *err);

/* Adds the names of momenta, if the model has a Hamiltonian (momenta.c). */
lv_status lv_model_name_momenta(lv_model *model, lv_error *err);

/* Evaluates parameters, which may depend on each other (parameters.c). */
lv_status lv_model_evaluate_parameters(lv_model *model, lv_error *err);

/* Evaluates the initial values of inputs, which may depend on parameters (inputs.c). */
lv_status lv_model_evaluate_inputs(lv_model *model, lv_error *err);

/* Determines groups, numbers and start values of coordinates (coordinates.c). */
lv_status lv_model_place_coordinates(lv_model *model, lv_error *err);

/* Determines the indices of the members of families of definitions (definitions.c). */
lv_status lv_model_place_definitions(lv_model *model, lv_error *err);

/* Elaborates every definition once, so that mistakes in unused ones are reported
 * (definitions.c). */
lv_status lv_model_check_definitions(lv_model *model, lv_error *err);

/* Check the requirements of parts: on the shapes of formulas, before there are kernels,
 * and on their values, when all members of families are known to exist (check.c). */
lv_status lv_model_check_shapes(lv_model *model, lv_error *err);
lv_status lv_model_check_values(lv_model *model, lv_error *err);

/* Do values in an instance satisfy the demand? */
bool lv_check_holds(const lv_check *check, const double *values, int count);

/* Kernels of all terms (draft.c). */
lv_status lv_model_build_kernels(lv_model *model, lv_error *err);

/* Finds the rows of the multipliers in outputs, when all constraints have their numbers
 * (results.c). */
lv_status lv_model_place_multipliers(lv_model *model, lv_error *err);

/* The name of an instance of a constraint in columns: "link_2_3". */
const char *lv_model_constraint_member(const lv_kernel *kernel, int instance,
                                       char *buffer, size_t size);

/* Determines the coordinates and constraints that results show (visible.c). */
lv_status lv_model_find_visible(lv_model *model, lv_error *err);

/* Appends a kernel and numbers its rows (draft.c). The model owns the graph if this
 * succeeds. */
lv_status lv_model_add_kernel(lv_model *model, lv_kernel *kernel, lv_error *err);

/* Evaluates the start values of the momenta of one group, one for each coordinate
 * (coordinates.c). */
lv_status lv_model_start_momentum(lv_model *model, double *out, const lv_group *group,
                                  lv_error *err);

/* Evaluates a scalar formula of parameters and checks the range of `key`. If
 * `structural`, the parameters in it are marked as structural. */
lv_status lv_model_evaluate_key(lv_model *model, double *value, const lv_item *item,
                                const char *key, bool structural, lv_error *err);

/* Evaluates a scalar formula of parameters; messages call it `what`, such as "an index
 * range". */
lv_status lv_model_evaluate_formula(lv_model *model, double *value,
                                    const lv_formula *formula, lv_place place,
                                    const char *what, bool structural, lv_error *err);

/* Fails if an index cannot have this name because it has another meaning
 * (definitions.c). */
lv_status lv_model_check_index(const lv_model *model, const lv_range *range,
                               lv_error *err);

/* Fails if the value of a key is outside of its range (parameters.c). */
lv_status lv_key_check(const lv_key *key, double value, lv_place place, lv_error *err);

/* ---- names in formulas (scope.c) -------------------------------------------------------- */

/* The requirement that an index is a whole number from `least` to `most` in every
 * instance. */
typedef struct lv_index_demand {
    lv_node index;
    int least, most;
    lv_place place;
    /* the family whose member it selects; NULL: it selects a component */
    const char *family;
} lv_index_demand;

/* Fails unless the number satisfies the requirement. */
lv_status lv_index_check(const lv_index_demand *demand, double number, lv_error *err);

/* A coordinate, its momentum, or a definition, with the member of a family. */
typedef struct lv_variable {
    lv_name_kind kind;
    int number;     /* number of the group or definition */
    lv_node member; /* LV_NODE_NONE if it is no family */
} lv_variable;

/* The names that formulas can use in one context, such as a kernel. */
typedef struct lv_scope lv_scope;

struct lv_scope {
    lv_model *model;
    lv_elaboration *elaboration;
    int number;       /* from 1; values of definitions belong to one scope */
    int graph_number; /* number of the first scope over the same graph */
    int index_count;  /* number of family indices, which are inputs I 0, 1, ... */
    const char *const *index_names;
    /* the indices are not those of the formula itself, so indices of sums may have
     * their names */
    bool any_index;
    /* nodes that replace the indices; NULL: they are inputs */
    const lv_node *index_nodes;
    /* Returns the nodes of a coordinate. NULL: formulas may not use coordinates. */
    lv_status (*coordinate)(lv_scope *scope, lv_value *value, int group, lv_node member,
                            const lv_syntax *name, lv_error *err);
    /* Returns a component of a vector whose index is not a constant. NULL: it must be a
     * constant. */
    lv_status (*pick)(lv_scope *scope, lv_value *value, const lv_value *vector,
                      lv_node index, const lv_syntax *which, lv_error *err);
    /* Takes a requirement on an index that is not a constant. NULL: there are no
     * instances. */
    lv_status (*demand)(lv_scope *scope, const lv_index_demand *demand, lv_error *err);
    /* Returns the value of a variable of a body that is displaced (shown.c); it leaves
     * the value NULL for other variables. NULL: no body is displaced. */
    lv_status (*displace)(lv_scope *scope, lv_value *value, lv_variable v,
                          const lv_syntax *name, lv_error *err);
    struct lv_displaced *displaced;
    bool view;    /* names of points of [view] may be used */
    bool outputs; /* names of results may be used; user is an lv_draft (results.c) */
    void *user;
    /* what messages call this context if coordinates are refused: "start values" */
    const char *where;
    /* hint if a name is unknown and no other is near; NULL: the usual one */
    const char *hint;
};

/* The value of a variable, as displaced if its body is displaced. */
lv_status lv_scope_variable(lv_scope *scope, lv_value *value, lv_variable v,
                            const lv_syntax *name, lv_error *err);

/* The resolve function of lv_elaboration; user is the lv_scope. */
lv_status lv_scope_resolve(void *user, lv_elaboration *e, lv_value *value,
                           const lv_syntax *name, lv_error *err);

/* The index that the suffix of a name stands for: a number, an index or a scalar
 * parameter. LV_NODE_NONE: none of these. */
lv_node lv_scope_suffix(const lv_scope *scope, const char *suffix);

/* The value of a subscript, which must be a scalar of parameters and indices. */
lv_status lv_scope_subscript(lv_scope *scope, lv_value *value, const lv_syntax *part,
                             lv_error *err);

/* ---- inputs (inputs.c) -------------------------------------------------------------------- */

/* The value of an input in a formula: inputs T after the time. */
lv_status lv_scope_input(lv_scope *scope, lv_value *value, int number,
                         const lv_syntax *name, lv_error *err);

/* Writes the time and the model's values of inputs into one lane of a workspace. */
void lv_model_put_time(const lv_model *model, const lv_program *program, double t,
                       double *workspace, int lanes, int lane);

/* Writes the time, then values of inputs that are slightly changed from those of the
 * model, 1 + input_count numbers. A property that holds by coincidence for the values of
 * the model does not hold for these. */
void lv_model_vary_inputs(const lv_model *model, double t, double *times);

/* Finds the roles of the kernels that depend on each input. */
lv_status lv_model_trace_inputs(lv_model *model, lv_error *err);

/* Whether a change of the input changes the energy: it occurs in energies or
 * constraints. */
bool lv_input_does_work(const lv_model_input *input);

/* Whether the motion depends on the input: it occurs in energies, constraints or
 * forces. */
bool lv_input_moves(const lv_model_input *input);

/* The number of the input with this name; -1: there is none. */
int lv_model_find_input(const lv_model *model, const char *name);

/* ---- names that only outputs know (results.c) ------------------------------------------- */

enum { LV_RESULT_ENERGIES = 3 }; /* inputs E: 0 is E, 1 is T, 2 is V */

/* Returns "total", "kinetic" or "potential" for E, T, V and sets their number; NULL for
 * other names. */
const char *lv_result_energy(const char *name, int *number);
lv_status lv_result_energy_value(lv_scope *scope, lv_value *value, int number,
                                 lv_error *err);

/* Finds the nodes of the indices in "2_3", "i", "N"; false if they are not understood. */
bool lv_result_indices(lv_scope *scope, lv_node *nodes, int count, const char *text);

/* Whether a name is lambda.NAME or p.NAME, and its value; fails where these cannot be
 * used. */
bool lv_result_is_member(const lv_scope *scope, const lv_syntax *name);
lv_status lv_result_member(lv_scope *scope, lv_value *value, const lv_syntax *name,
                           lv_error *err);

/* Initialises a scope over an elaboration. The previous scope must not be used any
 * more. */
void lv_scope_init(lv_scope *scope, lv_model *model, lv_elaboration *e);

/* Does the same for checks of shapes: coordinates of any member are allowed, and the
 * indices of all families are known. */
lv_status lv_scope_init_shapes(lv_scope *scope, lv_model *model, lv_elaboration *e,
                               lv_error *err);

/* The value of an entry: a formula, or the concatenation of an array of formulas. */
lv_status lv_scope_entry(lv_scope *scope, lv_value *value, const lv_entry *entry,
                         lv_error *err);

/* The value of a definition; member is LV_NODE_NONE if it is no family
 * (definitions.c). */
lv_status lv_scope_definition(lv_scope *scope, lv_value *value, int number,
                              lv_node member, const lv_syntax *name, lv_error *err);

/* Fails because a name is unknown, and suggests others (unknown.c). */
lv_status lv_scope_unknown(const lv_scope *scope, const lv_syntax *name, lv_error *err);
void lv_scope_hint_no_family(const char *name, int length, lv_error *err);

/* Marks the parameters that a node depends on as structural. */
lv_status lv_model_mark_structural(lv_model *model, const lv_graph *graph, lv_node node,
                                   lv_error *err);

#endif
