/* The operators of the step language, and the derivative of each by each of its
 * arguments.
 *
 * An operator is a quantity of the system at a point, or such a quantity times a vector.
 * Newton matrices are derived from the text of a scheme with this table alone. */
#ifndef LV_STEP_OPERATOR_H
#define LV_STEP_OPERATOR_H

#include "plan/plan.h"

/* Arguments of operators: where quantities are evaluated, and what they are multiplied
 * by. */
typedef enum lv_argument {
    LV_ARG_Q,  /* position */
    LV_ARG_V,  /* velocity; of pairs, the one at the end or the mean */
    LV_ARG_Q0, /* pairs: position at the start */
    LV_ARG_V0, /* pairs: velocity at the start */
    LV_ARG_Y,  /* multipliers of holonomic constraints */
    LV_ARG_L,  /* multipliers of nonholonomic constraints */
    LV_ARG_W,  /* a vector with one number per coordinate */
    LV_ARGUMENTS
} lv_argument;

/* Which rows to take of a quantity that has rows for constraints of both kinds. */
typedef enum lv_rows_of { LV_ROWS_ALL, LV_ROWS_HOLONOMIC, LV_ROWS_ROLLING } lv_rows_of;

/* A matrix: a quantity, which of its rows, transposed or not. */
typedef struct lv_matrix_of {
    lv_quantity quantity;
    lv_rows_of rows;
    bool transposed;
} lv_matrix_of;

/* The derivative of an operator by one argument: factor times a matrix. */
typedef struct lv_slope {
    lv_matrix_of matrix;
    double factor; /* 0: the derivative is 0 (`vanishes`) or not available */
    bool vanishes; /* the derivative is 0 */
    /* A second derivative of the model, which cheap Newton matrices leave out */
    bool second;
    bool by_w;      /* evaluated with the vector W as velocity */
    bool exchanged; /* evaluated with the ends of the pair exchanged */
    bool optional;  /* a third derivative, which only tangents need */
} lv_slope;

/* Group operators (group/group.h), which for plain coordinates are the identity or 0.
 * Their arguments: a position as Q, the argument x of the chart as V0, a velocity as V, a
 * momentum as W. */
typedef enum lv_turn_of {
    LV_TURN_NONE,  /* not a group operator */
    LV_TURN_MOVE,  /* q tau(x) */
    LV_TURN_DRIFT, /* q after free rotation for a time of 1 with the initial velocity x */
    LV_TURN_D,     /* D(x) v */
    LV_TURN_DT,    /* D(x)^T w */
    LV_TURN_DTM,   /* D(-x)^T w */
    LV_TURN_B,     /* the gradient by x of w.D(x)v */
    LV_TURN_SPACE, /* converts a momentum from body axes to space axes */
    LV_TURN_BODY   /* converts a momentum from space axes to body axes */
} lv_turn_of;

typedef enum lv_result_space {
    LV_RESULT_POINT,
    LV_RESULT_TANGENT,
    LV_RESULT_VECTOR,
    LV_RESULT_HOLONOMIC,
    LV_RESULT_ROLLING
} lv_result_space;

typedef struct lv_operator {
    const char *name;
    const char *slots; /* a letter per argument: q v 0 x y l w */
    lv_result_space result;

    /* The value is factor times a quantity, or factor times a matrix times the argument
     * `vector`. */
    lv_matrix_of value;
    double factor;
    /* The argument that is multiplied; -1: the value is the quantity itself */
    int vector;
    int constant; /* a quantity that is added to the product; -1: none */
    lv_slope slope[LV_ARGUMENTS];
    const char *doc; /* description for users */
    /* A group operator has no quantity, and its derivatives are in course/turning.h */
    lv_turn_of turn;
} lv_operator;

extern const lv_operator lv_operators[];
extern const int lv_operator_count;

/* Returns NULL if there is no operator of this name. */
const lv_operator *lv_operator_find(const char *name, size_t length);

/* The argument of a letter. */
lv_argument lv_argument_of(char letter);

#endif
