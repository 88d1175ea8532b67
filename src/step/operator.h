/* The operators of the step language, and the derivative of each by each of its
 * arguments.
 *
 * An operator stands for a quantity of the system at a point, or for one times a vector.
 * This table is all that is needed to derive Newton matrices from the text of a
 * scheme. */
#ifndef LV_STEP_OPERATOR_H
#define LV_STEP_OPERATOR_H

#include "system/plan.h"

/* Arguments: where quantities are taken, and what they are applied to. */
typedef enum lv_argument {
    LV_ARG_Q,  /* position */
    LV_ARG_V,  /* velocity; of pairs, that of the end or the mean one */
    LV_ARG_Q0, /* pairs: position at the start */
    LV_ARG_V0, /* pairs: velocity at the start */
    LV_ARG_Y,  /* multipliers of holonomic constraints */
    LV_ARG_L,  /* multipliers of nonholonomic constraints */
    LV_ARG_W,  /* a vector with one number per coordinate */
    LV_ARGUMENTS
} lv_argument;

/* Rows of a quantity that has rows for constraints of both kinds. */
typedef enum lv_rows_of { LV_ROWS_ALL, LV_ROWS_HOLONOMIC, LV_ROWS_ROLLING } lv_rows_of;

/* A matrix: a quantity, which rows of it, transposed or not. */
typedef struct lv_matrix_of {
    lv_quantity quantity;
    lv_rows_of rows;
    bool transposed;
} lv_matrix_of;

/* The derivative by one argument: factor times a matrix. */
typedef struct lv_slope {
    lv_matrix_of matrix;
    double factor; /* 0: there is no such derivative, */
    bool vanishes; /* because it is 0 */
    /* a second derivative of the model, which cheap Newton matrices go without */
    bool second;
    bool by_w;      /* taken with the vector as velocity */
    bool exchanged; /* taken with the ends of the pair exchanged */
    bool optional;  /* a third derivative, which only tangents need */
} lv_slope;

/* Operators of groups (group/group.h), which for plain coordinates are 1 or 0. Their
 * arguments: a position as Q, the argument x of the chart as V0, a velocity as V, a
 * momentum as W. */
typedef enum lv_turn_of {
    LV_TURN_NONE,  /* it is none of them */
    LV_TURN_MOVE,  /* q tau(x) */
    LV_TURN_DRIFT, /* q turned freely for a time of 1 with the velocity x */
    LV_TURN_D,     /* D(x) v */
    LV_TURN_DT,    /* D(x)^T w */
    LV_TURN_DTM,   /* D(-x)^T w */
    LV_TURN_B,     /* the gradient by x of w.D(x)v */
    LV_TURN_SPACE, /* a momentum in body axes as one in space axes */
    LV_TURN_BODY   /* and back */
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

    /* The value is factor times a quantity, or times a matrix applied to what is in
     * `vector`. */
    lv_matrix_of value;
    double factor;
    int vector;   /* an argument; -1: the quantity itself */
    int constant; /* a quantity to be added to a product; -1: none */
    lv_slope slope[LV_ARGUMENTS];
    const char *doc; /* what it is, for readers */
    /* an operator of groups: it has no quantity, and its derivatives are in
     * step/turning.h */
    lv_turn_of turn;
} lv_operator;

extern const lv_operator lv_operators[];
extern const int lv_operator_count;

/* NULL: there is none of this name. */
const lv_operator *lv_operator_find(const char *name, size_t length);

/* The argument of a letter. */
lv_argument lv_argument_of(char letter);

#endif
