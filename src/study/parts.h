/* A sweep in parts, for machines that do not know of each other: part k of n computes every n-th member, from member
 * k - 1 on, and says so in its file. Files of all parts are joined to what the sweep in one go gives. */
#ifndef LV_STUDY_PARTS_H
#define LV_STUDY_PARTS_H

#include <livens/sweep.h>

#include "base/arena.h"
#include "out/sink.h"

struct lv_sweep_parts {
    lv_arena arena;
    int count;
    const char **paths; /* in the order of the parts, like the texts in their files */
    lv_hdf5_run *files;
    lv_model *model;
    lv_run_changes changes;
    lv_initial initial;
};

/* What /run in the file of a part has beside what every sweep has there: "2/4", the command, and at last, when all
 * members are there, their messages. */
#define LV_PART_KIND "part"
#define LV_PART_SHARE "part"
#define LV_PART_COMMAND "command"
#define LV_PART_MESSAGES "messages"

/* Members of part `part` (from 1) of `parts`; how many there are, and which is the k-th. parts 0: the whole sweep. */
int lv_part_size(int part, int parts, int members);
int lv_part_member(int part, int parts, int k);

#endif
