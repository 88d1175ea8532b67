/* Kernels: one formula over a few local coordinates, and many places to apply it.
 *
 * The formula's inputs are local: Q and V are numbered through the kernel's slots, a slot being
 * one coordinate (scalar or vector) that the formula mentions, such as q_{i-1}. Instance k has
 * slot s at the global coordinates where[k * slot_count + s] and following. P is the model's
 * vector of parameters. I are the numbers of the instance: its indices, and behind them its data,
 * which is what the user wrote into a part that does not move: masses, lengths, fixed points. The
 * formula of a part has the same nodes whatever they are. R are the references of its angles that
 * count turns. */
#ifndef LV_MODEL_KERNEL_H
#define LV_MODEL_KERNEL_H

#include "expr/program.h"
#include "model/declaration.h"

typedef enum lv_role {
    LV_ROLE_KINETIC,
    LV_ROLE_POTENTIAL,
    LV_ROLE_LAGRANGIAN,
    LV_ROLE_HOLONOMIC,
    LV_ROLE_NONHOLONOMIC,
    LV_ROLE_FORCE,
    LV_ROLE_SYMMETRY,
    LV_ROLE_OUTPUT,
    LV_ROLE_EVENT, /* when something happens, and what it sets (event.h) */
    LV_ROLE_SHOWN, /* results of a body, joint, motor or rolling contact (shown.h) */
    LV_ROLE_VIEW,  /* what is drawn (view.h) */
    LV_ROLE_HAMILTONIAN, /* only while a model is built (hamiltonian.h) */
    LV_ROLES
} lv_role;

const char *lv_role_name(lv_role role);

/* Does the formula know multipliers, momenta, accelerations and energies? */
bool lv_role_is_result(lv_role role);

typedef struct lv_slot {
    int group;      /* of coordinates */
    int first;      /* local number of its first coordinate */
    int length;     /* number of coordinates */
    lv_node index;  /* which member of a family, LV_NODE_NONE for other groups */
    lv_place place; /* where the formula first mentions it */
} lv_slot;

/* Multipliers that an output uses: those of all rows of a constraint, or of one member of a family of
 * constraints. */
typedef struct lv_multiplier {
    const lv_item *constraint;
    int first, length; /* its inputs Y */
    int index_count;
    const lv_node *index; /* which member; formulas of parameters and indices */
    lv_place place;       /* where the formula first mentions it */
} lv_multiplier;

/* Slots of one body: local numbers of the first components of its axes, or of its angle in the plane, and of its centre
 * of mass where that moves along the axes; -1: there is none. */
typedef struct lv_frame {
    int axis[3];
    int angle, centre;
} lv_frame;

typedef struct lv_kernel {
    lv_role role;
    bool is_vector; /* rows came from a vector or an array */
    const lv_item *item;
    const lv_entry *entry; /* the formula */
    lv_graph *graph;
    lv_layout layout;
    int row_count;
    int first_row;       /* constraints: number of row 0 of instance 0 among its kind */
    const lv_node *rows; /* the formula's values */
    const lv_node *targets; /* forces and symmetries: the Q input of each row */
    int slot_count;
    int instance_count;
    const lv_slot *slots;
    const int *where;
    const char *const *index_names;
    const double *indices; /* indices[k * index_count + j] */
    int index_count;       /* family indices */
    int data_count;
    double *data;         /* data[k * data_stride + j] */
    int data_stride;      /* 0: data are the same in all instances; else data_count */
    int turn_count;       /* angles that count turns (turns.h), */
    const lv_node *turns; /* x and y of each, */
    int first_turn;       /* number of the first one of instance 0 in the model */
    int frame_count; /* bodies that move on groups: their angular velocities are inputs V of the first axis */
    const lv_frame *frames;

    /* Outputs, and what is shown. */
    int multiplier_count;
    int member_count;          /* indices of all multipliers together */
    const lv_shown *shown;     /* what this shows; NULL: an output */
    const lv_picture *picture; /* what this draws; NULL: it draws nothing */
    const lv_multiplier *multipliers;
    const double *members; /* members[k * member_count + j] */
    /* multiplier_rows[k * multiplier_count + j]: the first row of each, among the constraints of
     * either kind */
    const int *multiplier_rows;
} lv_kernel;

/* Was this force given by Rayleigh's function? */
bool lv_kernel_is_dissipation(const lv_kernel *kernel);

/* Global number of a kernel's local coordinate in an instance. */
int lv_kernel_global(const lv_kernel *kernel, int instance, int local);

/* Are the numbers that a program has as inputs the same in all instances? */
bool lv_kernel_is_uniform(const lv_kernel *kernel, const lv_program *program);

/* The numbers of an instance: index_count indices, then data_count data. */
void lv_kernel_numbers(const lv_kernel *kernel, double *numbers, int instance);

/* One of them. */
double lv_kernel_number(const lv_kernel *kernel, int instance, int number);

/* Writes the numbers of an instance into one lane of a workspace. */
void lv_kernel_put(const lv_kernel *kernel, const lv_program *program, int instance,
                   double *workspace, int lanes, int lane);

/* "link[2] (i = 7)": a row of a kernel's instance, for messages. */
const char *lv_kernel_row_text(const lv_kernel *kernel, int instance, int row,
                               char *buffer, size_t size);

#endif
