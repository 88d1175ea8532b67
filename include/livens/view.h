/* Pictures: what is drawn of a model, and where it is. [view] of the model declares
 * pictures, parts add their own, and livens guesses some if there is neither. A picture
 * is a list of items, which never changes; a frame is a list of numbers that say where
 * the items are. */
#ifndef LIVENS_VIEW_H
#define LIVENS_VIEW_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of an item of each kind:
 *
 *     point     x y z
 *     line      x y z of every point
 *     frame     x y z of the origin, then the unit quaternion w x y z that turns the axes of space into its own
 *     joint     x y z, then the unit vector of its axis; zeros: it has none
 *     surface   x y z of every point of the grid, row by row
 *
 * Items with two components lie in the plane z = 0. */
typedef enum lv_view_kind {
    LV_VIEW_POINT,
    LV_VIEW_LINE,
    LV_VIEW_FRAME,
    LV_VIEW_JOINT,
    LV_VIEW_SURFACE
} lv_view_kind;

LV_API const char *lv_view_kind_name(lv_view_kind kind); /* "point", "line", ... */

typedef struct lv_view_item {
    lv_view_kind kind;
    const char *name; /* "bob", "link_7" */
    /* Origin of the item: "points", "lines", "frames" or "surfaces" of [view]; the
     * section of a part, "bodies", "particles", "rods", ...; "coordinates" if it is
     * guessed. */
    const char *section;
    /* Shape of the item, and its sizes in units of the model:
     *
     *     point     "ball" radius
     *     line      "line"; "rod" radius; "spring" radius; "arrow"
     *     frame     "axes" length; "sphere" radius; "ellipsoid" three half axes; "box" three sides; "cylinder",
     *               "capsule", "cone" radius and length along the third axis (of a capsule without its half spheres);
     *               all centred at the origin, a cone at its centre of mass with its tip backwards; "centre", a mark
     *     joint     its type, "revolute", ...
     *     surface   "grid"
     *
     * Without sizes the drawing program chooses them. */
    const char *shape;
    const double *sizes;
    int size_count;
    double weight; /* cube root of the mass, to scale points and marks; 0: unknown */
    bool trail;    /* draw the path that it has taken */
    int colour;    /* number in a palette, from 1; 0: not specified */
    /* of the grid of a surface; for other kinds 1 and the number of points */
    int rows, columns;
    int count; /* number of values */
    int first; /* index of its first value in a frame; -1: the item never moves */
    const double *still; /* values of an item that never moves; NULL: it moves */
} lv_view_item;

typedef struct lv_view {
    int item_count;
    const lv_view_item *items;
    int number_count; /* number of values of a frame */
    bool guessed;     /* there is neither [view] nor a part with pictures */
    bool planar;      /* everything lies in the plane z = 0 */
    double up[3];     /* unit vector that points up in pictures */
    /* acceleration of gravity at the start; zeros: no part defines it */
    double gravity[3];
    bool ground; /* the plane z = 0 is a floor */
    /* number of items of parts that were left out because there are too many */
    int left_out;
} lv_view;

/* The picture of a model; it lives as long as the model. NULL without a model. */
LV_API const lv_view *lv_model_view(const lv_model *model);

/* Writes a view as JSON without the numbers of frames: at most size bytes including the
 * final NUL. Returns the length of the whole text without the NUL. */
LV_API size_t lv_view_json(const lv_view *view, char *buffer, size_t size);

/* Evaluates frames of a model at any state. A viewer belongs to one thread. The model
 * must outlive it. Free with lv_viewer_free. */
typedef struct lv_viewer lv_viewer;

LV_API LV_NODISCARD lv_status lv_viewer_create(lv_viewer **viewer, const lv_model *model,
                                               lv_error *err);
LV_API void lv_viewer_free(lv_viewer *viewer);

/* Computes a frame, number_count numbers, at time t. q and v have
 * lv_model_coordinate_count numbers; v may be NULL, which means zero velocities. Results
 * of formulas that have no value there are not finite. Allocates nothing. */
LV_API LV_NODISCARD lv_status lv_viewer_frame(lv_viewer *viewer, double *numbers,
                                              double t, const double *q, const double *v,
                                              lv_error *err);

/* Sets the values of all inputs for the following frames, in the order of
 * lv_model_input_describe. Before the first call they have the values of the model.
 * LV_ERR_USAGE if count is not lv_model_input_count. */
LV_API LV_NODISCARD lv_status lv_viewer_set_inputs(lv_viewer *viewer,
                                                   const double *values, int count,
                                                   lv_error *err);

/* Computes the frame at the current state of a simulation, with its inputs. Only the
 * first call allocates memory. */
LV_API LV_NODISCARD lv_status lv_sim_view(lv_sim *sim, double *numbers, lv_error *err);

/* Computes the state that a row of results belongs to, as far as rows determine it; q and
 * v have lv_model_coordinate_count numbers. row_q and row_v are the columns of
 * coordinates that results show (not lv_model_coordinate_is_inner), `bodies` the columns
 * of bodies: in space position (3), quaternion (4), velocity (3), angular velocity (3);
 * in the plane position (2), angle, velocity (2), angular velocity. v and row_v may be
 * NULL; so may the others if the model has no such columns. */
LV_API LV_NODISCARD lv_status lv_model_row_state(const lv_model *model, double *q,
                                                 double *v, const double *row_q,
                                                 const double *row_v,
                                                 const double *bodies, lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
