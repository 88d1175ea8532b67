/* Columns of channels by their names. */
#ifndef LV_OUT_CHANNELS_H
#define LV_OUT_CHANNELS_H

#include "base/arena.h"
#include "out/sink.h"

/* The channel of a name, or NULL. */
const lv_channel *lv_channel_find(const lv_channels *channels, const char *name);

/* The column of a channel by its label, or -1. */
int lv_channel_column(const lv_channel *channel, const char *label);

/* Is the column's label the name, or that of a component of the vector of that name? */
bool lv_channel_is_called(const lv_channel *channel, int column, const char *name);

/* Fails: no column is called so; suggests one that is. */
lv_status lv_channels_unknown(const lv_channels *channels, const char *name,
                              lv_error *err);

/* Some columns of a list of channels. */
typedef struct lv_selection {
    lv_channels channels;   /* those with at least one of the columns, in their order */
    struct lv_picked *list; /* one for each of them */
} lv_selection;

/* Chooses columns by their labels; of a vector also all components at once, "a" for "a[1]", "a[2]".
 * The first column, time, is always among them. No names: all columns. The selection lives in the
 * arena and refers to the channels. */
lv_status lv_selection_init(lv_selection *selection, const lv_channels *channels,
                            const char *const *names, int count, lv_arena *arena,
                            lv_error *err);

/* Copies the values of the chosen columns to where the selection's channels have them. */
void lv_selection_update(const lv_selection *selection);

#endif
