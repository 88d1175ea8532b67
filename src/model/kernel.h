/* Kernels: one formula over a few local coordinates, and the list of places where it
 * applies.
 *
 * The inputs of the formula are local. Q and V are numbered through the slots of the
 * kernel; a slot is one coordinate (scalar or vector) that the formula mentions, such as
 * q_{i-1}. In instance k, slot s lives at the global coordinates where[k * slot_count +
 * s] and following. P is the parameter vector of the model. I are the numbers of the
 * instance: its indices, then its data: constants that the user wrote into a part, such
 * as masses, lengths and fixed points. So the formula of a part has the same nodes
 * whatever these are. R are the references of its angles that count turns. */
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
    LV_ROLE_EVENT, /* when an event happens, and what it sets (event.h) */
    LV_ROLE_SHOWN, /* results of a body, joint, motor or rolling contact (shown.h) */
    LV_ROLE_VIEW,  /* what is drawn (view.h) */
    LV_ROLE_HAMILTONIAN, /* only while a model is built (hamiltonian.h) */
    LV_ROLES
} lv_role;

const char *lv_role_name(lv_role role);

/* Whether formulas of this role may use multipliers, momenta, accelerations and
 * energies. */
bool lv_role_is_result(lv_role role);

typedef struct lv_slot {
    int group;      /* number of the group of coordinates */
    int first;      /* local number of its first coordinate */
    int length;     /* number of coordinates */
    lv_node index;  /* index of the member of a family; LV_NODE_NONE for other groups */
    lv_place place; /* where the formula first mentions it */
} lv_slot;

/* Multipliers that an output uses: those of all rows of a constraint, or of one member of
 * a family of constraints. */
typedef struct lv_multiplier {
    const lv_item *constraint;
    int first, length; /* its inputs Y */
    int index_count;
    const lv_node *index; /* indices of the member: formulas of parameters and indices */
    lv_place place;       /* where the formula first mentions it */
} lv_multiplier;

/* The slots of one body: local numbers of the first components of its axes, or of its
 * angle in the plane, and of its centre of mass if its velocity is along the axes; -1:
 * there is none. */
typedef struct lv_frame {
    int axis[3];
    int angle, centre;
} lv_frame;

typedef struct lv_kernel {
    lv_role role;
    bool is_vector; /* the rows come from a vector or an array */
    const lv_item *item;
    const lv_entry *entry; /* the formula */
    lv_graph *graph;
    lv_layout layout;
    int row_count;
    /* constraints: number of row 0 of instance 0 among the rows of its role */
    int first_row;
    const lv_node *rows;    /* values of the formula */
    const lv_node *targets; /* forces and symmetries: the Q input of each row */
    int slot_count;
    int instance_count;
    const lv_slot *slots;
    const int *where;
    const char *const *index_names;
    const double *indices; /* indices[k * index_count + j] */
    int index_count;       /* number of family indices */
    int data_count;
    double *data;         /* data[k * data_stride + j] */
    int data_stride;      /* 0: all instances have the same data; else data_count */
    int turn_count;       /* number of angles that count turns (turns.h) */
    const lv_node *turns; /* x and y of each of these angles */
    int first_turn;       /* number of the first angle of instance 0 in the model */
    /* bodies that move on groups: the inputs V of the first axis are the angular
     * velocity */
    int frame_count;
    const lv_frame *frames;

    /* For outputs and what is shown: */
    int multiplier_count;
    int member_count;          /* number of indices of all multipliers together */
    const lv_shown *shown;     /* what this kernel shows; NULL: it is an output */
    const lv_picture *picture; /* what this kernel draws; NULL: nothing */
    const lv_multiplier *multipliers;
    const double *members; /* members[k * member_count + j] */
    /* multiplier_rows[k * multiplier_count + j]: number of the first row of multiplier j
     * among the constraints of its kind */
    const int *multiplier_rows;
} lv_kernel;

/* Whether this force is given by Rayleigh's function. */
bool lv_kernel_is_dissipation(const lv_kernel *kernel);

/* Global number of a local coordinate in an instance. */
int lv_kernel_global(const lv_kernel *kernel, int instance, int local);

/* Whether the numbers that a program uses as inputs are the same in all instances. */
bool lv_kernel_is_uniform(const lv_kernel *kernel, const lv_program *program);

/* Writes the numbers of an instance: index_count indices, then data_count data. */
void lv_kernel_numbers(const lv_kernel *kernel, double *numbers, int instance);

/* One of these numbers. */
double lv_kernel_number(const lv_kernel *kernel, int instance, int number);

/* Writes the numbers of an instance into one lane of a workspace. */
void lv_kernel_put(const lv_kernel *kernel, const lv_program *program, int instance,
                   double *workspace, int lanes, int lane);

/* Describes a row of an instance for messages: "link[2] (i = 7)". */
const char *lv_kernel_row_text(const lv_kernel *kernel, int instance, int row,
                               char *buffer, size_t size);

#endif
